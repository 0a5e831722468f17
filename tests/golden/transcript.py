"""What was typed in an empty folder, and all that came of it, as one text.

`$ wattfront ...` is a command, with what it printed; `+ name` is a file that it wrote or changed,
with its content, members of archives one by one. JSON and markup are broken into lines. What is
longer than `limit` stands there as a digest, its numbers rounded to 9 digits before.
"""

import io
import json
import math
import os
import re
import zipfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from unittest.mock import patch

from core.shells.cli import main

LIMIT: Final = 20_000
"""Characters that are worth reading in a diff."""

ROOT: Final = Path(__file__).parents[2]
NUMBER: Final = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]?\d+)?")
_AMOUNT: Final = r"\d[\d.,]*(?:e-?\d+)? (?:ns|µs|ms|s|min|h|d)\b"
_LASTING: Final = re.compile(f"{_AMOUNT}(?: {_AMOUNT})*")
_TIMINGS: Final = (
    re.compile(r'"(?:seconds|took|versions)": \{[^{}]*\}'),
    re.compile(r'"seconds": \d+\.\d{6,}(?:e-\d+)?'),
    re.compile(r'"seconds_per_event": [\d.e+-]+'),
    re.compile(r"^  took  .*$", re.M),
    re.compile(r"<t[hd][^<>]*>(?:Took|Versions)</t[hd]>\s*<td[^<>]*>[^<>]*</td>"),
)
_PROCESSORS: Final = re.compile(r"(how many threads to use \(default )\d+")
_LAST_DIGITS: Final = 1e-9
_SEARCHED: Final = re.compile(r'\s*"(?:bound|worth_share)": ')
"""The bound on the worth is part of these numbers. Its search for prices ends near the best ..."""
_SEARCH_ENDS: Final = 1e-5
"""... within this share of it: the last digits of sums, so the processor, decide where."""


def masked(text: str) -> str:
    """Without what differs from run to run and computer to computer: how long it took, versions of
    libraries, the number of processors, and where the samples lie.
    """
    for timing in _TIMINGS:
        text = timing.sub(_without_amounts, text)
    return _PROCESSORS.sub(r"\1N", text).replace(str(ROOT), "ROOT")


def _without_amounts(timing: re.Match[str]) -> str:
    said = _LASTING.sub("_", timing[0])
    return re.sub(r'(?<=": )(?:[\d.e+-]+|"[^"]*")|\b\d+(?:\.\w+)+', "_", said)


class Transcript:
    def __init__(self, whole: bool = False) -> None:
        self.limit = LIMIT
        self._whole = whole
        self._parts: list[str] = []
        self._files: dict[str, str] = {}
        self._folder = Path()

    @property
    def text(self) -> str:
        return "\n".join(self._parts) + "\n"

    def run(self, *words: object) -> None:
        """Run a command, which was typed in the folder of this transcript."""
        line = [str(word) for word in words]
        with TerminalOf(self._folder) as said:
            status = main(line)
        self._parts.append(f"$ wattfront {' '.join(line)}")
        self._say(said.err, "! ")
        self._say(as_lines(said.out), "")
        if status:
            self._parts.append(f"= exit status {status}")
        self._tell_files()

    def both(self, *words: object) -> None:
        """In words, and as JSON."""
        self.run(*words)
        self.run(*words, "--json")

    def say(self, title: str, text: str) -> None:
        """What did not come of a command."""
        self._parts.append(f"# {title}")
        self._say(f"{text}\n", "")

    def tell(self, name: str, content: bytes) -> None:
        """A file that did not come of a command."""
        for member, text in told(name, content).items():
            self._tell(member, text)

    def write(self, name: str, content: str | bytes) -> None:
        """A file as somebody might have written it."""
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        self._files = dict(self._contents())

    def read(self, name: str) -> bytes:
        return (self._folder / name).read_bytes()

    def __enter__(self) -> "Transcript":
        self._temporary = TemporaryDirectory()
        self._folder = Path(self._temporary.name)
        return self

    def __exit__(self, *_: object) -> None:
        self._temporary.cleanup()

    def _say(self, text: str, before: str) -> None:
        said = masked(text).replace(str(self._folder), "FOLDER")
        if len(said) > self.limit and not self._whole:
            said = f"{digest(said)}\n"
        *lines, rest = said.replace("\r", "\\r").split("\n")
        self._parts += [f"{before}{line}" for line in lines]
        if rest:
            self._parts += [f"{before}{rest}", "\\ without an end of line"]

    def _tell_files(self) -> None:
        found = dict(self._contents())
        for name, content in found.items():
            if self._files.get(name) != content:
                self._tell(name, content)
        self._files = found

    def _tell(self, name: str, content: str) -> None:
        self._parts.append(f"+ {name}")
        self._say(content, "")

    def _contents(self) -> Iterator[tuple[str, str]]:
        """Each file and member, as text."""
        for path in sorted(self._folder.rglob("*")):
            if path.is_file():
                name = path.relative_to(self._folder).as_posix()
                for member, content in told(name, path.read_bytes()).items():
                    yield member, masked(content)


