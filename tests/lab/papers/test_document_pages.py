"""The pages of documents: what stands where, and that all their links lead somewhere."""

import os
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from kagiya.lab.papers import verdicts
from kagiya.lab.papers.document_pages import all_pages, in_cell, shown_here
from kagiya.lab.papers.documents import MeasuredTables, judge_claim, read_documents
from kagiya.lab.papers.findings import findings_file, findings_pages, read_findings
from kagiya.lab.papers.measurement import TableResults
from kagiya.lab.papers.paper_tables import PaperTable, shipped_tables
from tests.children import PROJECT
from tests.lab.papers.test_documents import HEAD, compared, item, keep, project

__all__ = ["project"]  # the fixture
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
PAGE, INDEX = "docs/papers/somebody.md", "docs/papers/README.md"
LARGE = verdicts.SIZES[-1]


@cache
def shipped_pages() -> dict[str, str]:
    return all_pages(PROJECT) | findings_pages(PROJECT)


def slug(heading: str) -> str:
    """The anchor that GitHub gives to a heading."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {slug(heading) for heading in headings} | set(re.findall(r'<a id="([^"]+)"></a>', text))


def text_at(path: Path, pages: dict[str, str]) -> str | None:
    """A page as it is written now, or a file of the project; None if there is none."""
    name = os.path.relpath(path, PROJECT)
    if name in pages:
        return pages[name]
    return path.read_text(encoding="utf-8") if path.is_file() and not name.startswith("..") else None


def broken_links(name: str, pages: dict[str, str]) -> Iterator[str]:
    for link in LINK.findall(pages[name]):
        if re.match(r"\w+:", link):
            continue
        target, _, anchor = link.partition("#")
        text = text_at((PROJECT / name).parent / target if target else PROJECT / name, pages)
        if text is None or (anchor and anchor not in anchors(text)):
            yield link


@pytest.mark.parametrize("name", shipped_pages())
def test_every_link_of_a_page_leads_somewhere(name: str) -> None:
    assert list(broken_links(name, shipped_pages())) == []


def test_a_broken_link_is_found() -> None:
    text = (
        "## A heading, or two\n[a](#a-heading-or-two) [b](#nowhere) [c](../search.md) [d](../lost.md) [e](http://x.y)"
    )
    assert list(broken_links(PAGE, {PAGE: text})) == ["#nowhere", "../lost.md"]


def test_links_of_other_pages_to_these_lead_somewhere() -> None:
    pages = shipped_pages()
    for path in [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]:
        for target, anchor in re.findall(r"\]\((?:docs/)?(papers/[\w-]+\.md)(?:#([^)]*))?\)", path.read_text()):
            text = pages[f"docs/{target}"]
            assert not anchor or anchor in anchors(text), f"{path.name} links to {target}#{anchor}"


def unexplained(table: PaperTable) -> Iterator[str]:
    """The rows without a note whose score is off by more than half a point."""
    for cell, distance in verdicts.distances(table, TableResults.read(PROJECT, table.name)):
        is_score = cell.column.quantity.kind == verdicts.SCORE.kind
        if is_score and abs(distance.difference) > LARGE and not cell.row.note:
            yield f"{table.name}: {cell.row.label}, {cell.column.name} ({distance.difference:+.2f})"


def test_a_row_that_is_far_off_says_why() -> None:
    missing = [line for table in shipped_tables().values() if not table.own for line in unexplained(table)]
    assert missing == [], "\n".join(["rows without a note:", *missing])


def written(project: Path, text: str) -> dict[str, str]:
    (project / "reproductions/documents/somebody.toml").write_text(text)
    return all_pages(project)


def test_a_page_says_what_waits_what_cannot_be_played_and_what_is_quoted(project: Path) -> None:
    keep(project, good=10.0)
    page = written(project, HEAD)[PAGE]
    waits, unplayable, quoted = (
        page.index(words) for words in ("Waiting (`kagiya reproduce one`", "Cannot be played here", "not ours to build")
    )
    assert waits < page.index("| bad | `random` | 2 2.0; 2, perfect 0; 2, worst 9; 2, time 1 |") < unplayable
    assert unplayable < page.index("| dream | `dreamer`; dreamer is not built yet | 2 25.0; 3 25.0") < quoted
    assert "| quote | 2 24.0; 3 24.0 |" in page[quoted:]
    assert "| cells | 11 | 3 | 3 | 0 | 5 |" in page  # the quoted cells are not ours


def test_a_note_is_found_from_the_row(project: Path) -> None:
    keep(project, good=12.0)
    table = project / "reproductions/one.toml"
    table.write_text(table.read_text().replace('agent = "careful"', 'agent = "careful"\nnote = "see [it](x.md#y)"'))
    page = written(project, HEAD)[PAGE]
    assert "**differs by +2.000** [note 1](#one-note-1) |" in page
    assert '- <a id="one-note-1"></a>**note 1, good**: see [it](../x.md#y)' in page


def test_what_several_rows_say_is_noted_once(project: Path) -> None:
    keep(project, good=12.0, bad=5.0)
    table = project / "reproductions/one.toml"
    text = re.sub('(agent = "(careful|random|dreamer)")', r'\1\nnote = "same"', table.read_text())
    table.write_text(text.replace('"dreamer"\nnote = "same"', '"dreamer"\nnote = "other"'))
    page = written(project, HEAD)[PAGE]
    for row in ("good", "bad"):
        assert re.search(rf"^\| {row} .*differs by .* \[note 1\]\(#one-note-1\) \|$", page, re.MULTILINE)
    assert page.count("same") == page.count('<a id="one-note-1">') == 1
    assert "**note 1, good; bad**: same" in page
    assert "**note 2, dream**: other" in page
    assert "| dream [note 2](#one-note-2) |" in page


def test_a_heading_holds_until_the_next_or_a_table(project: Path) -> None:
    keep(project, good=10.0, bad=2.0)
    rules = item("definition", 'text = "The rules."', 'code = ["kagiya.rules:Rules"]')
    head, table = HEAD.split("\n\n")
    first = rules.replace("text", 'heading = "4 Rules and play"\ntext')
    table = table.replace("section", 'heading = "4 Scores"\nsection')
    page = written(project, "\n".join([head, "", first, compared(), rules, table, "", compared()]))[PAGE]
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == ["4 Rules and play", "4 Scores", "4"]
    assert "`one`: A table. Somebody 2020, Table 1." in page
    inside = page[page.index("## 4 Rules") : page.index("## 4 Scores")]
    assert (inside.count("The rules."), inside.count("Good is better.")) == (2, 1)


def test_headings_of_the_shipped_pages_are_short_and_lead_to_one_place() -> None:
    for name, text in shipped_pages().items():
        headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
        assert [heading for heading, times in Counter(headings).items() if times > 1] == [], name
        assert "findings" in name or [heading for heading in headings if len(heading) > 80] == [], name


def test_a_claim_says_nothing_twice_in_the_same_words() -> None:
    measured = MeasuredTables(PROJECT)
    claims = [item for each in read_documents(PROJECT, measured.tables).values() for item in each.items]
    claims += [each.claim for each in read_findings(findings_file(), measured.tables)]
    for claim in claims:
        if claim.is_measured:
            labels = Counter((each.rows, each.column) for each in judge_claim(claim, measured).findings)
            assert [label for label, times in labels.items() if times > 1] == [], claim.text


def test_pages_are_mentioned_by_links() -> None:
    for name, text in shipped_pages().items():
        assert re.findall(r"(?<!/)docs/\w+\.md", text) == [], name


def test_items_stand_in_their_order_and_claims_in_one_table(project: Path) -> None:
    keep(project, good=10.0, bad=2.0)
    rules = item("definition", 'text = "The rules."', 'code = ["kagiya.rules:Rules"]', 'differs = "A token more."')
    head, table = HEAD.split("\n\n")
    pages = written(project, f"{head}\n{rules}{table}{compared()}" + compared(expected='"lower"', by='"8"'))
    page = pages[PAGE]
    assert page.index("## 4\n") < page.index("## Table 1: A table\n") < page.index("## 4 (2)\n")
    assert "[`rules:Rules`](../../src/kagiya/rules.py)" in page
    assert "**Where ours differs**: A token more." in page
    assert "| Good is better. | 4 | good - bad, higher: 2 +8.00 ± 0.28 | holds | 100 |" in page
    assert "| good - bad, lower by 8: **2 +8.00 ± 0.28** | **does not hold** | 100 |" in page
    assert "| claims | 2 | 1 | 1 | 0 | 0 |" in page
    assert "| [somebody](somebody.md) | 2 | 1 | 1 | 0 | 0 |" in pages[INDEX]


def test_a_judged_claim_shows_what_it_rests_on(project: Path) -> None:
    claim = item("claim", 'text = "a|b"', 'judged = "cannot say"', 'evidence = "no\\nfigure"', 'note = "why"')
    page = written(project, HEAD + claim)[PAGE]
    assert "| a\\|b<br>*Note*: why | 4 | judged: no figure | cannot say |  |" in page


def test_a_table_that_does_not_count_is_shown_and_left_out_of_the_sums(project: Path) -> None:
    keep(project, good=10.0)
    table = project / "reproductions/one.toml"
    table.write_text(f"counted = false\n{table.read_text()}")
    pages = written(project, HEAD)
    assert "| cells | 0 | 0 | 0 | 0 | 0 |" in pages[PAGE]
    assert "Somebody 2020, Table 1; not in the sums | 11 | 3 |" in pages[INDEX]
    assert "| all |  | 0 | 0 |" in pages[INDEX]


def test_a_question_of_our_own_may_stand_on_a_page(project: Path) -> None:
    pages = written(project, HEAD + item("table", 'table = "own"'))
    assert '<a id="own"></a>' in pages[PAGE]
    assert "| good | `careful` | not measured |" in pages[PAGE]
    assert "own" not in pages[INDEX].split("## All tables")[1]


def test_the_shipped_pages_have_a_summary_and_every_table() -> None:
    pages = shipped_pages()
    names = ("README", "goodman", "brooks", "rallabhandi", "bouzy", "others")
    assert set(pages) == {*(f"docs/papers/{name}.md" for name in names), "docs/findings.md"}
    for name, table in shipped_tables().items():
        homes = [page for page, text in pages.items() if f'<a id="{name}"></a>' in text]
        assert len(homes) == 1 or (table.own and not homes)
        assert table.own or f"]({Path(homes[0]).name}#{name})" in pages[INDEX]


def test_links_are_seen_from_one_folder_below() -> None:
    assert shown_here("[a](search.md#x) [b](../c.md) [d](#e) [f](https://g)") == (
        "[a](../search.md#x) [b](../c.md) [d](#e) [f](https://g)"
    )
    assert in_cell("one\n two | three") == "one two \\| three"
