"""Samples of power as Prometheus answers them, or as they are exported from the like."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np

from core.engines.logs.metered.power_samples import RawSamples
from core.engines.logs.metered.sample_words import (
    NO_TIME,
    NODES,
    WANTED,
    MeasuredUnit,
    quantity_of,
    seconds_of,
)
from core.files.findings import Findings, Unreadable, shown, shown_list
from core.files.numbers import number_cell
from core.files.strict_json import parse_json
from core.vocabulary.arrays import FloatArray

PROMETHEUS: Final = re.compile(rb'"(?:resultType|metric)"\s*:')


def of_prometheus(data: bytes, label: str, findings: Findings) -> Iterator[RawSamples]:
    """The series of an answer to `query_range`, or of an export with a series on each line."""
    text = data.decode()
    first, _, rest = text.lstrip("\ufeff").partition("\n")
    if ('"timestamps"' in first and rest.strip()) or (_is_alone(first) and rest.strip()):
        listed = _lines(text, label, findings)
    else:
        document = parse_json(text, label, findings)
        result = document.get("data", document)
        found = result.get("result", [document]) if isinstance(result, dict) else None
        if not isinstance(found, list):
            raise Unreadable(f'has no list "result" in "data"; {WANTED}')
        listed = ((f"series {k}", one) for k, one in enumerate(found, 1))
    kinds: dict[bool, list[_Read]] = {}
    for place, one in listed:
        read = _read_series(one, place, label, findings)
        if read is not None:
            kinds.setdefault(read.quantity.is_energy, []).append(read)
        if findings.full:
            break
    if not kinds:
        if not findings.failed:
            raise Unreadable(f"has no series with a node and values; {WANTED}")
        return
    energies = kinds.get(True, [])
    chosen = kinds.get(False) or energies
    notes = []
    if energies and chosen is not energies:
        notes.append(f"{label}: {len(energies):,} counters of joules beside watts are left out.")
    if not all(one.quantity.is_said for one in chosen):
        unit = "joules" if chosen is energies else "watts"
        notes.append(f"{label}: values without a unit are taken for {unit}.")
    yield RawSamples(
        label,
        np.concatenate([one.times for one in chosen]),
        np.repeat(np.arange(len(chosen)), [len(one.times) for one in chosen]),
        np.concatenate([one.values for one in chosen]),
        [one.node for one in chosen],
        chosen is energies,
        True,
        tuple(notes),
    )


def _is_alone(line: str) -> bool:
    return line.rstrip().endswith("}") and '"metric"' in line and '"values"' in line


def _lines(text: str, label: str, findings: Findings) -> Iterator[tuple[str, object]]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield f"line {number}", json.loads(line)
        except (json.JSONDecodeError, RecursionError):
            message = "is no JSON object; it may be cut off: export it again"
            findings.error(label, f"line {number}", "", message)


class _Read(NamedTuple):
    node: str
    quantity: MeasuredUnit
    times: FloatArray
    values: FloatArray


def _read_series(one: object, place: str, label: str, findings: Findings) -> _Read | None:
    def refuse(column: str, message: str) -> None:
        findings.error(label, place, column, message)

    metric = one.get("metric") if isinstance(one, dict) else None
    if not isinstance(one, dict) or not isinstance(metric, dict):
        refuse("metric", f"has no labels; {WANTED}")
        return None
    labels = {str(key).casefold(): str(value) for key, value in metric.items()}
    node = next((labels[word] for word in NODES if word in labels), "")
    if not node:
        refuse("metric", f"names no node; let it have a label such as {shown_list(NODES[:3])}")
        return None
    name = labels.get("__name__", "")
    quantity = quantity_of(name) if name else MeasuredUnit(1.0, is_energy=False, is_said=False)
    if quantity is None:
        refuse("__name__", f"'{shown(name)}' is neither power nor energy; leave it out")
        return None
    times, values = _pairs(one, refuse)
    seconds = seconds_of(times)
    if np.isnan(seconds).any():
        refuse("values", f"'{number_cell(float(times[np.isnan(seconds)][0]))}' {NO_TIME}")
        return None
    return _Read(node, quantity, seconds, values * quantity.scale)


def _pairs(
    one: Mapping[str, Any], refuse: Callable[[str, str], None]
) -> tuple[FloatArray, FloatArray]:
    """Times and values of a series; none if they are no numbers."""
    values, times = one.get("values", []), one.get("timestamps")
    try:
        if times is None:
            flat = np.array([*chain.from_iterable(values)], np.float64).reshape(len(values), 2)
            return flat[:, 0].copy(), flat[:, 1].copy()
        stamps, numbers = np.array(times, np.float64), np.array(values, np.float64)
        if stamps.shape == numbers.shape and stamps.ndim == 1:
            return stamps, numbers
    except (TypeError, ValueError, OverflowError):
        pass
    refuse("values", "are not pairs of a time and a number; export the series again")
    return np.zeros(0), np.zeros(0)
