"""The `wattfront` command, a shell that gives every answer also as JSON."""

from core.shells.cli.entry import main

__all__ = ["main"]
