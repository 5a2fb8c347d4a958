"""``python -m kagiya`` is the command."""

from kagiya.cli import main

main()
