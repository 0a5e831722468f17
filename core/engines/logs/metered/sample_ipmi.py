"""Samples of power as `ipmitool dcmi power reading` writes them."""

import re
from pathlib import Path
from typing import Final

import numpy as np

from core.engines.logs.metered.moments import moment_of
from core.engines.logs.metered.power_samples import RawSamples
from core.engines.logs.metered.sample_words import NO_TIME, NO_VALUE, value_of
from core.engines.logs.metered.units import MeasuredUnit
from core.files.findings import Findings, Unreadable, shown

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
    names = list(numbers)
    return RawSamples(
        label,
        np.array(times),
        np.array(series, np.int64),
        np.array(values),
        names,
        [""] * len(names),
        False,
        False,
    )
