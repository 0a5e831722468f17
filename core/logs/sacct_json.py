"""`sacct --json`: jobs one by one, as rows with the columns of `sacct`.

Releases since 2021 differ in where they put a value, and whether a number is plain or an object
with `set`, `infinite` and `number`.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from core.files.findings import Unreadable
from core.logs import limits
from core.logs.layout import Layout
from core.logs.sacct import layout_of_titles

_SEPARATOR: Final = "\x1f"
_TITLES: Final = (
    "JobID",
    "JobName",
    "State",
    "Partition",
    "Account",
    "User",
    "Group",
    "QOS",
    "Cluster",
    "NodeList",
    "Constraints",
    "Comment",
    "Submit",
    "Start",
    "End",
    "ElapsedRaw",
    "TimelimitRaw",
    "AllocNodes",
    "AllocCPUS",
    "AllocTRES",
    "ReqTRES",
    "ConsumedEnergyRaw",
)
_SPACES: Final = str.maketrans({"\n": " ", "\r": " ", _SEPARATOR: " "})
_UNSET: Final = {2**32 - 2, 2**32 - 1, 2**64 - 2, 2**64 - 1, 2**63}
_MORE: Final = 1 << 20


def json_layout() -> Layout:
    """The layout of the rows that `JsonJobs` makes."""
    return layout_of_titles([title.casefold() for title in _TITLES], _SEPARATOR.encode())


def begins_json(data: bytes) -> bool:
    return data.lstrip()[:1] == b"{"


class JsonJobs:
    """Takes the text of a dump in parts, and gives the rows of the jobs that are whole."""

    def __init__(self) -> None:
        self._text = ""
        self._rest = b""
        self._inside = False
        self._ended = False
        self._decoder = json.JSONDecoder()
        self.jobs = 0
        self._tried = 0

    def take(self, data: bytes, *, final: bool) -> bytes:
        """The rows of the jobs, and of their steps, that are whole now. Raises `Unreadable`."""
        data = self._rest + data
        whole = len(data) if final else max(len(data) - 3, 0)  # a character may be cut in two
        while 0 < whole < len(data) and data[whole] & 0xC0 == 0x80:
            whole -= 1
        self._rest = data[whole:]
        self._text += data[:whole].decode("utf-8", "replace")
        if self._ended:
            self._text = ""
            return b""
        if not self._inside and not self._find_jobs(final=final):
            return b""
        rows: list[str] = []
        at = 0
        # Trying to read a job that is not whole yet takes time: wait until there is more.
        while final or len(self._text) - at > self._tried:
            at = self._skip(at)
            if self._text[at : at + 1] == "]":
                self._ended = True
                break
            if at >= len(self._text):
                break
            try:
                job, end = self._decoder.raw_decode(self._text, at)
            except RecursionError as error:
                raise Unreadable(f"job {self.jobs + 1:,} is nested too deeply") from error
            except ValueError as error:
                self._tried = 2 * (len(self._text) - at)
                if final or len(self._text) - at > limits.JSON_JOB_CHARACTERS:
                    raise Unreadable(
                        f"is damaged or cut off in job {self.jobs + 1:,} ({error}); dump it again"
                    ) from error
                break
            self._tried = 0
            self.jobs += 1
            rows += _rows_of(job)
            at = end
        self._text = "" if self._ended else self._text[at:]
        return "".join(rows).encode("utf-8", "replace")

    def _find_jobs(self, *, final: bool) -> bool:
        at = self._text.find('"jobs"')
        opened = self._text.find("[", at) if at >= 0 else -1
        if opened >= 0:
            self._text = self._text[opened + 1 :]
            self._inside = True
            return True
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
    time = _dict(job.get("time"))
    tres = _dict(job.get("tres"))
    number = _number_text(job)
    allocated = _tres(tres.get("allocated"))
    yield _row(
        {
            "JobID": number,
            "JobName": _text(job.get("name")),
            "State": _state(job.get("state")),
            "Partition": _text(job.get("partition")),
            "Account": _text(job.get("account")),
            "User": _text(job.get("user") or _dict(job.get("association")).get("user")),
            "Group": _text(job.get("group")),
            "QOS": _text(job.get("qos")),
            "Cluster": _text(job.get("cluster")),
            "NodeList": _text(job.get("nodes")),
            "Constraints": _text(job.get("constraints")),
            "Comment": _text(_dict(job.get("comment")).get("job")),
            "Submit": _amount(time.get("submission")),
            "Start": _amount(time.get("start")),
            "End": _amount(time.get("end")),
            "ElapsedRaw": _amount(time.get("elapsed")),
            "TimelimitRaw": _amount(time.get("limit")),
            "AllocNodes": _amount(job.get("allocation_nodes")),
            "AllocTRES": allocated,
            "ReqTRES": _tres(tres.get("requested")),
        }
    )
    steps = job.get("steps")
    for step in steps if isinstance(steps, list) else ():
        energy = _dict(_dict(_dict(step).get("statistics")).get("energy")).get("consumed")
        name = _text(_dict(_dict(step).get("step")).get("name"))
        kind = name if name in ("batch", "extern") else "0"
        yield _row({"JobID": f"{number}.{kind}", "ConsumedEnergyRaw": _amount(energy)})


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
    if isinstance(value, bool) or not isinstance(value, int | float) or value in _UNSET:
        return ""
    return repr(value)


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value.translate(_SPACES)[: limits.VALUE_BYTES] if isinstance(value, str) else ""
