"""Cases in POGDDL that were worked out by hand: for the slow reader, and for those compared with it."""

from fractions import Fraction

FACTS = "(p a) (p b) (q b) (r a b) (r b c) (= (n a) 1) (= (n b) 2.5) (= (n c) -1) (= (m) 4)"


FORMULAS = [
    ("()", True),
    ("(p a)", True),
    ("(p c)", False),
    ("(and)", True),
    ("(or)", False),
    ("(and (p a) (p b))", True),
    ("(and (p a) (p c))", False),
    ("(or (p c) (p b))", True),
    ("(not (p c))", True),
    ("(imply (p c) (q c))", True),
    ("(imply (p a) (q a))", False),
    ("(exists (?x - thing) (and (p ?x) (q ?x)))", True),
    ("(exists (?x - thing) (and (p ?x) (r ?x c) (not (q ?x))))", False),
    ("(forall (?x - thing) (or (p ?x) (r b ?x)))", True),
    ("(forall (?x - thing) (p ?x))", False),
    ("(forall (?x ?y - thing) (imply (r ?x ?y) (p ?x)))", True),
    ("(exists (?x ?y - thing) (and (r ?x ?y) (r ?y ?x)))", False),
    ("(exists (?x - thing) (forall (?y - thing) (imply (r ?y c) (= ?x ?y))))", True),
    ("(forall (?x - nothing) (p ?x))", True),
    ("(exists (?x - nothing) (p a))", False),
    ("(exists (?x - (either role thing)) (whoseturn ?x))", True),
    ("(= a a)", True),
    ("(= a b)", False),
    ("(= (n a) 1)", True),
    ("(= (n a) (n b))", False),
    ("(> (n b) 2)", True),
    ("(< (n b) 2)", False),
    ("(>= (n b) 2.5)", True),
    ("(<= (n c) -1)", True),
    ("(= (- (n c)) (n a))", True),
    ("(= (+ (n a) (n b) (n c)) 2.5)", True),
    ("(= (- (m) (n a)) (* 2 1.5))", True),
    ("(= (/ (n a) 3) (/ 2 6))", True),
]


EFFECTS = [
    ("()", "(p a) (q b)"),
    ("(p c)", "(p a) (p c) (q b)"),
    ("(not (p a))", "(q b)"),
    ("(and (not (p a)) (p a))", "(p a) (q b)"),
    ("(and (p a) (not (p a)))", "(p a) (q b)"),
    ("(and (not (p a)) (when (p a) (p b)))", "(p b) (q b)"),
    ("(and (p c) (when (p c) (p b)))", "(p a) (p c) (q b)"),
    ("(when (not (p b)) (and (p b) (not (q b))))", "(p a) (p b)"),
    ("(forall (?x - thing) (when (q ?x) (p ?x)))", "(p a) (p b) (q b)"),
    ("(forall (?x - thing) (and (not (p ?x)) (when (p ?x) (q ?x))))", "(q a) (q b)"),
    ("(forall (?x - thing) (when (exists (?y - thing) (and (p ?y) (not (= ?x ?y)))) (q ?x)))", "(p a) (q b) (q c)"),
    ("(when (> (m) 4) (p b))", "(p a) (q b)"),
]


NUMBERS = [
    ("(assign (m) 7)", (7, 1, 2)),
    ("(assign (m) (n b))", (2, 1, 2)),
    ("(and (assign (m) (n b)) (assign (n b) (m)))", (2, 1, 4)),
    ("(and (increase (m) 1) (increase (m) (n b)) (decrease (m) 5))", (2, 1, 2)),
    ("(forall (?x - thing) (when (p ?x) (increase (m) (n ?x))))", (7, 1, 2)),
    ("(and (increase (m) 1) (when (> (m) 4) (assign (n a) 9)))", (5, 1, 2)),
    ("(and (assign (m) 3) (assign (m) 3))", (3, 1, 2)),
    ("(decrease (n a) (/ 1 2))", (4, Fraction(1, 2), 2)),
]


THREE = """(define (domain three) (:types role thing) (:constants ann bob cyd chance - role a b - thing)
    (:predicates (whoseturn ?r - role) (p ?x - thing)) (:action x :parameters (?r - role) :effect {effect}))
    (define (problem three) (:domain three) (:init (whoseturn ann) (p b)))"""


