import re
from pathlib import Path

from kagiya import __version__, find_agent
from kagiya.lab.papers.bibliography import bibliography_page, sources, sources_of
from tests.cli.command import run


def test_agents_inside_parameters_are_cited_too() -> None:
    agents = [find_agent("depth-one(evaluator=smartbot)"), find_agent("careful")]
    assert [source.key for source in sources_of(agents)] == ["Kagiya", "Bouzy2017", "Quuxplusone"]


def test_bibtex_is_balanced_and_names_every_source_once() -> None:
    printed = run("cite").stdout
    assert printed.count("{") == printed.count("}")
    assert re.findall(r"^@\w+\{(.+),$", printed, re.MULTILINE) == ["Kagiya", *sources()]


UNPUBLISHED = {"Rallabhandi2018"}  # a report for a course; no place of it is known


def test_every_work_is_cited_with_its_doi_or_where_it_is() -> None:
    assert {key for key, source in sources().items() if bool(source.doi) == bool(source.url)} == UNPUBLISHED
    printed = run("cite", "iggi", "smartbot").stdout
    assert "  doi = {10.1109/CEC.2017.7969465},\n" in printed
    assert "  url = {https://github.com/Quuxplusone/Hanabi},\n" in printed


def test_the_page_names_authors_as_they_are_written() -> None:
    page = bibliography_page()
    assert "| Canaan2018 | R. Canaan et al., [*Evolving Agents" in page
    assert "A. Lerer, H. Hu, J. Foerster and N. Brown, [*Improving" in page
    assert "M. van den Bergh, A. Hommelberg" in page


def test_the_citation_file_names_this_version() -> None:
    text = (Path(__file__).parents[3] / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (\S+)$", text, re.MULTILINE)[1] == __version__  # type: ignore[index]
