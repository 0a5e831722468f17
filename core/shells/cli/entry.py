"""Runs a command line: an answer on standard output and an exit status, never a traceback.

A command is a module with `declare(parser)` and `run(arguments) -> Answer`: one of
`core.shells.cli.commands`, or the module `command` of a capability. It is imported when it is used,
so that `wattfront --help` does not wait for the solvers.
"""

import argparse
import io
import json
import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from secrets import token_hex
from types import ModuleType
from typing import Final, NamedTuple, NoReturn

from core import InvalidInput
from core.engines.compute.blas import ONE_THREAD
from core.shells.cli.answer import BROKEN, INTERRUPTED, OUTPUT_LOST, PIPE_CLOSED, SUCCESS, Answer
from core.shells.registry import capabilities
from core.vocabulary.problems import Problem

BEFORE: Final = {
    "check": "what a system is, or every problem of its files",
}
AFTER: Final = {
    "report": "a study file as one page to read, print and send",
    "verify": "whether a schedule is one of a system, or an outcome one of a workload",
    "generate": "a random system of any size",
    "convert": "a system in another format",
    "samples": "the systems that come with Wattfront",
    "reproduce": "tables and figures of the publications, computed again",
    "dashboard": "all of this in the browser",
}
JSON_FLAG: Final = "--json"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status says how it went (see `core.shells.cli.answer`)."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names may be in any script
    for name, one in ONE_THREAD.items():
        os.environ.setdefault(name, one)  # no command has loaded numpy yet
    words = sys.argv[1:] if argv is None else list(argv)
    try:
        answer = _answer(words)
    except InvalidInput as invalid:
        answer = Answer.refusal(invalid.problems)
    except KeyboardInterrupt:
        answer = Answer.refusal([Problem("", "", "", "interrupted")], INTERRUPTED)
    except Exception as failure:  # the last resort: only this place may catch all errors
        answer = Answer.refusal([_apology(failure)], BROKEN)
    return _say(answer, as_json=JSON_FLAG in words)


def _answer(words: list[str]) -> Answer | None:
    """The answer; None if help was printed instead."""
    renamed = {one.formerly: one.command or "" for one in capabilities() if one.formerly}
    words = [*(renamed.get(word, word) for word in words[:1]), *words[1:]]
    try:
        arguments = _parser(words).parse_args(words)
    except SystemExit:
        return None
    answer: Answer = all_commands()[arguments.command].module().run(arguments)
    return answer


class _Parser(argparse.ArgumentParser):
    """A parser that reports a wrong command line as `InvalidInput`."""

    def error(self, message: str) -> NoReturn:
        raise InvalidInput([Problem("", "", "", f"{message}; see {self.prog} --help")])


def _parser(words: list[str]) -> argparse.ArgumentParser:
    """The parser; it has arguments only for those commands whose names are among the words."""
    parser = _Parser(
        prog="wattfront",
        description="Schedules for heterogeneous clusters, with proofs of how good they are.",
        epilog="Every command answers in words, or with --json as one JSON object.",
        allow_abbrev=False,
    )
    version = _version() if "--version" in words else ""
    parser.add_argument("--version", action="version", version=f"wattfront {version}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (summary, module) in all_commands().items():
        command = commands.add_parser(
            name, help=summary, description=f"{summary}.".capitalize(), allow_abbrev=False
        )
        if name in words:
            module().declare(command)
            for one in (command, *_kinds_of(command)):
                one.add_argument(
                    JSON_FLAG, action="store_true", help="print one JSON object and nothing else"
                )
    return parser


def _kinds_of(command: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parsers of the kinds of a command that has kinds."""
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.values()


def _version() -> str:
    from importlib import metadata  # which takes a while

    return metadata.version("wattfront")


class Command(NamedTuple):
    summary: str
    module: Callable[[], ModuleType]


def all_commands() -> dict[str, Command]:
    """The commands of capabilities, between the general ones before and after them."""
    of_capabilities = {
        one.command: Command(one.summary, partial(one.part, "command"))
        for one in capabilities()
        if one.command
    }
    of_capabilities |= {
        further.word: Command(further.summary, partial(one.part, further.module))
        for one in capabilities()
        for further in one.further
    }
    return _of_the_house(BEFORE) | of_capabilities | _of_the_house(AFTER)


def _of_the_house(commands: Mapping[str, str]) -> dict[str, Command]:
    return {
        name: Command(summary, partial(import_module, f"core.shells.cli.commands.{name}"))
        for name, summary in commands.items()
    }


def _say(answer: Answer | None, *, as_json: bool) -> int:
    """Print the answer; returns the exit status."""
    try:
        if answer is not None:
            sys.stderr.writelines(f"{problem}\n" for problem in answer.problems)
            text = json.dumps(answer.data, allow_nan=False) if as_json else answer.text
            if text:
                sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except OSError as error:
        # Otherwise Python would report the same error again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return PIPE_CLOSED
        sys.stderr.write(f"error: standard output cannot be written: {error.strerror}\n")
        return OUTPUT_LOST
    return SUCCESS if answer is None else answer.status


def _apology(failure: Exception) -> Problem:
    """The problem for an error of Wattfront itself; the traceback goes into a log file."""
    identifier = token_hex(4)
    report = "".join(traceback.format_exception(failure))
    where = "run it again with WATTFRONT_DEBUG=1 to see where"
    if os.environ.get("WATTFRONT_DEBUG") == "1":
        sys.stderr.write(report)
        where = "the traceback is above"
    else:
        log = Path(tempfile.gettempdir(), f"wattfront-{identifier}.log")
        with suppress(OSError), log.open("x", encoding="utf-8", errors="replace") as stream:
            stream.write(report)
            where = f"details are in {log}"
    return Problem(
        "", "", "", f"sorry, this is an error of Wattfront (failure {identifier}); {where}"
    )