OBSERVATIONS = [
    ("(observe (all (o a)))", "(o a)", "(o a)", "(o a)"),
    ("(observe (ann (o ?r)))", "(o bob)", "", ""),
    ("(observe (?r (o ?r)))", "", "(o bob)", ""),
    ("(observe (?r (o a)) (others (o unknown)))", "(o unknown)", "(o a)", "(o unknown)"),
    ("(observe (ann (o a)) (?r (o b)) (others (o ?)))", "(o a)", "(o b)", "(o ?)"),
    ("(observe (chance (o a)) (others (o b)))", "(o b)", "(o b)", "(o b)"),
    ("(observe (all (o a)) (bob (o b)) (bob (o a)))", "(o a)", "(o a) (o b)", "(o a)"),
    ("(observe (others hello))", "(hello)", "(hello)", "(hello)"),
    ("(and (observe (bob (o a))) (observe (others (o b))))", "(o b)", "(o a) (o b)", "(o b)"),
    ("(and (p a) (when (p a) (observe (all (o a)))))", "", "", ""),
    ("(forall (?x - thing) (when (p ?x) (observe (cyd (o ?x)))))", "", "", "(o b)"),
    ("(forall (?s - role) (when (not (= ?s ?r)) (observe (?s (o ?r)))))", "(o bob)", "", "(o bob)"),
]


GAINS = """(define (domain d) (:types role card) (:constants ann bob chance - role k q - card)
    (:functions (pot)) (:predicates (holds ?r - role ?c - card) (on) (whoseturn ?r - role))
    (:action x :precondition (on) :effect (not (on))) {gains})
    (define (problem p) (:domain d) (:init {init} (holds ann k) (holds bob q) (= (pot) 5)))"""


GAIN_CASES = [
    ("", 0, 0),
    ("(:gain ?p - role 1 (holds ?p k))", 1, 0),
    ("(:gain ?p (pot) (holds ?p k))", 5, 0),
    ("(:gain (?p - role) (/ (pot) 2) (holds ?p q))", 0, Fraction(5, 2)),
    ("(:gain ?p - role 1 (holds ?p k)) (:gain ?p - role (pot) (not (holds ?p q)))", 6, 0),
    ("(:gain ?p - role 1 (exists (?c - card) (holds ?p ?c)))", 1, 1),
    ("(:gain bob 3 (holds ann k))", 0, 3),
    ("(:gain ann bob 2 ())", 2, 2),
    ("(:gain ?p ?o - role 1 (and (holds ?p k) (holds ?o q)))", 1, 1),
    ("(:gain ?p - role 1 (not (holds ?p k)))", 0, 1),
    ("(:gain ?p - role 1 (holds bob k))", 0, 0),
]


GOPS_PROBLEM = """(define (problem two-rounds) (:domain gops)
    (:objects c1 c2 c3 c4 c5 c6 - card h1 h2 k1 k2 b02 - slot)
    (:init (whoseturn chance) (inphase dealing) (current h1) (first p1) (oppof p1 p2) (oppof p2 p1)
        (at c1 dealer) (at c2 dealer) (at c3 dealer) (at c4 dealer) (at c5 dealer) (at c6 dealer)
        (owns p1 h1) (owns p1 h2) (owns p2 k1) (owns p2 k2) (owns chance b01) (owns chance b02)
        (next h2 h1) (next k1 h2) (next k2 k1) (next b01 k2) (next b02 b01) (next b01 b02)
        (lastdeal b02) (lastbid b02) (= (score p1) 0) (= (score p2) 0)
        (= (value c1) 1) (= (value c2) 2) (= (value c3) 3) (= (value c4) 4) (= (value c5) 5) (= (value c6) 6)))"""


ENDGAME_PROBLEM = """(define (problem three-cards) (:domain endgame)
    (:objects c1 c2 c3 - card s1 s2 s3 end - slot)
    (:init (whoseturn chance) (inphase dealing) (current s1) (left s1) (right s3) (first p1) (oppof p1 p2) (oppof p2 p1)
        (succeeds s2 s1) (succeeds s3 s2) (succeeds end s3) (at c1 dealer) (at c2 dealer) (at c3 dealer)
        (= (score p1) 0) (= (score p2) 0) (= (value c1) 1) (= (value c2) 2) (= (value c3) 3)))"""


BATTLESHIP_DOMAIN = """(define (domain battleship) (:types role phase col row ship)
    (:constants p1 p2 - role placing - phase)
    (:action hide :parameters (?p - role ?s - ship ?r - row ?c1 ?c2 - col)
        :precondition (and (whoseturn ?p) (inphase placing) (current ?p ?s) (size2 ?s) (adjacentc ?c1 ?c2))
        :effect (and (increase (nhits ?p ?s) (maxhits ?s)) (not (inphase placing)))))"""
