"""`wattfront generate -o OUT`: a random system; every parameter of `Generation` is a flag."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeVar, get_args

from core import InvalidInput
from core.files.samples.generate import (
    POWER_METHODS,
    TIME_METHODS,
    Consistency,
    Generation,
    Spread,
    bounds,
    generate,
)
from core.shells.cli.answer import Answer
from core.shells.cli.outputs import OUT_HELP, written
from core.shells.settings.numbers import number_within, whole_within
from core.vocabulary.problems import Problem
from core.vocabulary.ranges import Range
from core.vocabulary.say.words import typed

Generator = TypeVar("Generator")

USUAL: Final = Generation()
USUAL_TIMES: Final = next(
    name for name, kind in TIME_METHODS.items() if isinstance(USUAL.etc, kind)
)


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="OUT", help=OUT_HELP)
    for name, allowed in bounds(Generation).items():
        usual = getattr(USUAL, name)
        _add_number(parser, name, allowed, type(usual), f"default {typed(usual)}", usual)
    _add_choice(parser, "spread", get_args(Spread), USUAL.spread, "of counts over types")
    _add_choice(parser, "consistency", get_args(Consistency), USUAL.consistency, "of times")
    _add_choice(parser, "etc", tuple(TIME_METHODS), USUAL_TIMES, "how times are drawn")
    _add_parameters(parser, "etc", TIME_METHODS)
    _add_choice(parser, "apc", tuple(POWER_METHODS), None, "how powers are drawn")
    _add_parameters(parser, "apc", POWER_METHODS)


def run(arguments: argparse.Namespace) -> Answer:
    wanted = Generation(
        etc=_chosen("etc", TIME_METHODS, arguments) or USUAL.etc,
        apc=_chosen("apc", POWER_METHODS, arguments),
        consistency=arguments.consistency,
        spread=arguments.spread,
        **{name: getattr(arguments, name) for name in bounds(Generation)},
    )
    return written(generate(wanted), arguments.output)


def _add_choice(
    parser: argparse.ArgumentParser,
    name: str,
    choices: tuple[str, ...],
    usual: str | None,
    meaning: str,
) -> None:
    parser.add_argument(
        f"--{name}",
        choices=choices,
        default=usual,
        help=f"{meaning}: {', '.join(choices)} (default {usual or 'none at all'})",
    )


def _add_parameters(
    parser: argparse.ArgumentParser, table: str, methods: Mapping[str, type[Any]]
) -> None:
    """A flag for each parameter of any of the methods, `--etc-low` for instance."""
    for name in _parameters(methods):
        users = {method: kind for method, kind in methods.items() if name in bounds(kind)}
        usual = [
            f"{method}, default {typed(getattr(kind(), name))}" for method, kind in users.items()
        ]
        allowed = bounds(next(iter(users.values())))[name]
        _add_number(parser, f"{table}_{name}", allowed, float, f"for {'; for '.join(usual)}", None)


def _add_number(
    parser: argparse.ArgumentParser,
    name: str,
    allowed: Range,
    number: type,
    usual: str,
    default: float | None,
) -> None:
    parser.add_argument(
        _flag(name),
        type=whole_within(allowed) if number is int else number_within(allowed),
        default=default,
        metavar="N" if number is int else "X",
        help=f"{allowed} ({usual})",
    )


def _chosen(
    table: str, methods: Mapping[str, type[Generator]], arguments: argparse.Namespace
) -> Generator | None:
    """The method for a table, with the parameters that were given; None if none was chosen."""
    method = getattr(arguments, table)
    kind = methods[method] if method else None
    values = {name: getattr(arguments, f"{table}_{name}") for name in _parameters(methods)}
    given = {name: value for name, value in values.items() if value is not None}
    own = bounds(kind) if kind else {}
    foreign = [_flag(f"{table}_{name}") for name in given if name not in own]
    if foreign:
        fault = (
            f"is not for --{table} {method}; leave it out" if method else f"needs --{table}, too"
        )
        raise InvalidInput(Problem("", "", "", f"{flag} {fault}") for flag in foreign)
    return kind(**given) if kind else None


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _parameters(methods: Mapping[str, type[Any]]) -> list[str]:
    return list(dict.fromkeys(name for kind in methods.values() for name in bounds(kind)))
