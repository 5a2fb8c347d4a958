"""Documents as data: what their files may not say, and the verdicts of their claims."""

import math
import re
from pathlib import Path

import pytest

from kagiya.lab.papers.documents import (
    CellsTest,
    ClaimVerdict,
    Document,
    JudgedClaim,
    MeasuredTables,
    code_path,
    judge_claim,
    overall_verdict,
    read_documents,
)
from kagiya.lab.papers.measurement import Measured, PairedTest, TableResults
from kagiya.lab.papers.paper_tables import Estimate, TableError, shipped_tables

HOLDS, DOES_NOT_HOLD, CANNOT_SAY, WAITING = ClaimVerdict
GAMES = 100
MADE = {"command": "kagiya reproduce", "date": "2026-01-01", "kagiya": "0", "numba": "0", "commit": "abc"}
TABLE = """
title = "A table"
document = "Somebody 2020"
table = "Table 1"
rules = "standard"
planned = ["dreamer"]
columns = [
    { name = "2", players = 2 },
    { name = "3", players = 3 },
    { name = "2, perfect", players = 2, quantity = "share", points = 25 },
    { name = "2, worst", players = 2, quantity = "share", points = 0 },
    { name = "2, time", players = 2, quantity = "cpu seconds" },
]

[[rows]]
label = "good"
agent = "careful"
printed = ["10.0", "11.0", "1", "0", ""]

[[rows]]
label = "bad"
agent = "random"
printed = ["2.0", "", "0", "9", "1"]

[[rows]]
label = "dream"
agent = "dreamer"
printed = ["25.0", "25.0", "100", "", ""]

[[rows]]
label = "quote"
agent = "somebody-elses"
quoted = true
printed = ["24.0", "24.0", "", "", ""]
"""
OWN = """
title = "A question"
document = "Ours"
table = "none"
rules = "standard"
own = true
columns = [{ name = "2", players = 2 }]
rows = [{ label = "good", agent = "careful" }, { label = "twice", agent = "careful", players = [2, 3] }]
"""
HEAD = """
title = "Somebody 2020"
intro = "A document."

[[items]]
kind = "table"
section = "Table 1"
table = "one"
"""
CLAIM = '[[items]]\nkind = "claim"\nsection = "4"\ntext = "Good is better."\n'
COMPARED = '{ table = "one", row = "good", against = "bad", columns = ["2"], expected = "higher" }'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "reproductions/documents").mkdir(parents=True)
    (tmp_path / "reproductions/one.toml").write_text(TABLE)
    (tmp_path / "reproductions/own.toml").write_text(OWN)
    return tmp_path


def read(project: Path, text: str) -> Document:
    (project / "reproductions/documents/somebody.toml").write_text(text)
    return read_documents(project, MeasuredTables(project).tables)["somebody"]


def compared(**changes: str) -> str:
    """A claim with one comparison; values are TOML, None leaves a key out."""
    keys = {"table": '"one"', "row": '"good"', "against": '"bad"', "columns": '["2"]', "expected": '"higher"'}
    inside = ", ".join(f"{key} = {value}" for key, value in {**keys, **changes}.items() if value)
    return f"{CLAIM}comparisons = [{{ {inside} }}]\n"


def item(kind: str, *lines: str) -> str:
    return "\n".join(["[[items]]", f'kind = "{kind}"', 'section = "4"', *lines, ""])


