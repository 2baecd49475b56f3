"""PCFR+ of a role that enters K records against one of J moves, slowly and as it is defined.

The other role does not know the record: move j is worth u[k][j] to the role that enters, after record k, and costs the
other role as much. The role that enters plays two games: follow or stop at every record, and choose a record.
"""

from itertools import count

Row = list[float]


def matched(regret: Row) -> Row:
    """Positive parts in proportion; uniform without any."""
    positive = [max(0.0, number) for number in regret]
    total = sum(positive)
    return [number / total for number in positive] if total > 0 else [1 / len(regret)] * len(regret)


class Learner:
    """Predictive regret matching plus over some actions."""

    def __init__(self, actions: int) -> None:
        self.regret = [0.0] * actions
        self.policy = [1 / actions] * actions

    def learn(self, values: Row) -> None:
        mean = sum(chance * value for chance, value in zip(self.policy, values, strict=True))
        instant = [value - mean for value in values]
        self.regret = [max(0.0, old + new) for old, new in zip(self.regret, instant, strict=True)]
        self.policy = matched([old + new for old, new in zip(self.regret, instant, strict=True)])


def average_moves(
    utility: list[Row], mass: Row, alternative: Row, share: float | None, iterations: int, *, enters_first: bool
) -> tuple[Row, Row]:
    """Return the average policy of the role with J moves, and the average weight of every entry.

    Without a share, the game of choosing gets what the other one stops.
    """
    records, moves = range(len(utility)), range(len(utility[0]))
    follow = [Learner(2) for _ in records]
    choice, own = Learner(len(utility)), Learner(len(moves))
    move_sum, entry_sum, weight = [0.0] * len(moves), [0.0] * len(utility), 0.0

    def entry() -> Row:
        follows = [learner.policy[0] for learner in follow]
        if share is None:
            left = sum(mass[k] * (1 - follows[k]) for k in records)
            return [follows[k] + left * choice.policy[k] / mass[k] for k in records]
        return [share * follows[k] + (1 - share) * sum(mass) * choice.policy[k] / mass[k] for k in records]

    entered = entry()

    def enter() -> None:
        nonlocal entered
        for k in records:
            entry_sum[k] += entered[k] * t * t
        after = [sum(own.policy[j] * utility[k][j] for j in moves) for k in records]
        for k in records:
            follow[k].learn([mass[k] * after[k], mass[k] * alternative[k]])
        choice.learn([sum(mass) * (after[k] - alternative[k]) for k in records])
        entered = entry()

    def answer() -> None:
        for j in moves:
            move_sum[j] += own.policy[j] * t * t
        own.learn([-sum(mass[k] * entered[k] * utility[k][j] for k in records) for j in moves])

    for t in count(1):
        if t > iterations:
            break
        weight += t * t
        for step in (enter, answer) if enters_first else (answer, enter):
            step()
    return [number / weight for number in move_sum], [number / weight for number in entry_sum]
