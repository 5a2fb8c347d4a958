"""Game files of this and other programs: one reader, one writer, and a module for each format."""

from kagiya.interop.files.reading import read_games
from kagiya.interop.files.writing import FORMATS, write_games

__all__ = ["FORMATS", "read_games", "write_games"]