MISTAKES = {
    'nonsense = 1\ntitle = "x"\nintro = "x"\n': "no key 'nonsense' in a document",
    'title = "x"\n': "missing.* 'intro'",
    'title = x"': "is not TOML",
    HEAD + item("sentence", 'text = "x"'): "an item is a table, figure, .* not a 'sentence'",
    HEAD + item("table", 'table = "two"'): "no table 'two'; there are one, own",
    HEAD + item("table"): "which table",
    HEAD + item("table", 'table = "one"', 'judged = "holds"'): "a table has no judged",
    HEAD + item("table", 'tabel = "one"'): "no key 'tabel' in a documentitem; did you mean table",
    HEAD + item("figure"): "say what it is",
    HEAD + item("definition", 'text = "x"'): "where it is in the `code`",
    HEAD + item("definition", 'text = "x"', 'code = ["kagiya.nothing"]'): "no module 'kagiya.nothing'",
    HEAD + item("definition", 'text = "x"', 'code = ["os.path"]'): "no module 'os.path'",
    HEAD
    + item("algorithm", 'text = "x"', 'code = ["kagiya.rules:Rule"]'): "does not define 'Rule'; did you mean Rules",
    HEAD + CLAIM: "needs comparisons, cells, or `judged`",
    HEAD + item("claim", 'judged = "holds"', 'evidence = "x"'): "say what is claimed",
    HEAD + CLAIM + 'judged = "holds"\n': "`judged` needs `evidence`",
    HEAD + CLAIM + 'judged = "true"\nevidence = "x"\n': "judged is one of holds, does not hold, cannot say, not 'true'",
    HEAD + CLAIM + 'judged = "waiting"\nevidence = "x"\n': "judged is one of",
    HEAD + CLAIM + f'judged = "holds"\nevidence = "x"\ncomparisons = [{COMPARED}]\n': "leave out `judged`",
    HEAD + compared(table='"two"'): "no table 'two'",
    HEAD + compared(row='"goood"'): "one has no row 'goood'; did you mean good",
    HEAD + compared(against='"worse"'): "one has no row 'worse'",
    HEAD + compared(against='"worse"', columns=""): "one has no row 'worse'",
    HEAD + compared(columns='["4"]'): "one has no column '4'",
    HEAD + compared(columns='["3"]'): "nothing in row 'bad' and column '3'",
    HEAD + compared(expected='"better"'): "expected is one of higher, lower, no difference, not higher, not 'better'",
    HEAD + compared(against=""): "compared with what",
    HEAD + compared(column='"2"'): "either `column` or `columns`",
    HEAD + compared(other_column='"3"'): "`other_column` goes with `column`",
    HEAD + compared(columns=""): "score and share in one comparison; name the columns",
    HEAD + compared(columns='["2, time"]', row='"bad"', against_table='"one"'): "cannot be tested",
    HEAD + compared(table='"own"', row='"twice"', against='"good"'): "has 2 rows 'twice'",
    HEAD + compared(colums='["2"]'): "no key 'colums' in a claimcomparison",
    HEAD + CLAIM + 'cells = [{ table = "one", row = "good", column = "5" }]\n': "no column '5'",
    HEAD + CLAIM + 'cells = [{ table = "own", row = "good", column = "2" }]\n': "nothing is printed in own, good, 2",
    HEAD + CLAIM + 'differing = [{ table = "one", row = "good", column = "5" }]\n': "no column '5'",
    HEAD + CLAIM + 'whole = ["two"]\n': "no table 'two'",
    HEAD + CLAIM + 'whole = ["own"]\n': "nothing is printed in own",
    HEAD + CLAIM + 'judged = "holds"\nevidence = "x"\nwhole = ["one"]\n': "leave out `judged`",
    HEAD + item("table", 'table = "one"'): "one stands 2 times, in somebody, somebody",
    HEAD + 2 * item("figure", 'table = "own"'): "own stands 2 times",
    'title = "x"\nintro = "x"\n': "the table one stands on no page",
}


@pytest.mark.parametrize("text", MISTAKES, ids=list(MISTAKES.values()))
def test_a_mistake_is_refused(project: Path, text: str) -> None:
    with pytest.raises(TableError, match=MISTAKES[text]):
        read(project, text)


def test_a_table_must_not_stand_on_two_pages(project: Path) -> None:
    (project / "reproductions/documents/other.toml").write_text(HEAD)
    with pytest.raises(TableError, match="one stands 2 times, in other, somebody"):
        read(project, HEAD)


def test_a_document_says_all_that_it_may(project: Path) -> None:
    definition = item("definition", 'text = "x"', 'code = ["kagiya.rules:Rules.caption", "kagiya.engine.layout"]')
    document = read(project, HEAD + definition + item("figure", 'text = "no data"') + compared())
    assert [each.kind for each in document.items] == ["table", "definition", "figure", "claim"]
    assert document.items[1].code[1] == "kagiya.engine.layout"
    assert document.tables == ["one"]


def test_a_table_of_our_own_named_after_a_document_stands_on_its_page(project: Path) -> None:
    (project / "reproductions/somebody-asks.toml").write_text(OWN)
    assert read(project, HEAD).tables == ["one", "somebody-asks"]
    first = item("table", 'table = "somebody-asks"')
    assert read(project, HEAD.replace("[[items]]", f"{first}[[items]]")).tables == ["somebody-asks", "one"]


def test_code_is_found_without_importing_it() -> None:
    assert code_path("kagiya.search.ismcts") == "search/ismcts.py"
    assert code_path("kagiya.lab.papers") == "lab/papers/__init__.py"
    assert code_path("kagiya.lab.papers.documents:JudgedClaim.verdict") == "lab/papers/documents.py"


def test_the_documents_that_come_with_kagiya_are_valid() -> None:
    """Every published table stands on exactly one page, or this fails."""
    tables = shipped_tables()
    documents = read_documents(Path("no project"), tables)
    shown = [name for document in documents.values() for name in document.tables]
    assert {name for name in shown if not tables[name].own} == {n for n, table in tables.items() if not table.own}


