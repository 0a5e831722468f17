"""Placeholders in a shell command: `render --frame {index} > "frames of {task_type}"`.

The values are never put into the command. Scripts set them as variables, and each placeholder
becomes a reference to its variable, quoted as its place demands. So the shell cannot take a value
for a part of the command, whatever characters it has.
"""

import re
from typing import Final

from core.files.findings import shown

VARIABLES: Final = {
    "task_type": "WATTFRONT_TASK_TYPE",
    "index": "WATTFRONT_INDEX",
    "machine": "WATTFRONT_MACHINE",
    "seconds": "WATTFRONT_SECONDS",
}
"""The placeholders and the variables of the environment that have their values."""

NAMES: Final = ("task_type", "machine")
"""Placeholders whose values are texts of other people; the others are numbers."""

_PLACEHOLDER: Final = re.compile(r"(?<![$%#@{\\])\{([A-Za-z_][A-Za-z0-9_]*)\}")
_READS_ALL: Final = re.compile(r"(?<![\w./-])(?:eval|ssh|let)(?![\w./=-])|\$\[")
_READS_QUOTED: Final = re.compile(
    r"(?<![\w.-])(?:(?:ba|da|k|z|fi)?sh|su|python[\d.]*|perl|ruby|node|julia|Rscript|[gm]?awk|sed"
    r"|xargs|parallel)(?![\w.=-])"
)
_READS_FIRST: Final = re.compile(
    r"(?<![\w./-])(?:declare|typeset|local|readonly|export|unset|read|mapfile|readarray|trap|alias"
    r"|source|(?:test|printf) -v)(?![\w./=-])|\[\[? -v|(?<!\S)\.(?!\S)"
)
_COMPARES: Final = re.compile(r"(?<!\S)-(?:eq|ne|[lg][te])(?!\S)")
_OPENS: Final = (
    ("$((", "arithmetic"),
    ("$(", "substitution"),
    ("${", "parameter"),
    ("`", "backquotes"),
    ('"', "double"),
)
_OPENS_OUTSIDE_QUOTES: Final = (
    ("$'", "escaped"),
    ("((", "arithmetic"),
    ("'", "single"),
    ("(", "substitution"),
)
_CLOSES: Final = {
    "single": "'",
    "escaped": "'",
    "double": '"',
    "arithmetic": "))",
    "group": ")",
    "substitution": ")",
    "parameter": "}",
    "backquotes": "`",
}
_NUMBERS_ONLY: Final = {
    "arithmetic": "an arithmetic expression",
    "group": "an arithmetic expression",
    "parameter": "${...}",
    "backquotes": "backquotes",
}


class UnusableCommand(ValueError):
    """A command that cannot be filled in; the message says why, and the remedy."""


def as_script(command: str) -> str:
    r"""The command with references to variables in place of its placeholders.

    Raises `UnusableCommand` for unknown placeholders, for quotation marks that are not closed, and
    for placeholders in places where the shell reads a value as code. Comments, and braces after one
    of `$ % # @ { \`, stay as they are.
    """
    return _Reader(command).script()


def read_as_code(command: str) -> list[tuple[str, str]]:
    """Placeholders of names that another program would read as code, each with that program.

    The shell hands a name over whole, but `ssh` and `eval` read all their words once more, `sh -c`,
    `awk` and the like read words in quotation marks, `export` and the like read a word from its
    beginning, and `-eq` reads an expression on both sides.
    """
    reader = _Reader(command)
    reader.script()
    compares = _COMPARES.findall(command)
    found = []
    for name, context, before in reader.places:
        if name not in NAMES:
            continue
        programs = [*compares, *_READS_ALL.findall(before)]
        if context in ("single", "double", "escaped"):
            programs += _READS_QUOTED.findall(before)
        if before.rstrip("\"'")[-1:].isspace():
            programs += _READS_FIRST.findall(before)
        found += [(name, program) for program in programs[-1:]]
    return found


