from veil.review.dead_rules import find_dead_rules as find_dead_rules
from veil.review.game_review import (
    Review as Review,
    ReviewConfig as ReviewConfig,
    review_game as review_game,
)
from veil.review.playability import (
    Soundness as Soundness,
    judge_soundness as judge_soundness,
)
from veil.review.random_games import RandomTally as RandomTally, tally_random_games as tally_random_games
from veil.review.silent_rules import find_silent_rules as find_silent_rules, place_of_rule as place_of_rule
from veil.review.turn_markers import find_idle_markers as find_idle_markers
from veil.review.verdict import GameVerdict as GameVerdict, find_verdict as find_verdict
