"""Hunts: who sees whom, what a shot tells, and how a chase ends."""

from itertools import product

import pytest

from tests.reference.naive import NaiveGame
from tests.support.games import naive
from tests.support.naive_play import Joint, Round, State, numbers_of, play, play_at_random, record, told, utility_of
from veil.games import instantiate
from veil.games.families.hunts import FLEET

Cell = tuple[int, int]


def most_rounds(spec: str) -> int:
    """The length of the longest game."""
    name, values = numbers_of(spec)
    if name == "battleships_in_fog":
        return 2 + 2 * values["size"]
    if name == "border_protection":
        return 1 + values["size"] - 1 + values["size"] // 2
    if name == "transit":
        return 1 + 2 * (values["height"] - 1 + values["height"] // 2)
    fitting = [length for length in FLEET.values() if length <= values["size"]]
    return 2 * len(fitting[: values["ships"]]) + 2 * values["size"] ** 2


@pytest.mark.gate_cases(4)
@pytest.mark.slow
@pytest.mark.parametrize(
    "spec",
    [
        *("battleships_in_fog(2)", "battleships_in_fog(5)", "border_protection(3)", "border_protection(6)"),
        *("transit(3, 3)", "transit(12, 3)", "transit(5, 6)", "battleship(2, 5)", "battleship(3, 3)"),
    ],
)
def test_a_random_game_ends_within_the_bound_that_its_rules_give(spec: str) -> None:
    for seed in range(5):
        play_at_random(spec, seed, most_rounds(spec))


def open_cells(spec: str) -> set[Cell]:
    """The cells of a grid that are no obstacles, by the words of the headers."""
    name, values = numbers_of(spec)
    width, height = (values["width"], values["height"]) if name == "transit" else (values["size"], values["size"])
    return {
        (x, y)
        for x, y in product(range(1, width + 1), range(1, height + 1))
        if name != "transit" or y in range(1, height + 1, 2) or y == height or (x + y // 2) % 3
    }


# Battleships in Fog


def fog_rounds(size: int, red: Cell, blue: Cell, *turns: str) -> list[Round]:
    """The ships where chance places them, then the turns of red and blue."""
    places = [{"random": f"(place {role} {x} {y})"} for role, (x, y) in (("red", red), ("blue", blue))]
    moves = [{"red" if number % 2 == 0 else "blue": move} for number, move in enumerate(turns)]
    return play(naive(f"battleships_in_fog({size})"), *places, *moves)


def test_battleships_in_fog_chance_places_one_ship_a_round_and_only_its_owner_sees_where() -> None:
    cells = [(x, y) for x in (1, 2) for y in (1, 2)]
    games = {(red, blue): fog_rounds(2, red, blue) for red, blue in product(cells, repeat=2)}
    for x, y in cells:
        assert len({record(games[(x, y), blue], "red") for blue in cells}) == 1
        assert len({record(games[red, (x, y)], "blue") for red in cells}) == 1
        assert told(games[(x, y), (1, 1)], "red") == [f"(own_ship {x} {y})", ""]
        assert told(games[(1, 1), (x, y)], "blue") == ["", f"(own_ship {x} {y})"]
    assert [len(entry.legal["random"]) for entry in games[(1, 1), (2, 2)]] == [4, 4]


def test_battleships_in_fog_a_turn_is_a_shot_at_any_cell_or_a_step_or_a_scan() -> None:
    legal = fog_rounds(3, (1, 1), (2, 2), "scan", "scan")[-1].legal
    shots = {f"(fire {x} {y})" for x, y in product((1, 2, 3), repeat=2)}
    steps = {f"(move {direction})" for direction in ("north", "south", "east", "west")}
    assert legal == {"random": {"noop"}, "red": {"noop"}, "blue": shots | steps | {"scan"}}
    corner = fog_rounds(3, (1, 1), (2, 2), "scan")[-1].legal["red"]
    assert corner == shots | {"(move north)", "(move east)", "scan"}


def test_battleships_in_fog_a_scan_shows_the_ship_and_the_scanned_one_knows() -> None:
    rounds = fog_rounds(3, (1, 1), (2, 3), "scan")
    assert rounds[-1].percepts == {"random": set(), "red": {"(enemy_ship 2 3)"}, "blue": {"scanned"}}


def test_battleships_in_fog_a_miss_and_a_step_look_the_same_to_the_other_player() -> None:
    replies = ["(fire 3 3)", "(fire 1 2)", "(move north)", "(move east)", "(move west)"]
    records = {record(fog_rounds(3, (1, 1), (2, 2), "(fire 1 3)", reply), "red") for reply in replies}
    assert len(records) == 1
    assert record(fog_rounds(3, (1, 1), (2, 2), "(fire 1 3)", "scan"), "red") not in records


def test_battleships_in_fog_moving_hides_the_ship_again_until_the_next_scan() -> None:
    moved = {
        direction: fog_rounds(3, (1, 1), (2, 2), "scan", f"(move {direction})", "scan")
        for direction in ("north", "south", "east", "west")
    }
    assert len({record(rounds[:-1], "red") for rounds in moved.values()}) == 1
    assert {direction: told(rounds, "red")[-1] for direction, rounds in moved.items()} == {
        "north": "(enemy_ship 2 3)",
        "south": "(enemy_ship 2 1)",
        "east": "(enemy_ship 3 2)",
        "west": "(enemy_ship 1 2)",
    }


@pytest.mark.parametrize(("turns", "winner"), [(["(fire 2 2)"], "red"), (["(fire 2 1)", "(fire 1 1)"], "blue")])
def test_battleships_in_fog_a_hit_wins(turns: list[str], winner: str) -> None:
    game, rounds = naive("battleships_in_fog(3)"), fog_rounds(3, (1, 1), (2, 2), *turns)
    assert [game.terminal(entry.after) for entry in rounds] == [False] * (len(rounds) - 1) + [True]
    other = "blue" if winner == "red" else "red"
    assert game.goals(rounds[-1].after) == {"random": {"0"}, winner: {"100"}, other: {"0"}}


def test_battleships_in_fog_a_shot_where_the_ship_was_misses() -> None:
    rounds = fog_rounds(3, (1, 1), (2, 2), "scan", "(move east)", "(fire 2 2)", "(fire 3 3)", "(fire 3 2)")
    assert [naive("battleships_in_fog(3)").terminal(entry.after) for entry in rounds[-3:]] == [False, False, True]


@pytest.mark.parametrize("size", [2, 4])
def test_battleships_in_fog_after_as_many_turns_each_as_cells_per_side_it_is_a_draw(size: int) -> None:
    game, rounds = naive(f"battleships_in_fog({size})"), fog_rounds(size, (1, 1), (2, 2), *["scan"] * (2 * size))
    assert [game.terminal(entry.after) for entry in rounds[-2:]] == [False, True]
    assert game.goals(rounds[-1].after) == {"random": {"0"}, "red": {"50"}, "blue": {"50"}}


# Border Protection


def border_rounds(size: int, *moves: str) -> list[Round]:
    """Joint moves from texts like `north/stay`, the intruder's first; `2/3` enters columns 2 and 3."""
    spoken = {"stay": "stay"} | {str(x): f"(enter {x})" for x in range(1, size + 1)}
    pairs = [[spoken.get(word, f"(move {word})") for word in text.split("/")] for text in moves]
    joints = [{"intruder": own, "defender": other} for own, other in pairs]
    return play(naive(f"border_protection({size})"), *joints)


def border_state(intruder: Cell, defender: Cell, round_number: int = 2) -> State:
    places = (("intruder", intruder), ("defender", defender))
    return frozenset({f"(round {round_number})"} | {f"(at {role} {x} {y})" for role, (x, y) in places})


STAY: Joint = {"intruder": "stay", "defender": "stay"}


def test_border_protection_both_enter_at_once_and_then_step_at_once() -> None:
    rounds = border_rounds(3, "2/2", "stay/south")
    around = {"(move north)", "(move south)", "(move east)", "(move west)"}
    columns = {"(enter 1)", "(enter 2)", "(enter 3)"}
    ahead = {"(move north)", "(move northeast)", "(move northwest)"}
    assert rounds[0].legal == {"intruder": columns, "defender": columns}
    assert rounds[1].state == {"(at intruder 2 1)", "(at defender 2 3)", "(round 2)"}
    assert rounds[1].legal["intruder"] == ahead | {"stay"}
    assert rounds[1].legal["defender"] == around - {"(move north)"} | {"stay"}
    assert naive("border_protection(3)").legal(rounds[1].after)["defender"] == around | {"stay"}


@pytest.mark.nightly
@pytest.mark.slow
def test_border_protection_nobody_sees_further_than_the_neighbouring_cells() -> None:
    game = naive("border_protection(5)")
    for intruder, defender in product(open_cells("border_protection(5)"), repeat=2):
        distance = max(abs(intruder[0] - defender[0]), abs(intruder[1] - defender[1]))
        percepts = game.sees(border_state(intruder, defender), STAY)
        assert percepts["intruder"] == ({f"(at {defender[0]} {defender[1]})"} if distance == 1 else set())
        assert percepts["defender"] == ({f"(at {intruder[0]} {intruder[1]})"} if distance == 1 else set())


def test_border_protection_defender_cannot_tell_where_the_intruder_enters_or_goes_far_away() -> None:
    far = [border_rounds(5, f"{column}/1", step) for column, step in product("12345", ("north/stay", "stay/stay"))]
    assert len({record(rounds, "defender") for rounds in far}) == 1
    near = border_rounds(5, "2/1", "north/stay", "north/stay", "north/stay")
    assert told(near, "defender") == ["", "", "", "(at 2 4)"]
    assert told(near, "intruder") == ["", "", "", "(at 1 5)"]


@pytest.mark.parametrize(
    ("intruder", "defender", "moves", "caught"),
    [
        ((2, 1), (2, 3), "north/south", True),  # on one cell
        ((2, 2), (3, 3), "northeast/stay", True),  # on the border itself
        ((2, 2), (1, 2), "stay/east", True),
        ((2, 2), (2, 3), "north/south", True),  # they change places
        ((2, 2), (3, 3), "northeast/west", False),  # past each other
        ((2, 1), (1, 1), "northwest/east", False),
    ],
)
def test_border_protection_is_over_where_they_meet_or_change_places(
    intruder: Cell, defender: Cell, moves: str, caught: bool
) -> None:
    game, words = naive("border_protection(3)"), moves.split("/")
    before = border_state(intruder, defender)
    joint = {role: word if word == "stay" else f"(move {word})" for role, word in zip(game.roles, words, strict=True)}
    assert all(joint[role] in game.legal(before)[role] for role in game.roles)
    after = game.next(before, joint)
    assert ("caught" in after) == caught
    if caught:
        assert game.terminal(after)
        assert game.goals(after) == {"intruder": {"0"}, "defender": {"100"}}


def test_border_protection_intruder_wins_in_the_border_row() -> None:
    game, rounds = naive("border_protection(3)"), border_rounds(3, "1/3", "north/stay", "north/stay")
    assert [game.terminal(entry.after) for entry in rounds] == [False, False, True]
    assert game.goals(rounds[-1].after) == {"intruder": {"100"}, "defender": {"0"}}


@pytest.mark.parametrize(("size", "steps"), [(3, 3), (4, 5), (5, 6)])
def test_border_protection_intruder_has_half_as_many_steps_to_spare_as_there_are_rows(size: int, steps: int) -> None:
    game = naive(f"border_protection({size})")
    spare = steps - (size - 1)
    crossing = border_rounds(size, f"1/{size}", *["stay/stay"] * spare, *["north/stay"] * (size - 1))
    assert game.goals(crossing[-1].after) == {"intruder": {"100"}, "defender": {"0"}}
    waiting = border_rounds(size, f"1/{size}", *["stay/stay"] * steps)
    assert [game.terminal(entry.after) for entry in waiting] == [False] * steps + [True]
    assert game.goals(waiting[-1].after) == {"intruder": {"0"}, "defender": {"100"}}


# Transit


def transit_rounds(spec: str, entry: int, *moves: str) -> list[Round]:
    """The evader enters, then the steps of patrol and evader in turn."""
    spoken = [move if move == "stay" else f"(move {move})" for move in moves]
    turns = [{"patrol" if number % 2 == 0 else "evader": move} for number, move in enumerate(spoken)]
    return play(naive(spec), {"evader": f"(enter {entry})"}, *turns)


def transit_state(evader: Cell, patrol: Cell, mover: str, turn: int = 2) -> State:
    places = (("evader", evader), ("patrol", patrol))
    return frozenset({f"(control {mover})", f"(turn {turn})"} | {f"(at {role} {x} {y})" for role, (x, y) in places})


def clear_between(one: Cell, two: Cell, cells: set[Cell]) -> bool:
    """Whether two cells lie in one row or column and all cells between them are open."""
    (x1, y1), (x2, y2) = sorted((one, two))
    if one == two or (x1 != x2 and y1 != y2):
        return False
    return {(x, y) for x in range(x1, x2 + 1) for y in range(y1, y2 + 1)} <= cells


def test_transit_obstacles_stand_in_every_third_cell_of_every_second_row() -> None:
    everywhere = set(product(range(1, 9), repeat=2))
    assert everywhere - open_cells("transit(8, 8)") == {(2, 2), (5, 2), (8, 2), (1, 4), (4, 4), (7, 4), (3, 6), (6, 6)}
    for spec in ("transit(8, 8)", "transit(3, 4)", "transit(5, 5)"):
        facts = {tuple(line[1:-1].split()[1:]) for line in instantiate(spec).text.splitlines() if line[:6] == "(free "}
        assert facts == {(str(x), str(y)) for x, y in open_cells(spec)}


@pytest.mark.parametrize(("width", "post"), [(3, 2), (4, 2), (5, 3)])
def test_transit_evader_enters_anywhere_while_the_patrol_waits_in_the_middle(width: int, post: int) -> None:
    first = transit_rounds(f"transit({width}, 3)", 1)[0]
    assert first.legal == {"evader": {f"(enter {x})" for x in range(1, width + 1)}, "patrol": {"noop"}}
    assert first.state == {f"(at patrol {post} 3)", "(control evader)", "(turn 1)"}


@pytest.mark.parametrize("spec", ["transit(3, 3)", "transit(5, 5)", "transit(4, 6)"])
def test_transit_everyone_steps_to_open_cells_and_the_evader_always_has_one_ahead(spec: str) -> None:
    game, cells, height = naive(spec), open_cells(spec), numbers_of(spec)[1]["height"]
    ahead = {"north": (0, 1), "northeast": (1, 1), "northwest": (-1, 1)}
    around = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
    for (x, y), (role, steps) in product(cells, (("evader", ahead), ("patrol", around))):
        state = transit_state((x, y), (1, height), role) if role == "evader" else transit_state((1, 1), (x, y), role)
        expected = {f"(move {way})" for way, (right, up) in steps.items() if (x + right, y + up) in cells}
        assert game.legal(state)[role] == expected | {"stay"}
        assert expected or (role == "evader" and y == height)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["transit(3, 3)", "transit(5, 5)"])
def test_transit_they_see_each_other_along_rows_and_columns_up_to_an_obstacle(spec: str) -> None:
    game, cells = naive(spec), open_cells(spec)
    for evader, patrol in product(cells, repeat=2):
        percepts = game.sees(transit_state(evader, patrol, "patrol"), {"evader": "noop", "patrol": "stay"})
        seen = clear_between(evader, patrol, cells)
        assert percepts["evader"] == ({f"(at {patrol[0]} {patrol[1]})"} if seen else set())
        assert percepts["patrol"] == ({f"(at {evader[0]} {evader[1]})"} if seen else set())


def test_transit_patrol_cannot_tell_where_the_evader_enters_unless_in_the_column_before_it() -> None:
    entries = {column: record(transit_rounds("transit(5, 5)", column), "patrol") for column in range(1, 6)}
    assert len({entries[column] for column in (1, 2, 4, 5)}) == 1
    assert entries[3] == (("noop", frozenset({"(at 3 1)"})),)


def test_transit_neither_can_tell_what_the_other_does_out_of_sight() -> None:
    games = [transit_rounds("transit(5, 5)", 1, "east", step) for step in ("stay", "north")]
    assert len({record(rounds, "patrol") for rounds in games}) == 1
    posts = [transit_rounds("transit(5, 5)", 1, step) for step in ("stay", "east", "west")]
    assert len({record(rounds, "evader") for rounds in posts}) == 1
    seen = transit_rounds("transit(5, 5)", 1, "stay", "north", "west", "northeast", "west")
    assert told(seen, "patrol") == ["", "", "", "", "(at 2 3)", ""]
    assert told(seen, "evader") == ["", "", "", "", "(at 2 5)", ""]
    assert told(transit_rounds("transit(5, 5)", 3, "south"), "evader") == ["(at 3 5)", "(at 3 4)"]


@pytest.mark.parametrize(
    ("mover", "move", "evader", "patrol"),
    [("patrol", "(move south)", (1, 2), (1, 3)), ("evader", "(move northwest)", (2, 1), (1, 2))],
)
def test_transit_evader_is_caught_whoever_steps_onto_the_other(
    mover: str, move: str, evader: Cell, patrol: Cell
) -> None:
    game, before = naive("transit(3, 3)"), transit_state(evader, patrol, mover)
    other = "evader" if mover == "patrol" else "patrol"
    assert move in game.legal(before)[mover]
    after = game.next(before, {mover: move, other: "noop"})
    assert game.terminal(after)
    assert game.goals(after) == {"evader": {"0"}, "patrol": {"100"}}


def test_transit_evader_wins_in_the_far_row_but_not_on_the_patrol() -> None:
    game = naive("transit(3, 3)")
    rounds = transit_rounds("transit(3, 3)", 1, "stay", "north", "stay", "north")
    assert [game.terminal(entry.after) for entry in rounds] == [False] * 4 + [True]
    assert game.goals(rounds[-1].after) == {"evader": {"100"}, "patrol": {"0"}}
    met = transit_rounds("transit(3, 3)", 1, "stay", "north", "stay", "northeast")
    assert game.goals(met[-1].after) == {"evader": {"0"}, "patrol": {"100"}}


@pytest.mark.parametrize(("height", "turns"), [(3, 3), (4, 5), (5, 6)])
def test_transit_ends_with_the_last_turn_of_the_evader(height: int, turns: int) -> None:
    spec = f"transit(4, {height})"
    game, rounds = naive(spec), transit_rounds(spec, 1, *["stay"] * (2 * turns))
    assert [game.terminal(entry.after) for entry in rounds] == [False] * (2 * turns) + [True]
    assert game.goals(rounds[-1].after) == {"evader": {"0"}, "patrol": {"100"}}


# Battleship


def ship(name: str, x: int, y: int, direction: str) -> str:
    return f"(place {name} {x} {y} {direction})"


def battle_rounds(game: NaiveGame, *moves: str) -> list[Round]:
    """The moves of red and blue in turn; `12` shoots at column 1, row 2."""
    spoken = [f"(shoot {move[0]} {move[1]})" if len(move) == 2 else move for move in moves]
    return play(game, *({"red" if number % 2 == 0 else "blue": move} for number, move in enumerate(spoken)))


UPPER, LOWER = ship("destroyer", 1, 1, "across"), ship("destroyer", 1, 2, "across")
LEFT, RIGHT = ship("destroyer", 1, 1, "down"), ship("destroyer", 2, 1, "down")


def test_battleship_players_place_their_ships_in_turn_longest_first() -> None:
    rounds = play_at_random("battleship(4, 5)", seed=1)
    movers = [("red", "blue")[number % 2] for number in range(len(rounds))]
    played = [entry.joint[mover].split()[:2] for entry, mover in zip(rounds, movers, strict=True)]
    order = ["battleship", "submarine", "cruiser", "destroyer"]
    assert played[:8] == [["(place", name] for name in order for _ in ("red", "blue")]
    assert {words[0] for words in played[8:]} == {"(shoot"}


@pytest.mark.parametrize(
    ("size", "ships", "fleet"),
    [
        (2, 1, ["destroyer"]),
        (2, 5, ["destroyer"]),
        (3, 4, ["destroyer", "cruiser", "submarine"]),
        (4, 5, ["destroyer", "cruiser", "submarine", "battleship"]),
        (6, 2, ["destroyer", "cruiser"]),
        (10, 5, ["destroyer", "cruiser", "submarine", "battleship", "carrier"]),
    ],
)
def test_battleship_fleet_is_the_shortest_ships_that_fit_the_board(size: int, ships: int, fleet: list[str]) -> None:
    text = instantiate(f"battleship({size}, {ships})").text
    assert [name for name in FLEET if f"(length {name} {FLEET[name]})" in text] == fleet


def test_battleship_ships_lie_on_the_board_and_do_not_overlap() -> None:
    game = naive("battleship(3, 2)")
    rounds = battle_rounds(game, ship("cruiser", 1, 2, "across"), ship("cruiser", 2, 1, "down"))
    lines = {ship("cruiser", 1, y, "across") for y in (1, 2, 3)} | {ship("cruiser", x, 1, "down") for x in (1, 2, 3)}
    assert rounds[0].legal["red"] == rounds[1].legal["blue"] == lines
    free = {ship("destroyer", x, y, "across") for x, y in product((1, 2), (1, 3))}
    assert game.legal(rounds[-1].after)["red"] == free


def test_battleship_has_the_places_of_the_full_board() -> None:
    """A carrier on 10x10 has 6 columns times 10 rows across, and as many down."""
    game = naive("battleship(10, 5)")
    assert len(game.legal(game.initial())["red"]) == 120


@pytest.mark.gate_cases(2)
@pytest.mark.slow
@pytest.mark.parametrize("size", range(2, 7))
def test_battleship_there_is_always_room_for_the_next_ship(size: int) -> None:
    """All ways to place the whole fleet. On larger boards it cannot be harder."""
    facts = [line[1:-1].split() for line in instantiate(f"battleship({size}, 5)").text.splitlines()]
    order = [words[1] for words in facts if words[:1] == ["next_phase"]]
    places: dict[tuple[str, ...], int] = {}  # length, direction, column, row -> bits of the covered cells
    for words in facts:
        if words[:1] == ["covers"]:
            place, (x, y) = tuple(words[1:5]), map(int, words[5:])
            places[place] = places.get(place, 0) | 1 << (size * y + x)
    boards = {0}
    for name in order:
        fitting = [bits for place, bits in places.items() if place[0] == str(FLEET[name])]
        following = [{board | bits for bits in fitting if not board & bits} for board in boards]
        assert all(following)
        boards = set().union(*following) if name != order[-1] else set()


def test_battleship_nobody_can_tell_how_the_other_has_placed_before_a_shot() -> None:
    game = naive("battleship(2, 1)")
    games = [battle_rounds(game, UPPER, reply) for reply in (UPPER, LOWER, LEFT, RIGHT)]
    assert len({record(rounds, "red") for rounds in games}) == 1
    games = [battle_rounds(game, own, UPPER) for own in (UPPER, LOWER, LEFT, RIGHT)]
    assert len({record(rounds, "blue") for rounds in games}) == 1


def test_battleship_a_shot_tells_hit_or_miss_and_not_how_the_ship_lies() -> None:
    game = naive("battleship(2, 1)")
    answers = {reply: record(battle_rounds(game, UPPER, reply, "11"), "red") for reply in (UPPER, LOWER, LEFT, RIGHT)}
    assert answers[UPPER] == answers[LEFT]
    assert answers[LOWER] == answers[RIGHT]
    assert answers[UPPER] != answers[LOWER]


def test_battleship_who_shoots_is_told_which_ship_it_hit_and_sank_and_the_other_is_told_the_cell() -> None:
    game = naive("battleship(3, 3)")
    fleet = [("submarine", 1), ("cruiser", 2), ("destroyer", 3)]
    places = [ship(name, 1, y, "across") for name, y in fleet for _ in ("red", "blue")]
    rounds = battle_rounds(game, *places, "13", "33", "12", "11", "23", "21", "33", "31")
    assert told(rounds, "red")[6:] == [
        *("(hit destroyer)", "(shot 3 3)", "(hit cruiser)", "(shot 1 1)"),
        *("(hit destroyer) (sunk destroyer)", "(shot 2 1)", "miss", "(shot 3 1)"),
    ]
    assert told(rounds, "blue")[6:] == [
        *("(shot 1 3)", "miss", "(shot 1 2)", "(hit submarine)"),
        *("(shot 2 3)", "(hit submarine)", "(shot 3 3)", "(hit submarine) (sunk submarine)"),
    ]
    assert not game.terminal(rounds[-1].after)


def test_battleship_nobody_shoots_at_a_cell_twice() -> None:
    rounds = battle_rounds(naive("battleship(2, 1)"), UPPER, UPPER, "12", "22", "11", "12", "22")
    cells = {f"(shoot {x} {y})" for x, y in product((1, 2), repeat=2)}
    assert [entry.legal["red"] for entry in rounds[2::2]] == [
        cells,
        cells - {"(shoot 1 2)"},
        {"(shoot 2 1)", "(shoot 2 2)"},
    ]
    assert [entry.legal["blue"] for entry in rounds[3::2]] == [cells, cells - {"(shoot 2 2)"}]


@pytest.mark.parametrize(
    ("shots", "winner", "loser"), [(["11", "12", "21"], "red", "blue"), (["12", "11", "11", "21"], "blue", "red")]
)
def test_battleship_who_sinks_the_whole_fleet_first_wins(shots: list[str], winner: str, loser: str) -> None:
    game = naive("battleship(2, 1)")
    rounds = battle_rounds(game, UPPER, UPPER, *shots)
    assert [game.terminal(entry.after) for entry in rounds] == [False] * (1 + len(shots)) + [True]
    assert game.goals(rounds[-1].after) == {winner: {"100"}, loser: {"0"}}
    assert utility_of("battleship", 100) == 1
