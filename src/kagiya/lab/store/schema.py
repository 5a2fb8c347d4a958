"""The columns of a stored game, and the tables and views that questions are asked of, see `docs/laboratory.md`."""

from __future__ import annotations

from kagiya.lab.match.packing import (
    MOVE_BITS,
    MOVE_COLUMNS,
    MOVES_PER_WORD,
    OUTCOMES,
    PACKED_MOVES,
    REGRETS,
    SOURCE_NAMES,
)
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


# As people read them: what ends the game at once is a bomb.
READ_AS = {"end": "bomb"}


def _total(sources: tuple[str, ...], name: str) -> str:
    """The regret of all seats from some sources."""
    added = " + ".join(f"{source}_{seat}" for source in sources for seat in range(1, MAX_PLAYERS + 1))
    return f"{added} AS {name}_regret"


def _regret_columns() -> str:
    totals = [_total((source,), READ_AS.get(source, source)) for source in SOURCE_NAMES]
    totals += [_total(SOURCE_NAMES, "direct"), _total(("indirect",), "indirect")]
    totals += [_total((*SOURCE_NAMES, "indirect"), "total")]
    seats = [name.split("_") for name in REGRETS]
    return ", ".join([*totals, *(f"{source}_{seat} AS {READ_AS.get(source, source)}_{seat}" for source, seat in seats)])


def _move() -> str:
    """The number of the move that was made in a turn, counted from 1, out of the words it is packed in."""
    word = f"[{', '.join(MOVE_COLUMNS)}][(turn - 1) // {MOVES_PER_WORD} + 1]"
    packed = f"{word} >> {MOVE_BITS} * ((turn - 1) % {MOVES_PER_WORD})::INTEGER & {(1 << MOVE_BITS) - 1}"
    late = f"('0x' || substr(hex(more_moves), 2 * (turn - {PACKED_MOVES}) - 1, 2))::INTEGER"
    return f"CASE WHEN turn <= {PACKED_MOVES} THEN {packed} ELSE {late} END"


# An agent that was edited plays under another code. What people ask about is the code that played last; the games of
# the others are in the views that end in _all.
VIEWS = (
    """CREATE OR REPLACE VIEW age AS
        SELECT seating, max(started) AS date, row_number() OVER (
            PARTITION BY any_value(rules), any_value(team), any_value(terms)
            ORDER BY max(coalesce(part.run, 0)) DESC, seating DESC) = 1 AS newest
        FROM seating LEFT JOIN part USING (seating) LEFT JOIN run ON run.run = part.run
        WHERE seating IN (SELECT seating FROM chunk) GROUP BY seating""",
    f"""CREATE OR REPLACE VIEW games_all AS
        SELECT seating, preset AS rules, players, team, seats, code, newest, terms, seed, score, points, reachable,
            lives, turns, {_regret_columns()}
        FROM game JOIN seating USING (seating) JOIN age USING (seating)""",
    """CREATE OR REPLACE VIEW seatings_all AS
        SELECT seating, preset AS rules, players, team, code, newest, date, terms, count(*) AS games,
            min(seed) AS first, max(seed) AS last, avg(score) AS mean, stddev_samp(score) / sqrt(count(*)) AS se,
            avg((lives = 0)::INTEGER) AS bomb_rate, avg(turns) AS turns
        FROM game JOIN seating USING (seating) JOIN age USING (seating) GROUP BY ALL""",
    f"""CREATE OR REPLACE VIEW moves_all AS
        SELECT seating, newest, seed, turn, ({_move()})::UTINYINT AS move
        FROM (SELECT *, unnest(range(1, turns::BIGINT + 1)) AS turn FROM game) JOIN age USING (seating)""",
    "CREATE OR REPLACE VIEW games AS SELECT * EXCLUDE (newest) FROM games_all WHERE newest",
    "CREATE OR REPLACE VIEW seatings AS SELECT * EXCLUDE (newest) FROM seatings_all WHERE newest",
    "CREATE OR REPLACE VIEW moves AS SELECT * EXCLUDE (newest) FROM moves_all WHERE newest",
)
