"""The sources of the agents: as a page, and as BibTeX."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from kagiya.agents.api import Agent
from kagiya.lab.provenance import VERSION

OURS = "Kagiya"
WHERE_FIELDS = {"inproceedings": "booktitle", "mastersthesis": "school", "misc": "howpublished"}
HEAD = """# Bibliography

Written by `kagiya dev report` from `src/kagiya/lab/papers/bibliography.toml`; do not edit. The keys are those of
`AgentInfo.paper`. `kagiya cite smartbot vdb` prints what belongs into a paper about these agents.

| key | work |
|---|---|
"""


@dataclass(frozen=True)
class Publication:
    """One work."""

    key: str
    type: str
    authors: str
    title: str
    year: str
    where: str = ""
    note: str = ""
    doi: str = ""
    url: str = ""  # where there is no DOI

    def bibtex(self) -> str:
        """The entry, ready to be pasted."""
        fields = {
            "author": self.authors,
            "title": f"{{{self.title}}}",
            WHERE_FIELDS[self.type]: self.where,
            "year": self.year,
            "note": self.note,
            "doi": self.doi,
            "url": self.url,
        }
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
        return "\n".join([f"@{self.type}{{{self.key},", *lines, "}"])

    def words(self) -> str:
        """The work in one line of Markdown."""
        names = [" ".join(reversed(name.split(", "))) for name in self.authors.split(" and ")]
        last = " et al." if names[-1] == "others" else f" and {names[-1]}" if len(names) > 1 else ""
        first = ", ".join(names[:-1] if len(names) > 1 else names)
        thesis = "MSc thesis, " if self.type == "mastersthesis" else ""
        place = f"https://doi.org/{self.doi}" if self.doi else self.url
        title = f"[*{self.title}*]({place})" if place else f"*{self.title}*"
        parts = [f"{first}{last}", title, f"{thesis}{self.where}", self.year]
        return ", ".join(part for part in parts if part) + (f"; {self.note}" if self.note else "")


@cache
def sources() -> dict[str, Publication]:
    """Every work by its key."""
    text = resources.files("kagiya.lab.papers").joinpath("bibliography.toml").read_text(encoding="utf-8")
    return {key: Publication(key, **fields) for key, fields in tomllib.loads(text).items()}


def kagiya_source() -> Publication:
    """Kagiya itself."""
    title = "Kagiya: a workshop for Hanabi players"
    return Publication(OURS, "misc", "{The Kagiya founders}", title, "2026", note=f"program, version {VERSION}")


def sources_of(agents: list[Agent]) -> list[Publication]:
    """Kagiya, and the works that these agents and those inside their parameters come from."""
    keys = {agent.info.paper for each in agents for agent in (each, *each.models)}
    return [kagiya_source(), *(source for key, source in sources().items() if key in keys)]


def bibliography_page() -> str:
    """The whole page."""
    rows = {key: source.words() for key, source in sources().items()} | {OURS: "ours"}
    return HEAD + "\n".join(f"| {key} | {rows[key]} |" for key in sorted(rows)) + "\n"
