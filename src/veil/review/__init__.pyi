from veil.review.aims import AIMS as AIMS, TuningAim as TuningAim, read_aim as read_aim
from veil.review.comparison import compare_reviews as compare_reviews
from veil.review.dead_rules import find_dead_rules as find_dead_rules
from veil.review.game_review import (
    Review as Review,
    ReviewConfig as ReviewConfig,
    review_game as review_game,
)
from veil.review.headline import Scale as Scale, goal_scale as goal_scale
from veil.review.playability import (
    Soundness as Soundness,
    judge_soundness as judge_soundness,
)
from veil.review.random_games import RandomTally as RandomTally, tally_random_games as tally_random_games
from veil.review.silent_rules import (
    WatchedRules as WatchedRules,
    find_silent_rules as find_silent_rules,
    place_of_rule as place_of_rule,
    watch_rules as watch_rules,
)
from veil.review.tuner import (
    TuneConfig as TuneConfig,
    TuneWorkers as TuneWorkers,
    Tuning as Tuning,
    tune as tune,
)
from veil.review.tuning_page import make_tuning_page as make_tuning_page
from veil.review.tuning_store import TuningStore as TuningStore
from veil.review.turn_markers import find_idle_markers as find_idle_markers
from veil.review.variant_play import VariantConfig as VariantConfig
from veil.review.variations import (
    Variation as Variation,
    VariedGame as VariedGame,
    open_varied as open_varied,
    read_variation as read_variation,
)
from veil.review.verdict import GameVerdict as GameVerdict, find_verdict as find_verdict