def test_a_project_without_documents_has_one_page_of_all_its_tables(project: Path) -> None:
    (project / "reproductions/documents").rmdir()
    documents = read_documents(project, MeasuredTables(project).tables)
    assert [(name, document.tables) for name, document in documents.items()] == [("tables", ["one"])]


def keep(project: Path, **scores: float) -> TableResults:
    """Results of the table `one`: means of the runs of 2 players by row, and of 3 players by row and 3."""
    table, results = MeasuredTables(project).tables["one"], TableResults.read(project, "one")
    for cell in table.cells():
        key = cell.row.label + ("3" if cell.run.players == 3 else "")
        if key in scores:
            share = {"share of 25 points": Estimate(scores.get(f"{key}_share", 0.0), 0.0, GAMES)}
            share["share of 0 points"] = Estimate(0.0, 0.0, GAMES)
            estimates = {"score": Estimate(scores[key], 2.0, GAMES), **share}
            results.runs[cell.run] = Measured(cell.run, GAMES, 1, MADE, estimates)
    results.write(table)
    return results


def judged(project: Path, text: str) -> JudgedClaim:
    claim = read(project, HEAD + text).items[-1]
    return judge_claim(claim, MeasuredTables(project))


@pytest.mark.parametrize(
    ("good", "expected", "verdict"),
    [
        (3.0, "higher", HOLDS),
        (3.0, "lower", DOES_NOT_HOLD),
        (3.0, "no difference", DOES_NOT_HOLD),
        (2.1, "higher", CANNOT_SAY),
        (2.1, "lower", CANNOT_SAY),
        (2.1, "no difference", HOLDS),
        (2.1, "not higher", HOLDS),
        (3.0, "not higher", DOES_NOT_HOLD),
        (1.0, "not higher", HOLDS),
    ],
)
def test_a_comparison_by_means_and_deviations(project: Path, good: float, expected: str, verdict: str) -> None:
    keep(project, good=good, bad=2.0)
    found = judged(project, compared(expected=f'"{expected}"'))
    assert (found.verdict, found.text) == (verdict, verdict)
    (finding,) = found.findings
    error = 2 * math.sqrt(2 / GAMES)
    limit = f", at most {good - 2 + 2.5758 * error:+.2f}" if expected == "not higher" else ""
    assert finding.text == f"{good - 2:+.2f} ± {error:.2f}{limit}"
    assert (finding.title, finding.column, found.games_text) == (f"good - bad, {expected}", "2", "100")


@pytest.mark.parametrize(("row", "against", "sign"), [("good", "bad", 1), ("bad", "good", -1)])
def test_a_pair_on_common_decks_is_preferred_whichever_way_it_is_asked(
    project: Path, row: str, against: str, sign: int
) -> None:
    results, table = keep(project, good=2.1, bad=2.0), MeasuredTables(project).tables["one"]
    cells = table.by_place()
    results.pairs[cells["good", "2"].run, cells["bad", "2"].run] = PairedTest(60, 1, 0.1, 0.02, 1e-5)
    results.write(table)
    expected = "higher" if sign > 0 else "lower"
    found = judged(project, compared(row=f'"{row}"', against=f'"{against}"', expected=f'"{expected}"'))
    assert (found.verdict, found.games_text) == (HOLDS, "60")
    assert found.findings[0].text == f"{0.1 * sign:+.2f} ± 0.02 paired"
    share = judged(project, compared(row=f'"{row}"', against=f'"{against}"', columns='["2, perfect"]'))
    assert "paired" not in share.findings[0].text  # the pair compares scores


def test_a_claim_waits_for_what_is_ours_to_measure(project: Path) -> None:
    assert judged(project, compared()).verdict == WAITING
    keep(project, good=3.0)
    found = judged(project, compared())
    assert (found.verdict, found.findings[0].text, found.games_text) == (WAITING, "waiting", "")


@pytest.mark.parametrize(("against", "why"), [("dream", "cannot be played"), ("quote", "only quoted")])
def test_nothing_can_be_said_of_what_is_not_ours_or_cannot_be_played(project: Path, against: str, why: str) -> None:
    found = judged(project, compared(against=f'"{against}"', columns='["2"]'))
    assert (found.verdict, found.findings[0].text) == (CANNOT_SAY, why)


