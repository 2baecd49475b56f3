from veil_lab.results.claims.judgement import (
    PAPERS as PAPERS,
    Paper as Paper,
    VerdictRow as VerdictRow,
    judge_paper as judge_paper,
    judge_run as judge_run,
    show_verdicts as show_verdicts,
)
from veil_lab.results.claims.verdicts import VERDICTS as VERDICTS, Claim as Claim, Verdict as Verdict