class _Reader:
    """Reads a command from left to right, and knows in which quotation marks it is."""

    def __init__(self, command: str) -> None:
        self._text = command
        self._open: list[str] = []
        self._parts: list[str] = []
        self._after_here_document = False
        self._command = 0
        self.places: list[tuple[str, str, str]] = []
        """The name of each placeholder, what is open there, and its command up to it."""

    def script(self) -> str:
        position = 0
        while position < len(self._text):
            position = self._step(position)
        if self._open:
            mark = {"escaped": "$'", "substitution": "("}.get(
                self._open[-1], _CLOSES[self._open[-1]]
            )
            raise UnusableCommand(
                f"{mark} is opened, but not closed; close it, or put a backslash before it"
            )
        return "".join(self._parts)

    def _step(self, position: int) -> int:
        """Copy one mark, character or placeholder; returns where the next begins."""
        context = self._open[-1] if self._open else ""
        placeholder = _PLACEHOLDER.match(self._text, position)
        if placeholder:
            self._parts.append(self._reference(placeholder, context))
            return placeholder.end()
        length = self._mark(position, context)
        self._parts.append(self._text[position : position + length])
        return position + length

    def _mark(self, position: int, context: str) -> int:
        """The length of the mark at a position, which may open or close something."""
        text = self._text
        closing = _CLOSES.get(context)
        if closing and text.startswith(closing, position):
            self._open.pop()
            return len(closing)
        if context == "single":
            return 1
        if text[position] == "\\":
            if position + 1 == len(text):
                raise UnusableCommand("ends with a backslash; remove it")
            return 2
        if context == "escaped":
            return 1
        if context in ("arithmetic", "group") and text[position] == "(":
            self._open.append("group")
            return 1
        if context == "backquotes":
            return 1
        outside = not {"double", "arithmetic", "group", "parameter"} & set(self._open[-1:])
        if outside and text[position] in ";|&(\n":
            self._command = position
        for mark, opened in (*_OPENS, *(_OPENS_OUTSIDE_QUOTES if outside else ())):
            if text.startswith(mark, position):
                self._open.append(opened)
                return len(mark)
        if outside and text[position] == "#" and _begins_word(text, position):
            end = text.find("\n", position)
            return (end if end >= 0 else len(text)) - position
        if outside and text.startswith("<<<", position):
            return 3
        if outside and text.startswith("<<", position):
            self._after_here_document = True
        return 1

    def _reference(self, placeholder: re.Match[str], context: str) -> str:
        said, name = placeholder[0], placeholder[1]
        if name not in VARIABLES:
            known = ", ".join(f"{{{one}}}" for one in VARIABLES)
            raise UnusableCommand(
                f"{shown(said)} is not a placeholder; give one of {known}, or put a space after "
                "the brace if it is a part of the command"
            )
        variable = VARIABLES[name]
        if self._after_here_document:
            raise UnusableCommand(f"{said} comes after <<; write ${{{variable}}} there")
        if name in NAMES and context in _NUMBERS_ONLY:
            raise UnusableCommand(
                f"{said} is in {_NUMBERS_ONLY[context]}, where a shell may run a name as code; put "
                "it elsewhere"
            )
        if name in NAMES and re.search(r"\w\[$", self._text[: placeholder.start()]):
            raise UnusableCommand(
                f"{said} is an index in brackets, where a shell may run a name as code; put it "
                "elsewhere"
            )
        self.places.append((name, context, self._text[self._command : placeholder.start()]))
        if context == "single":
            return f"'\"${{{variable}}}\"'"
        if context == "escaped":
            return f"'\"${{{variable}}}\"$'"
        if context == "double" or context in _NUMBERS_ONLY:
            return f"${{{variable}}}"
        return f'"${{{variable}}}"'


def _begins_word(text: str, position: int) -> bool:
    return not position or text[position - 1] in " \t\n;&|("
