"""`sacct --json`: jobs one by one, as rows with the columns of `sacct`.

Releases since 2021 differ in where they put a value, and whether a number is plain or an object
with `set`, `infinite` and `number`.
"""

import json
import re
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from core.engines.logs.reading import limits
from core.engines.logs.reading.layout import Layout
from core.engines.logs.reading.sacct import layout_of_titles
from core.files.findings import Unreadable

_SEPARATOR: Final = "\x1f"
_SPACES: Final = str.maketrans({"\n": " ", "\r": " ", _SEPARATOR: " "})
_UNSET: Final = {2**32 - 2, 2**32 - 1, 2**64 - 2, 2**64 - 1, 2**63}
_JOBS: Final = re.compile(r'"jobs"\s{0,50}:\s{0,50}\[')
_KEPT: Final = 200
"""Characters in which what opens a list of jobs may have begun."""
_ESCAPE: Final = 12
"""Characters of the longest escape, a pair of surrogates: one may be cut off."""
_WHOLE: Final = 2**53
"""Up to here, floats that are whole numbers are written as such."""
_STEPS: Final = {"4294967290": "interactive", "4294967291": "batch", "4294967292": "extern"}
"""How old releases number the steps that Slurm starts by itself."""


def json_layout() -> Layout:
    """The layout of the rows that `JsonJobs` makes."""
    return layout_of_titles([title.casefold() for title in _TITLES], _SEPARATOR.encode())


def begins_json(data: bytes) -> bool:
    return data.lstrip()[:1] == b"{"


def has_list_of_jobs(data: bytes) -> bool:
    """Whether the first bytes of a JSON document have a list of jobs that are objects."""
    text = data.decode("utf-8", "replace")
    found = _JOBS.search(text)
    return found is not None and text[found.end() :].lstrip().startswith("{")


class JsonJobs:
    """Takes the text of a dump in parts, and gives the rows of the jobs that are whole.

    Several dumps may follow each other. `cut_off` is the text of the last job if the dump ends
    within it.
    """

    def __init__(self) -> None:
        self._text = ""
        self._characters = getincrementaldecoder("utf-8")("replace")
        self._inside = False
        self._found = False
        self._decoder = json.JSONDecoder()
        self.jobs = 0
        self.cut_off = ""
        self._tried = 0

    def take(self, data: bytes, *, final: bool) -> bytes:
        """The rows of the jobs, and of their steps, that are whole now. Raises `Unreadable`."""
        self._text += self._characters.decode(data, final)
        rows: list[str] = []
        while self._inside or self._find_jobs(final=final):
            self._take_jobs(rows, final=final)
            if self._inside:
                break
        return "".join(rows).encode("utf-8", "replace")

    def _take_jobs(self, rows: list[str], *, final: bool) -> None:
        """Add the rows of the jobs that are whole, at most until their list ends."""
        at = 0
        # Trying to read a job that is not whole yet takes time: wait until there is more.
        while final or len(self._text) - at > self._tried:
            at = self._skip(at)
            if self._text[at : at + 1] == "]":
                self._inside = False
                break
            try:
                job, end = self._decoder.raw_decode(self._text, at)
            except RecursionError as error:
                raise Unreadable(f"job {self.jobs + 1:,} is nested too deeply") from error
            except ValueError as error:
                self._tried = 2 * (len(self._text) - at)
                if final and _is_cut_off(error, self._text):
                    self.cut_off, at = self._text[at : at + limits.VALUE_BYTES], len(self._text)
                    break
                if final or len(self._text) - at > limits.JSON_JOB_CHARACTERS:
                    raise Unreadable(
                        f"is damaged or cut off in job {self.jobs + 1:,} ({error}); dump it again"
                    ) from error
                break
            self._tried = 0
            self.jobs += 1
            rows += _rows_of(job)
            at = end
        self._text = self._text[at:]

    def _find_jobs(self, *, final: bool) -> bool:
        """Whether another list of jobs begins; what is before it is dropped."""
        opened = _JOBS.search(self._text)
        if opened:
            self._text = self._text[opened.end() :]
            self._inside = self._found = True
            return True
        if self._found:
            self._text = self._text[-_KEPT:]
            return False
        if final or len(self._text) > limits.JSON_JOB_CHARACTERS:
            raise Unreadable('has no list "jobs"; give the output of sacct --json')
        return False

    def _skip(self, at: int) -> int:
        while at < len(self._text) and self._text[at] in " \t\r\n,":
            at += 1
        return at


def _rows_of(job: Any) -> Iterator[str]:
    """The row of a job, and those of its steps, which have its energy."""
    if not isinstance(job, dict):
        yield _row({"JobID": "?"})
        return
    number = _number_text(job)
    yield _row({"JobID": number} | {title: cell(job) for title, cell in _CELLS.items()})
    steps = job.get("steps")
    for step in steps if isinstance(steps, list) else ():
        word = _step(_dict(_dict(step).get("step")))
        yield _row({"JobID": f"{number}.{word}", "ConsumedEnergyRaw": _energy(_dict(step))})


