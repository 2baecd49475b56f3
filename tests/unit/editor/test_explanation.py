"""What a name means, what can be written, what is wrong."""

from veil.editor import EditorText, complete, explain, find_problems

RULES = """\
(role ann) (role bob)
(init (step 1)) (succ 1 2) (succ 2 3)
(<= (legal ann (claim ?c)) (true (step ?n)) (succ ?n ?c))
(<= (legal bob wait) (true (step ?n)))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (sees bob (heard ?c)) (does ann (claim ?c)))
(<= terminal (true (step 3)))
(goal ann 50) (goal bob 50)
"""


def explained(word):
    return explain(EditorText(RULES), RULES.index(word))


def test_a_relation_has_its_arguments_with_their_values():
    assert explained("succ") == ("`succ`: a relation with 2 arguments, 2 rules\n- argument 1: 1, 2\n- argument 2: 2, 3")


def test_a_percept_has_the_roles_that_are_told_and_a_move_those_that_choose():
    assert explained("heard") == "`heard`: a percept of bob\n- argument 1: 2, 3"
    assert explained("claim") == "`claim`: a move of ann\n- argument 1: 2, 3"
    assert explained("step").startswith("`step`: a fluent")
    assert explained("ann") == "`ann`: a role"


def test_keywords_and_variables_are_explained_without_a_game():
    broken = EditorText("(<= (legal ann ?m) (true ?m)")
    assert explain(broken, broken.text.index("legal")).startswith("(legal r m)")
    assert explain(broken, broken.text.index("?m")) == "a variable; it stands 2 times in this rule"
    assert explain(broken, broken.text.index("ann")) == ""


def test_completions_are_keywords_names_and_variables_of_the_statement():
    text = EditorText(RULES + "(<= (next (st")
    assert [entry.word for entry in complete(text, len(text.text))] == ["step"]
    text = EditorText(RULES + "(<= (goal ann ?points) (le")
    assert [entry.word for entry in complete(text, len(text.text))] == ["legal"]
    text = EditorText("(<= (p ?one) (q ?o) (r ?x)) (s ?other)")
    assert [entry.word for entry in complete(text, text.text.index("?o)") + 2)] == ["?one"]


def test_problems_are_those_of_the_checker():
    assert find_problems(RULES) == []
    (problem,) = find_problems(RULES.replace("(legal bob", "(legal bop"))
    assert problem.place is not None
    assert (problem.place.line, problem.hint) == (4, "did you mean bob?")
    assert [entry.severity for entry in find_problems("(role ann")] == ["error"]


def test_pogddl_has_its_own_keywords_and_declarations():
    text = "(define (domain d) (:types role) (:constants a - role) (:predicates (whoseturn ?r - role)) (:action :"
    entries = {entry.word for entry in complete(EditorText(text), len(text))}
    assert ":precondition" in entries
    assert "legal" not in {entry.word for entry in complete(EditorText(text + " "), len(text) + 1)}
    assert explain(EditorText(text), text.index("role")) == "`role`: a type"
    assert explain(EditorText(text), text.index(":types")).startswith("(:types a b - c)")
    assert complete(EditorText("; a com"), 7) == []  # nothing to complete in a comment


def test_a_name_that_the_game_does_not_use_is_no_constant():
    text = RULES + "(spare 1)"
    assert explain(EditorText(text), text.index("spare")) == "`spare`: nothing in the game depends on it"
    assert explain(EditorText(RULES), RULES.index("50")) == "`50`: a constant"
