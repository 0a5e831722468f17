"""Files of power samples: CSV of any monitoring, answers of Prometheus, and `ipmitool dcmi`."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from core.engines.logs.metered.power_samples import PowerSamples, RawSamples, gathered
from core.engines.logs.metered.sample_prometheus import PROMETHEUS, of_prometheus
from core.engines.logs.metered.sample_tables import columns_of, of_table
from core.engines.logs.metered.sample_words import (
    HEAD,
    NO_TIME,
    NO_VALUE,
    WANTED,
    MeasuredUnit,
    moment_of,
    value_of,
)
from core.engines.logs.reading.streams import LogStream, logs_at
from core.files.findings import Findings, Reading, Unreadable, shown
from core.files.limits import MIB
from core.files.strict_json import is_document
from core.files.text import decode

MOST_BYTES: Final = 2048 * MIB
"""The most bytes of a file of samples, inflated."""


def read_power_samples(paths: Sequence[Path], findings: Findings) -> PowerSamples | None:
    """The samples of all files, which may be compressed; None if nothing was read. Faults are
    reported with file, row and column.
    """
    files: list[RawSamples] = []
    for path in paths:
        with findings.refusals(path.name):
            for stream in logs_at([path]):
                with findings.refusals(stream.name):
                    files += parse_power_samples(_content(stream), stream.name, findings)
    if findings.failed or not files:
        return None
    found = gathered(files)
    return replace(found, notes=(*findings.notes, *found.notes))


def require_power_samples(paths: Sequence[Path]) -> PowerSamples:
    """The samples of files. Raises `InvalidInput` with all problems."""
    findings = Findings()
    return Reading.found(read_power_samples(paths, findings), findings).require()


def _content(stream: LogStream) -> bytes:
    parts: list[bytes] = []
    size = 0
    with stream.blocks() as blocks:
        for block in blocks:
            parts.append(block)
            size += len(block)
            if size > MOST_BYTES:
                raise Unreadable(f"has more than {MOST_BYTES // MIB:,} MiB; give it in parts")
    return b"".join(parts)


def is_power_samples(data: bytes) -> bool:
    """Whether the content of a file begins as samples of power do. Only its first bytes are looked
    at.
    """
    head = data[:HEAD]
    if is_document(data):
        return bool(PROMETHEUS.search(head))
    text = head.decode("utf-8", "replace")
    if IPMI.search(text):
        return True
    titles, _, rows = text.partition("\n")
    columns = columns_of(titles)
    if columns is None or not rows.strip():
        return False
    cells = next(line for line in rows.splitlines() if line.strip()).split(columns.delimiter)
    first = cells[columns.time].strip(' "') if columns.time < len(cells) else ""
    return not math.isnan(moment_of(first).seconds)


def parse_power_samples(data: bytes, label: str, findings: Findings) -> Iterator[RawSamples]:
    """The samples of the content of a file. Raises `Unreadable`."""
    if not data.strip():
        raise Unreadable(f"is empty; {WANTED}")
    if not data.isascii() or b"\0" in data:
        data = decode(data, label, findings).encode()
    if is_document(data):
        yield from of_prometheus(data, label, findings)
    elif IPMI.search(data[:HEAD].decode("utf-8", "replace")):
        yield of_ipmi(data.decode(), label, findings)
    else:
        yield from of_table(data, label, findings)


IPMI: Final = re.compile(
    r"^(?:([\w.-]+):)?[ \t]*(Instantaneous power reading|IPMI timestamp)[ \t]*:[ \t]*(.*\S)", re.M
)


def of_ipmi(text: str, label: str, findings: Findings) -> RawSamples:
    """Answers of `ipmitool dcmi power reading`, one below the other; a prefix names the node."""
    alone = Path(label).name.partition(".")[0]
    pending: dict[str, tuple[int, str]] = {}
    times: list[float] = []
    values: list[float] = []
    series: list[int] = []
    numbers: dict[str, int] = {}
    line, at = 1, 0
    for match in IPMI.finditer(text):
        line, at = line + text.count("\n", at, match.start()), match.start()
        node = match[1] or alone
        if match[2].startswith("Inst"):
            pending[node] = line, match[3]
            continue
        if node not in pending:
            continue
        where, said = pending.pop(node)
        value, moment = value_of(said, MeasuredUnit(1.0, is_energy=False)), moment_of(match[3])
        for wrong, row, cell, fault in (
            (np.isinf(value), where, said, NO_VALUE),
            (np.isnan(moment.seconds), line, match[3], NO_TIME),
        ):
            if wrong:
                findings.error(label, f"line {row}", match[2], f"'{shown(cell)}' {fault}")
        times.append(moment.seconds)
        values.append(value)
        series.append(numbers.setdefault(node, len(numbers)))
    if not times:
        raise Unreadable("has power readings of IPMI, but no 'IPMI timestamp' below them; keep it")
    arrays = np.array(times), np.array(series, np.int64), np.array(values)
    return RawSamples(label, *arrays, list(numbers))
