"""Assertions about what agents see, for tests."""

from kagiya import Agent, Rules
from kagiya.lab.table.inspection import find_peek
from kagiya.lab.table.table import Table


def check_blindness(agent: Agent, rules: Rules, count: int) -> None:
    """The agent does not depend on cards that its seat cannot see, in so many games with itself."""
    check_table(Table(rules, [agent], is_inspected=True), range(count))


def check_table(table: Table, seeds: range) -> None:
    """The same for all agents of a table."""
    peek = find_peek(table, seeds)
    assert peek is None, peek
