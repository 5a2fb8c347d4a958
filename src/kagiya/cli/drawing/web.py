"""What the web table's bench found, beside what was promised."""

from __future__ import annotations

from kagiya.cli.drawing.page import Part
from kagiya.cli.drawing.table import Column, Kind, Table
from kagiya.dev.bench_web import WebReport


def draw_web(report: WebReport) -> list[Part]:
    """A row for each promise."""
    table = Table([Column("measured", Kind.LABEL), Column("found"), Column("at most")], title="The web table")
    for row in _rows(report):
        table.add(*row)
    return [table]


def _rows(report: WebReport) -> list[tuple[str, str, str]]:
    tables = f"{report.tables} tables"
    return [
        ("move answered, one table, 95 %", _ms(report.one_table_95), ""),
        (f"move answered, {tables}, 95 %", _ms(report.all_tables_95), "100 ms"),
        (f"{tables} / one table", f"{report.crowd_ratio:.1f}", "10"),
        ("with two searches / without", f"{report.search_ratio:.1f}", "3"),
        ("CPU per move", _ms(report.cpu_per_move), "3 ms"),
        ("memory per table", f"{report.table_bytes / 1000:.0f} kB", "250 kB"),
        ("first load", f"{report.first_load_bytes / 1000:.0f} kB", "100 kB"),
        (f"memory after {report.opened:,} tables left", f"{report.growth:+.1%}", "+10.0%"),
        ("loop held, 99 %", _ms(report.held_idle_99), "100 ms"),
        ("loop held, two searches", _ms(report.held_searching_99), "100 ms"),
        ("loop held, a Python agent", _ms(report.held_python_99), "100 ms"),
        ("loop held, the compiler", _ms(report.held_compiling_99), "100 ms"),
        ("stop answered", _ms(report.stop), "50 ms"),
    ]


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms"
