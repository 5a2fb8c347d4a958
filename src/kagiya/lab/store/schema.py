"""The tables of the store. A game is identified by its seating and its seed, see `docs/laboratory.md`."""

from __future__ import annotations

from kagiya.lab.match.packing import MOVE_COLUMNS, OUTCOMES, REGRETS, SOURCE_NAMES
from kagiya.rules import MAX_PLAYERS

FORMAT = 1
MARK = "kagiya results"  # how a store is told from other DuckDB files

OVERTIMES = tuple(f"overtime_{seat}" for seat in range(1, MAX_PLAYERS + 1))

# Said once here instead of tried out for every row group: it saves a third of the time that storing takes.
SMALL, AS_IT_IS = "USING COMPRESSION bitpacking", "USING COMPRESSION uncompressed"
_OUTCOMES = ", ".join(f"{name} UTINYINT {SMALL}" for name in OUTCOMES)
_MOVES = ", ".join(f"{name} UBIGINT DEFAULT 0 {AS_IT_IS}" for name in MOVE_COLUMNS)
_REGRETS = ", ".join(f"{name} TINYINT DEFAULT 0 {SMALL}" for name in REGRETS)

TABLES = (
    "CREATE TABLE about (mark VARCHAR, format INTEGER)",
    f"INSERT INTO about VALUES ('{MARK}', {FORMAT})",
    "CREATE SEQUENCE run_ids",
    "CREATE SEQUENCE seating_ids",
    """CREATE TABLE run (
        run INTEGER PRIMARY KEY, command VARCHAR, started TIMESTAMP, ended TIMESTAMP, outcome VARCHAR,
        computed BIGINT, kagiya VARCHAR, python VARCHAR, numba VARCHAR, numpy VARCHAR, machine VARCHAR,
        git_commit VARCHAR, pid INTEGER)""",
    # What makes two games with the same seed the same game: rules, who sits where, their code, special terms.
    """CREATE TABLE seating (
        seating INTEGER PRIMARY KEY, rules VARCHAR, preset VARCHAR, players UTINYINT, seats VARCHAR[],
        team VARCHAR, code VARCHAR, terms VARCHAR, UNIQUE (rules, team, code, terms))""",
    # Which games a run consists of, computed by it or by earlier ones.
    "CREATE TABLE part (run INTEGER, seating INTEGER, first BIGINT, games BIGINT)",
    # A chunk is here if and only if its games are: both come in one transaction.
    """CREATE TABLE chunk (
        seating INTEGER, first BIGINT, games INTEGER, run INTEGER, seconds DOUBLE,
        PRIMARY KEY (seating, first))""",
    f"""CREATE TABLE game (
        seating INTEGER {SMALL}, seed BIGINT {SMALL}, {_OUTCOMES}, {_REGRETS}, {_MOVES}, more_moves BLOB)""",
    # Games with late moves only.
    f"CREATE TABLE late (seating INTEGER, seed BIGINT, {', '.join(f'{n} UTINYINT' for n in OVERTIMES)},"
    " forfeited_by UTINYINT)",
)


def _total(source: str) -> str:
    return " + ".join(f"{source}_{seat}" for seat in range(1, MAX_PLAYERS + 1)) + f" AS {source}_regret"


VIEWS = (
    f"""CREATE VIEW games AS
        SELECT seating, preset AS rules, players, team, seats, code, terms, seed, score, points, reachable, lives,
            turns, {", ".join(_total(source) for source in (*SOURCE_NAMES, "indirect"))}, {", ".join(REGRETS)}
        FROM game JOIN seating USING (seating)""",
    """CREATE VIEW seatings AS
        SELECT seating, preset AS rules, players, team, code, terms, count(*) AS games, min(seed) AS first,
            max(seed) AS last, avg(score) AS mean, stddev_samp(score) / sqrt(count(*)) AS se,
            avg((lives = 0)::INTEGER) AS bomb_rate, avg(turns) AS turns
        FROM game JOIN seating USING (seating) GROUP BY ALL""",
)