def _step(step: dict[str, Any]) -> str:
    """Which step it is: a number, or what Slurm calls those that it starts by itself."""
    which = step.get("id")
    if isinstance(which, dict):
        which = which.get("step_id")
    word = which.rpartition(".")[2] if isinstance(which, str) else _amount(which)
    word = _STEPS.get(word, word)
    name = _text(step.get("name"))
    special = _STEPS.values()
    return word if word in special else name if not word and name in special else "0"


def _energy(step: dict[str, Any]) -> str:
    """The joules of a step, in either of the places where releases have them."""
    of_step = _at(_amount, "statistics", "energy", "consumed")(step)
    total = _dict(_dict(step.get("tres")).get("consumed")).get("total")
    entries = (_dict(entry) for entry in (total if isinstance(total, list) else ()))
    counts = (_amount(entry.get("count")) for entry in entries if entry.get("type") == "energy")
    return of_step or next(counts, "")


def _is_cut_off(error: ValueError, text: str) -> bool:
    """Whether a job cannot be read because the text ends, not because it is damaged."""
    if not isinstance(error, json.JSONDecodeError):
        return False
    return error.pos >= len(text) - _ESCAPE or error.msg.startswith("Unterminated string")


def _row(cells: dict[str, str]) -> str:
    return _SEPARATOR.join(cells.get(title, "") for title in _TITLES) + "\n"


def _number_text(job: dict[str, Any]) -> str:
    """The number of a job as `sacct` writes it without --json."""
    array = _dict(job.get("array"))
    task = _amount(array.get("task_id"))
    parent = _amount(array.get("job_id"))
    het = _dict(job.get("het"))
    first = _amount(het.get("job_id"))
    if parent and parent != "0" and task:
        return f"{parent}_{task}"
    if first and first != "0":
        return f"{first}+{_amount(het.get('job_offset')) or 0}"
    return _amount(job.get("job_id"))


def _state(value: Any) -> str:
    now = _dict(value).get("current") if isinstance(value, dict) else value
    if isinstance(now, list):
        now = now[0] if now else ""
    return _text(now)


def _tres(entries: Any) -> str:
    found = []
    for entry in entries if isinstance(entries, list) else ():
        kind, name = _text(_dict(entry).get("type")), _text(_dict(entry).get("name"))
        count = _amount(_dict(entry).get("count"))
        unit = "M" if kind == "mem" else ""
        found.append(f"{kind}/{name}={count}" if name else f"{kind}={count}{unit}")
    return ",".join(found)


def _amount(value: Any) -> str:
    """A number as text; blank where it is not set."""
    if isinstance(value, dict):
        if value.get("set") is False or value.get("infinite") is True:
            return ""
        value = value.get("number")
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or value in _UNSET:
        return ""
    is_whole = value == value and abs(value) < _WHOLE and value % 1 == 0
    return repr(int(value) if is_whole else value)


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value.translate(_SPACES)[: limits.VALUE_BYTES] if isinstance(value, str) else ""


def _at(read: Callable[[Any], str], *path: str) -> Callable[[dict[str, Any]], str]:
    """What reads the value of a job that is at a path of keys."""

    def cell(job: dict[str, Any]) -> str:
        value: Any = job
        for key in path:
            value = _dict(value).get(key)
        return read(value)

    return cell


_CELLS: Final[Mapping[str, Callable[[dict[str, Any]], str]]] = {
    "JobName": _at(_text, "name"),
    "State": _at(_state, "state"),
    "Partition": _at(_text, "partition"),
    "Account": _at(_text, "account"),
    "User": lambda job: _text(job.get("user") or _dict(job.get("association")).get("user")),
    "Group": _at(_text, "group"),
    "QOS": _at(_text, "qos"),
    "Cluster": _at(_text, "cluster"),
    "NodeList": _at(_text, "nodes"),
    "Constraints": _at(_text, "constraints"),
    "Comment": _at(_text, "comment", "job"),
    "Submit": _at(_amount, "time", "submission"),
    "Start": _at(_amount, "time", "start"),
    "End": _at(_amount, "time", "end"),
    "ElapsedRaw": _at(_amount, "time", "elapsed"),
    "TimelimitRaw": _at(_amount, "time", "limit"),
    "AllocNodes": _at(_amount, "allocation_nodes"),
    "ReqCPUS": _at(_amount, "required", "CPUs"),
    "AllocTRES": _at(_tres, "tres", "allocated"),
    "ReqTRES": _at(_tres, "tres", "requested"),
}
"""The columns of a job's row, besides its number, and what reads each."""
_TITLES: Final = ("JobID", *_CELLS, "ConsumedEnergyRaw")
