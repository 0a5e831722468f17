"""Carbon intensity of Great Britain as JSON of NESO: forecast and actual in one document."""

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from core.engines.signals.kinds import CARBON
from core.engines.signals.signal import Signal
from core.engines.signals.source import ReadCurve, SignalSource, written
from core.engines.signals.zones import UTC_NAME
from core.files.columns import Coded, ReadColumns
from core.files.findings import Unreadable
from core.files.strict_json import as_float, parse_json, value_fault
from core.vocabulary.arrays import FloatArray

_SIDES: Final = ("actual", "forecast")


def read_neso(source: SignalSource) -> list[Signal]:
    """What came, and the forecast. The document does not say when that was issued: it is taken as
    known when its first step begins.
    """
    document = parse_json(source.text, source.label, source.findings)
    items = list(_items(document.get("data")))
    if not items:
        raise Unreadable('has no list "data" with "from", "to" and "intensity"; keep it')
    texts = {side: [str(item.get(side, "")) for item in items] for side in ("from", "to")}
    values = {side: _numbers(source, items, side) for side in _SIDES}
    found = ReadColumns(
        source.label,
        np.arange(1, len(items) + 1),
        "entry",
        {side: _coded(cells) for side, cells in texts.items()},
        values,
        {},
        frozenset(texts),
        source.findings,
    )
    begins, ends = (
        source.moments(found, side, {n: written(n) for n in found.texts[side].names}, UTC_NAME)
        for side in ("from", "to")
    )
    nothing = np.full(len(items), np.nan)
    found.report(ends <= begins, "to", lambda _: "is not after from; correct it")
    steps = source.steps(found, begins, ends - begins, nothing)
    made: list[Signal] = []
    for side in _SIDES:
        if np.isnan(values[side]).all():
            continue
        issued = np.full(len(items), np.nanmin(begins)) if side == "forecast" else nothing
        curve = ReadCurve(CARBON, side, values[side])
        made += source.signals(found, steps._replace(issued=issued), [curve])
    if any(signal.is_forecast for signal in made):
        source.findings.notes.append(
            f"{source.label}: the forecast does not say when it was made; it is taken as known "
            "when its first step begins"
        )
    if not made and not source.findings.failed:
        raise Unreadable("has neither forecast nor actual intensity; give one")
    return made


def _items(data: object) -> Iterator[Mapping[str, object]]:
    """The entries, also of one region, whose list is in an object."""
    if isinstance(data, Mapping):
        yield from _items(data.get("data"))
    for item in data if isinstance(data, list) else []:
        if isinstance(item, Mapping):
            yield item if "data" not in item else {}


def _numbers(source: SignalSource, items: list[Mapping[str, object]], side: str) -> FloatArray:
    values = np.full(len(items), np.nan)
    for k, item in enumerate(items):
        intensity = item.get("intensity")
        value = intensity.get(side) if isinstance(intensity, Mapping) else None
        number = as_float(value)
        if number is not None and np.isfinite(number):
            values[k] = number
        elif value is not None:
            source.findings.error(source.label, f"entry {k + 1:,}", side, value_fault(value))
    return values


def _coded(cells: list[str]) -> Coded:
    names = dict.fromkeys(cells)
    place = {name: k for k, name in enumerate(names)}
    return Coded(tuple(names), np.array([place[cell] for cell in cells], np.int64))
