"""A planted unfair game: the hider wins 87.5 of 100; a limit of 6 makes it 52.5 (7/8 of 9/15)."""

PLANTED = """
;;; boxes: one hides a coin in one of eight boxes, the other opens one. A die with 15 faces saves the seeker, if it
;;; shows no more than `limit`. With limit 0 the hider wins 87.5 of 100.
(role random) (role hider) (role seeker)
(init (step 1))
(box 1) (box 2) (box 3) (box 4) (box 5) (box 6) (box 7) (box 8)
(limit 0)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
(succ 8 9) (succ 9 10) (succ 10 11) (succ 11 12) (succ 12 13) (succ 13 14) (succ 14 15)
(<= (face ?n) (succ ?m ?n))
(<= (at_most ?n ?n) (face ?n))
(<= (at_most ?n ?l) (at_most ?n ?m) (succ ?m ?l))
(<= (legal random (roll ?n)) (true (step 2)) (face ?n))
(<= (legal random wait) (true (step 1)))
(<= (legal hider (hide ?b)) (true (step 1)) (box ?b))
(<= (legal hider wait) (true (step 2)))
(<= (legal seeker wait) (true (step 1)))
(<= (legal seeker (open ?b)) (true (step 2)) (box ?b))
(<= (next (step 2)) (true (step 1)))
(<= (next (step 3)) (true (step 2)))
(<= (next (in ?b)) (does hider (hide ?b)))
(<= (next saved) (does seeker (open ?b)) (true (in ?b)))
(<= (next saved) (does random (roll ?n)) (limit ?l) (at_most ?n ?l))
(<= terminal (true (step 3)))
(<= (goal hider 100) (not (true saved)))
(<= (goal hider 0) (true saved))
(<= (goal seeker 100) (true saved))
(<= (goal seeker 0) (not (true saved)))
"""
