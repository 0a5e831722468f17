"""Reads a study file strictly: every problem is located, and every figure is checked."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from core.files.disk import check_size, read_file
from core.files.document import system_of_study
from core.files.fields import Fields, read_points
from core.files.findings import Findings, shown_list
from core.files.reading import Reading
from core.files.samples.named import load_sample, sample_names
from core.files.strict_json import parse_json
from core.files.text import decode
from core.shells.studies.blocks import without_front
from core.shells.studies.proofs import read_fitting, read_proof
from core.shells.studies.saved import SavedStudy
from core.shells.studies.schedules import read_choice, read_schedules
from core.shells.studies.settings import StudySettings
from core.shells.studies.settings_reader import read_settings
from core.vocabulary.system import System

_KEYS: Final = (
    *("format", "version", "commands", "versions", "settings", "took"),
    *("vertices", "points", "patterns", "fitting", "choice", "system", "schedules"),
)
_OF_FRONT: Final = ("vertices", "points", "patterns", "fitting", "choice", "schedules")


def inspect_study(path: Path) -> Reading[SavedStudy]:
    """The study file at `path`, or all its problems; the content never makes it raise."""
    label = path.name or str(path)
    return Reading.of(label, lambda findings: _read(read_file(path), label, findings))


def inspect_study_bytes(name: str, data: bytes) -> Reading[SavedStudy]:
    """`inspect_study` for the content of a file, such as an upload."""
    return Reading.of(name, lambda findings: _read(data, name, findings))


def _read(data: bytes, label: str, findings: Findings) -> SavedStudy | None:
    check_size(data)
    document = parse_json(decode(data, label, findings), label, findings)
    system = system_of_study(document, label, findings)
    unused = [key for key in document if key not in _KEYS]
    if unused:
        findings.warning(
            label, "", "", f"keys that are not used: {shown_list(unused)}; remove them"
        )
    settings = read_settings(Fields.of(document, "settings", label, findings), system)
    vertices = read_points(document.get("vertices"), f"{label} [vertices]", findings)
    points = read_points(document.get("points"), f"{label} [points]", findings)
    took = Fields.of(document, "took", label, findings).numbers()
    versions = Fields.of(document, "versions", label, findings).texts()
    if system is None:
        return None
    if system.apc is None and (
        not without_front(settings.blocks) or any(document.get(key) for key in _OF_FRONT)
    ):
        message = "has no apc (average watts), but a study is about energy; add it"
        findings.error(f"{label} [system]", "", "", message)
        return None
    schedules = read_schedules(document.get("schedules"), label, system, findings)
    choice = read_choice(document.get("choice"), label, system, findings)
    proof = read_proof(document.get("patterns"), label, system, findings)
    fitting = read_fitting(document, label, findings)
    if findings.failed:
        return None
    settings = _with_sound_sample(settings, system, label, findings)
    return SavedStudy(
        system, settings, vertices, points, schedules, choice, took, versions, proof, fitting
    )


def _with_sound_sample(
    settings: StudySettings, system: System, label: str, findings: Findings
) -> StudySettings:
    """The settings, without the sample if the system is not the same: commands would be wrong."""
    name = settings.sample
    if name is None:
        return settings
    if name in sample_names():
        sample = load_sample(name)
        if settings.idle_power is not None and sample.apc is not None:
            sample = sample.with_idle_fraction(settings.idle_power)
        if sample == system:
            return settings
    message = "the system is not the sample of that name; its commands read it from this file"
    findings.warning(f"{label} [settings]", "", "sample", message)
    return replace(settings, sample=None)
