"""The columns of a stored game, and the tables and views that questions are asked of, see `docs/laboratory.md`."""

from __future__ import annotations

from kagiya.lab.match.packing import MOVE_COLUMNS, OUTCOMES, REGRETS, SOURCE_NAMES
from kagiya.rules import MAX_PLAYERS

FORMAT = 2
MARK = "kagiya results"  # how a store is told from other folders

OVERTIMES = tuple(f"overtime_{seat}" for seat in range(1, MAX_PLAYERS + 1))

# Of a file of games, all of them in each. A game is identified by its seating and its seed.
GAME_COLUMNS = {
    "seating": "INTEGER",
    "seed": "BIGINT",
    **dict.fromkeys(OUTCOMES, "UTINYINT"),
    **dict.fromkeys(REGRETS, "TINYINT"),
    **dict.fromkeys(MOVE_COLUMNS, "UBIGINT"),
    "more_moves": "BLOB",
}
RUN_COLUMNS = {
    "run": "INTEGER",
    "command": "VARCHAR",
    "started": "TIMESTAMP",
    "ended": "TIMESTAMP",
    "outcome": "VARCHAR",
    "computed": "BIGINT",
    "kagiya": "VARCHAR",
    "python": "VARCHAR",
    "numba": "VARCHAR",
    "numpy": "VARCHAR",
    "machine": "VARCHAR",
    "git_commit": "VARCHAR",
    "pid": "INTEGER",
}
# What makes two games with the same seed the same game: rules, who sits where, their code, special terms.
SEATING_COLUMNS = {
    "seating": "INTEGER",
    "rules": "VARCHAR",
    "preset": "VARCHAR",
    "players": "UTINYINT",
    "seats": "VARCHAR[]",
    "team": "VARCHAR",
    "code": "VARCHAR",
    "terms": "VARCHAR",
}
# Which games a run consists of, computed by it or by earlier ones.
PART_COLUMNS = {"run": "INTEGER", "seating": "INTEGER", "first": "BIGINT", "games": "BIGINT"}
CHUNK_COLUMNS = {"seating": "INTEGER", "first": "BIGINT", "games": "BIGINT", "run": "INTEGER", "seconds": "DOUBLE"}
# Games with late moves only.
LATE_COLUMNS = {
    "seating": "INTEGER",
    "seed": "BIGINT",
    **dict.fromkeys(OVERTIMES, "UTINYINT"),
    "forfeited_by": "UTINYINT",
}
TABLES = {
    "run": RUN_COLUMNS,
    "seating": SEATING_COLUMNS,
    "part": PART_COLUMNS,
    "chunk": CHUNK_COLUMNS,
    "late": LATE_COLUMNS,
}


def _total(source: str) -> str:
    return " + ".join(f"{source}_{seat}" for seat in range(1, MAX_PLAYERS + 1)) + f" AS {source}_regret"


VIEWS = (
    f"""CREATE OR REPLACE VIEW games AS
        SELECT seating, preset AS rules, players, team, seats, code, terms, seed, score, points, reachable, lives,
            turns, {", ".join(_total(source) for source in (*SOURCE_NAMES, "indirect"))}, {", ".join(REGRETS)}
        FROM game JOIN seating USING (seating)""",
    """CREATE OR REPLACE VIEW seatings AS
        SELECT seating, preset AS rules, players, team, code, terms, count(*) AS games, min(seed) AS first,
            max(seed) AS last, avg(score) AS mean, stddev_samp(score) / sqrt(count(*)) AS se,
            avg((lives = 0)::INTEGER) AS bomb_rate, avg(turns) AS turns
        FROM game JOIN seating USING (seating) GROUP BY ALL""",
)
