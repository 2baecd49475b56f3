"""Information sets as answer sets of a logic program."""
