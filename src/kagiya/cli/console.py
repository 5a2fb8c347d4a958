"""The two places that every command writes to: results on `out`, all else (progress, complaints) on `err`."""

from rich.console import Console

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)
