"""Online search: functions from (machine, belief, budget, random numbers) to values of moves."""
