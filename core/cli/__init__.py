"""The `wattfront` command: thin, every answer also as JSON."""

from core.cli.entry import main

__all__ = ["main"]