def test_of_several_columns_it_says_in_how_many_the_claim_holds(project: Path) -> None:
    keep(project, good=3.0, bad=2.0, good3=1.0)
    other = '{{ table = "one", row = "good", column = "2", other_column = "3", expected = "{}" }}'
    first = COMPARED.replace("{", "{{").replace("}", "}}")
    claim = f"{CLAIM}comparisons = [{first}, {other}]\n"
    found = judged(project, claim.format("higher"))
    assert (found.verdict, found.text) == (HOLDS, "holds (2 of 2)")
    assert found.findings[1].column == "2 - 3"
    found = judged(project, claim.format("lower"))
    assert (found.verdict, found.text) == (DOES_NOT_HOLD, "does not hold (holds in 1 of 2)")


def test_printed_figures_are_claims_too(project: Path) -> None:
    cells = CLAIM + 'cells = [{ table = "one", row = "good", column = "2" }]\n'
    assert judged(project, cells).verdict == WAITING
    keep(project, good=10.0)
    found = judged(project, cells)
    assert (found.verdict, found.findings[0].text) == (HOLDS, "10.00 ± 0.20, printed 10.0")
    keep(project, good=11.0)
    assert judged(project, cells).verdict == DOES_NOT_HOLD


def test_a_claim_may_be_that_a_printed_figure_is_not_reached(project: Path) -> None:
    cells = CLAIM + 'differing = [{ table = "one", row = "good", column = "2" }]\n'
    assert judged(project, cells).verdict == WAITING
    keep(project, good=11.0)
    found = judged(project, cells)
    assert (found.verdict, found.findings[0].title) == (HOLDS, "good, differs from print")
    keep(project, good=10.0)
    assert judged(project, cells).verdict == DOES_NOT_HOLD


def test_a_claim_may_be_that_a_whole_table_agrees(project: Path) -> None:
    whole = CLAIM + 'whole = ["one"]\n'
    keep(project, good=10.0, good3=11.0)
    found = judged(project, whole)
    assert (found.verdict, found.findings[0].text) == (WAITING, "4 of 11 within 3 s.e., 0 of 1 rows off")
    keep(project, good=10.0, good3=12.0)
    assert judged(project, whole).verdict == DOES_NOT_HOLD


def test_rows_of_one_name_in_two_tables_name_these(project: Path) -> None:
    (project / "reproductions/two.toml").write_text(f"own = true\n{re.sub('printed = .*', '', TABLE)}")
    again = COMPARED.replace('"one"', '"two"')
    found = judged(project, f"{CLAIM}comparisons = [{COMPARED}, {again}]\n")
    titles = ["good (one) - bad (one), higher", "good (two) - bad (two), higher"]
    assert [each.title for each in found.findings] == titles
    apart = COMPARED.replace('"bad"', '"good", against_table = "two"')
    found = judged(project, f"{CLAIM}comparisons = [{apart}]\n")
    assert [(each.title, each.column) for each in found.findings] == [("good (one) - good (two), higher", "2")]


def test_rows_in_different_columns_name_these(project: Path) -> None:
    keep(project, good=3.0, bad=2.0, good3=1.0)
    found = judged(project, compared(row='"bad"', against='"good"', columns="", column='"2"', other_column='"3"'))
    assert [(each.title, each.column) for each in found.findings] == [("bad [2] - good [3], higher", "")]


def test_numbers_of_the_same_games_are_compared_with_the_errors_added(project: Path) -> None:
    keep(project, good=3.0, good_share=9.0)
    found = judged(project, compared(against="", columns="", column='"2, perfect"', other_column='"2, worst"'))
    assert (found.verdict, found.findings[0].text) == (HOLDS, "+9.00 ± 2.00")  # each has the error of one game in 100


def test_games_that_all_came_out_alike_are_not_taken_for_exact(project: Path) -> None:
    keep(project, good=3.0, bad=2.0, good_share=1.0)
    found = judged(project, compared(columns='["2, perfect"]'))
    assert found.verdict == CANNOT_SAY
    assert found.findings[0].text == f"+1.00 ± {math.sqrt(2):.2f}"


def test_a_judged_claim_keeps_its_verdict(project: Path) -> None:
    found = judged(project, CLAIM + 'judged = "cannot say"\nevidence = "the document does not say which"\n')
    assert (found.verdict, found.text, found.findings) == (CANNOT_SAY, "cannot say", ())


def test_one_finding_against_a_claim_is_enough() -> None:
    assert overall_verdict([HOLDS, WAITING, CANNOT_SAY, DOES_NOT_HOLD]) == DOES_NOT_HOLD
    assert overall_verdict([HOLDS, WAITING, CANNOT_SAY]) == WAITING
    assert overall_verdict([HOLDS, CANNOT_SAY]) == CANNOT_SAY
    assert overall_verdict([HOLDS, HOLDS]) == HOLDS


def test_a_small_error_is_worth_more_decimals() -> None:
    assert CellsTest(0.0123, 0.0012, 0.0, (10,)).text == "+0.0123 ± 0.0012"
