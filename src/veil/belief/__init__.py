"""What a role can know: the histories that explain what it was told, each with its probability.

Every belief keeps to one small protocol (`protocol.Belief`): it hears what the role did and saw, round by round, and
gives worlds. None of them ever sees the true state.
"""
