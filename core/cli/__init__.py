"""The `wattfront` command, a shell that gives every answer also as JSON."""

from core.cli.entry import main

__all__ = ["main"]