class TerminalOf:
    """While it is open, this process is like a terminal 100 columns wide in a folder."""

    def __init__(self, folder: Path) -> None:
        self._out, self._err = io.StringIO(), io.StringIO()
        self._like = (
            chdir(folder),
            patch.dict(os.environ, {"COLUMNS": "100"}),
            redirect_stdout(self._out),
            redirect_stderr(self._err),
        )

    def __enter__(self) -> "TerminalOf":
        for each in self._like:
            each.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        for each in reversed(self._like):
            each.__exit__(None, None, None)

    @property
    def out(self) -> str:
        return self._out.getvalue()

    @property
    def err(self) -> str:
        return self._err.getvalue()


def told(name: str, content: bytes) -> dict[str, str]:
    """A file as text, an archive as its members, each by its name."""
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return {name: as_lines(content.decode(errors="backslashreplace"))}
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {
            f"{name}/{member}": as_lines(archive.read(member).decode())
            for member in archive.namelist()
        }


def as_lines(text: str) -> str:
    """JSON in one line, and markup, broken into lines; else as it is."""
    if text.startswith("<") or text.startswith("\ufeff<"):
        return text.replace("><", ">\n<")
    if text.startswith("{") and text.count("\n") == 1:
        document = json.loads(text)
        # Only what is lost nothing of.
        if json.dumps(document) + "\n" == text:
            return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    return text


def digest(text: str) -> str:
    """The same for texts that are the same but for the last digits of numbers, nearly always."""
    rounded = NUMBER.sub(lambda number: f"{as_number(number[0]):.9g}", text)
    return f"sha256 of {len(text.split()):,} words: {sha256(rounded.encode()).hexdigest()}"


def as_number(text: str) -> float:
    return float(text.replace(",", ""))


def difference(there: str, here: str) -> str | None:
    """Where two texts differ first; None if they are the same, but for the last digits of numbers,
    which depend on the order in which a processor adds up.
    """
    was, now = there.split("\n"), here.split("\n")
    near = _LAST_DIGITS
    for number, (one, other) in enumerate(zip(was, now, strict=False), 1):
        if '": ' in one:  # else it is in a list, whose name came before
            near = _SEARCH_ENDS if _SEARCHED.match(one) else _LAST_DIGITS
        if not _same(one, other, near):
            return f"line {number:,} was\n  {one}\nand is\n  {other}"
    if len(was) != len(now):
        longer, what = (was, "gone") if len(was) > len(now) else (now, "new")
        number = min(len(was), len(now))
        return f"line {number + 1:,} is {what}\n  {longer[number]}"
    return None


def _same(one: str, other: str, near: float) -> bool:
    if one == other:
        return True
    if NUMBER.split(one) != NUMBER.split(other):
        return False
    pairs = zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
    return all(
        math.isclose(as_number(a), as_number(b), rel_tol=near, abs_tol=1e-12) for a, b in pairs
    )
