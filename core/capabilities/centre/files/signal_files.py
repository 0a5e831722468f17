"""The curves of a centre: files of any format in its folder `signals`."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import PurePosixPath
from typing import Final, NamedTuple

import numpy as np

from core.capabilities.centre.files.centre_file import (
    CURVE_KINDS,
    USUAL_CURVES,
    CentreSignals,
    CurvesOf,
    DayGrid,
)
from core.capabilities.centre.files.centre_settings import CentreSettings
from core.engines.signals.kinds import CARBON, GREEN, PRICE, SUN, TARGET, SignalKind
from core.engines.signals.reading import inspect_signals_bytes
from core.engines.signals.signal import Signal
from core.engines.signals.source import ReadAs
from core.engines.signals.zones import EPOCH, moment_said, zone_called
from core.files.findings import Findings, shown_list
from core.files.table_set import OtherFiles
from core.vocabulary.problems import InvalidInput
from core.vocabulary.say.words import joined

FOLDER: Final = "signals"
_READ: Final = (".csv", ".json", ".epw", ".txt")
_FORECAST: Final = "forecast"


class ReadSignals(NamedTuple):
    """Curves, and the file of each as it came and as it was forecast."""

    signals: CentreSignals
    files: Mapping[tuple[SignalKind, CurvesOf], str]

    @property
    def begins(self) -> float | None:
        """From when on all curves that came are known; None if there are none."""
        curves = self.signals.came or self.signals.forecast
        return max((float(one.begins[0]) for one in curves.values()), default=None)


def read_signals(
    others: OtherFiles, settings: CentreSettings, label: str, findings: Findings
) -> ReadSignals:
    """The curves of the files in the folder; what is wrong is reported, also with settings in the
    file of this label.
    """
    curves: dict[tuple[SignalKind, CurvesOf], Signal] = {}
    files: dict[tuple[SignalKind, CurvesOf], str] = {}
    unread: list[str] = []
    for place, load in sorted(others.items()):
        name = PurePosixPath(place)
        if str(name.parent) != FOLDER:
            continue
        if name.suffix.casefold() not in _READ or name.stem.casefold() == "readme":
            unread += [place] * (name.stem.casefold() != "readme")
            continue
        with findings.refusals(place):
            reading = inspect_signals_bytes(place, load(), _read_as(settings))
            findings.extend(reading.problems)
            findings.notes += reading.notes
            for signal in reading.value or ():
                found = _as_forecast(signal, place, settings, findings)
                key: tuple[SignalKind, CurvesOf] = (
                    found.kind,
                    "forecast" if found.is_forecast else "came",
                )
                if key in curves:
                    said = f"is {found.kind.said} a second time, beside {files[key]}; remove one"
                    findings.error(place, "", found.kind.name, said)
                curves[key], files[key] = found, place
    if unread:
        findings.file_warning(
            FOLDER, f"holds files that are not read: {shown_list(unread)}; remove them"
        )
    came = {kind: curve for (kind, of), curve in curves.items() if of == "came"}
    forecast = {kind: curve for (kind, of), curve in curves.items() if of == "forecast"}
    signals = CentreSignals(came, forecast, settings.all_day, settings.panels)
    _check(signals, files, label, findings)
    return ReadSignals(signals, files)


def _read_as(settings: CentreSettings) -> ReadAs:
    zone = settings.zone
    if settings.begins is None:
        return ReadAs(zone)
    local = (EPOCH + timedelta(seconds=settings.begins)).astimezone(zone_called(zone))
    return ReadAs(zone, day=local.date(), year=local.year)


def _as_forecast(
    signal: Signal, place: str, settings: CentreSettings, findings: Findings
) -> Signal:
    """A curve of a file that is called a forecast was known when the day begins, unless it says
    when it was made.
    """
    if signal.is_forecast or _FORECAST not in place.casefold():
        return signal
    made = float(signal.begins[0]) if settings.begins is None else settings.begins
    findings.notes.append(
        f"{place} does not say when it was made; it counts as known at {moment_said(made)}, when "
        "the day begins"
    )
    return replace(signal, issued=np.full(len(signal.begins), made))


def _check(
    signals: CentreSignals,
    files: Mapping[tuple[SignalKind, CurvesOf], str],
    label: str,
    findings: Findings,
) -> None:
    """Whether curves, panels and values for all day say each thing once; notes say what is assumed
    where nothing is said.
    """
    kinds = {kind for kind, _ in files}
    for kind in signals.all_day:
        if kind in kinds:
            said = f"is there beside {_file_of(files, kind)}; remove one of the two"
            findings.error(f"{label} [all_day]", "", kind.name, said)
    if signals.panels is not None:
        if SUN not in kinds:
            said = f"need the sun; add a curve of it to {FOLDER}/, in {SUN.unit}"
            findings.error(label, "", "panels", said)
        if GREEN in kinds or GREEN in signals.all_day:
            said = "and green power are both there; remove one of the two"
            findings.error(label, "", "panels", said)
    elif SUN in kinds:
        place = _file_of(files, SUN)
        said = "is not used, since there are no panels; add a group [panels], or remove it"
        findings.file_warning(place, f"the sun {said}")
    _note_assumed(signals, kinds, findings)


def _file_of(files: Mapping[tuple[SignalKind, CurvesOf], str], kind: SignalKind) -> str:
    return next(place for (one, _), place in files.items() if one is kind)


def _note_assumed(signals: CentreSignals, kinds: set[SignalKind], findings: Findings) -> None:
    if findings.failed:
        return
    missing = [
        kind
        for kind in CURVE_KINDS.values()
        if kind not in kinds
        and kind not in signals.all_day
        and not (kind is GREEN and signals.panels is not None)
    ]
    assumed = [
        f"{kind.said} {USUAL_CURVES[kind]:g} {kind.unit}" for kind in missing if kind is not TARGET
    ]
    if assumed:
        why = ", so that cost is energy from the grid in kWh" if PRICE in missing else ""
        findings.notes.append(f"Assumed all day, since no file says it: {joined(assumed)}{why}.")
    if of_site := [kind.said for kind in missing if kind in (PRICE, CARBON)]:
        findings.notes.append(f"A study has its site in place of it: {joined(of_site)}.")
    if TARGET in missing:
        findings.notes.append("There is no target, so no power is excess.")


def on_grid(
    read: ReadSignals, grid: DayGrid, settings: CentreSettings, findings: Findings
) -> CentreSignals:
    """The curves, known all day; gaps are reported, or filled if that is asked for."""
    found: dict[CurvesOf, dict[SignalKind, Signal]] = {"came": {}, "forecast": {}}
    for (kind, of), place in read.files.items():
        signal = (read.signals.came if of == "came" else read.signals.forecast)[kind]
        if settings.fill is not None:
            gaps = signal.gaps(grid.begins, grid.ends)
            if gaps and gaps[0] != (grid.begins, grid.ends):
                signal, notes = signal.filled(grid.begins, grid.ends, settings.fill)
                findings.notes += [f"{place}: {note}" for note in notes]
        found[of][kind] = signal
        try:
            signal.on_grid(grid.begins, grid.step, grid.steps)
        except InvalidInput as refused:
            for problem in refused.problems:
                said = f'{problem.message} ([grid] fill = "last" or "linear")'
                findings.add(replace(problem, file=place, message=said))
    return replace(read.signals, came=found["came"], forecast=found["forecast"])
