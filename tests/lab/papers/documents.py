"""Documents for tests."""

from pathlib import Path


def write_document(folder: Path, *tables: str) -> None:
    """A document that consists of tables of the project."""
    path = folder / "reproductions/documents/somebody.toml"
    path.parent.mkdir(exist_ok=True)
    items = [f'[[items]]\nkind = "table"\nsection = "Table 1"\ntable = "{name}"\n' for name in tables]
    path.write_text('title = "Somebody 2020"\nintro = "A document."\n' + "".join(items))
