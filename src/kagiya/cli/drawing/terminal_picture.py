"""What a terminal would show as an SVG picture that loads nothing from elsewhere: the README's pictures are made so."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console, RenderableType
from rich.terminal_theme import MONOKAI

WIDTH = 96

# rich's own frame names fonts to be fetched from the web.
FRAME = """\
<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
    <style>
    .{unique_id}-matrix {{
        font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace;
        font-size: {char_height}px;
        line-height: {line_height}px;
    }}
    .{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
    {styles}
    </style>
    <defs>
    <clipPath id="{unique_id}-clip-terminal">
    <rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
    </clipPath>
    {lines}
    </defs>
    {chrome}
    <g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
    {backgrounds}
    <g class="{unique_id}-matrix">
    {matrix}
    </g>
    </g>
</svg>
"""


def recording_console() -> Console:
    """A console that keeps what is printed on it, in color."""
    return Console(file=io.StringIO(), record=True, width=WIDTH, force_terminal=True, color_system="truecolor")


def write_terminal_picture(path: Path, title: str, shown: RenderableType) -> None:
    """Draw what a terminal would show of this."""
    console = recording_console()
    console.print(shown)
    console.save_svg(str(path), title=title, theme=MONOKAI, code_format=FRAME, unique_id="kagiya")
