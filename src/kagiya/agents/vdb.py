"""Van den Bergh's player as the competition framework has it: the one of Goodman's tables; and a second form.

Source
    van den Bergh et al. 2016, as built by Walton-Rivers et al. 2017 in the competition framework. `vdb` is its
    "vdb-paper": hint rule 3 of the original, tell about cards that fit, else the hint that is most news.
    `vdb-useless` is its "vdb": hint rule 4, which tells about useless cards before that. `vdbergh` is the original.
Published
    Goodman 2019, Table III (paper; Table IV of the report): 13.8, 17.7, 17.2, 16.3 for 2-5 players, points kept. The
    text names the framework's player without saying which of the two; only hint rule 3 gives these scores.
    Walton-Rivers et al. validate theirs with 16.95 for three players, which is the score with `forgets_own=yes`, the
    defect of their first program (the table `walton-rivers`). By the rules listed in their paper that is
    `vdb-useless`, by the fit `vdb`.
Where the source is silent
    Of equally likely slots the last is taken, and of equally large hints the one to the lowest seat, as in the
    framework. If nothing applies (all tokens there, everything known), a random legal move.
"""

from kagiya.agents.rule_list import framework_agent

VDB = framework_agent(
    "vdb",
    "plays what probably fits, tells what fits or is most news, discards what is likely useless",
    "play-probably-safe(0.6, lives=2)",
    "play-safe",
    "discard-probably-useless(1)",
    "tell-playable",
    "tell-most-new",
    "discard-probably-useless(0)",
    paper="Goodman2019",
)

VDB_USELESS = framework_agent(
    "vdb-useless",
    "vdb that tells about useless cards as well",
    "play-probably-safe(0.6, lives=2)",
    "play-safe",
    "discard-probably-useless(1)",
    "tell-playable",
    "tell-useless",
    "tell-most-new",
    "discard-probably-useless(0)",
)
