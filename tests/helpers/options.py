"""The options of a command, as its help has them."""

from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any


def options(declare: Callable[[ArgumentParser], None]) -> dict[str, tuple[Any, bool]]:
    """For each option and argument its choices, or else the name of its value; and whether it must
    be given. Each is explained.
    """
    parser = ArgumentParser(add_help=False)
    declare(parser)
    found = {}
    for action in parser._actions:
        assert action.help, action
        name = action.option_strings[-1] if action.option_strings else action.dest
        found[name] = (tuple(action.choices or ()) or action.metavar, action.required)
    return found
