"""Reads a study file strictly: every problem is located, and every figure is checked."""

import math
from dataclasses import fields, replace
from pathlib import Path
from typing import Final

import numpy as np

from core.engines.front.methods import GENERATION_COUNT, METHODS, SPACING
from core.engines.front.patterns import MOST_PRICES, PatternProof
from core.engines.front.wish import SI_WISHES, Wish
from core.engines.relaxed.fitting import MOST_FITTING
from core.files import limits
from core.files.disk import STUDY_SUFFIX, check_size, read_file
from core.files.document import STUDY_FORMAT, system_of_study
from core.files.findings import Findings, Reading, Unreadable, shown
from core.files.samples.named import SYSTEMS, load_sample
from core.files.strict_json import Fields, as_float, as_whole, parse_json, read_points
from core.files.text import decode
from core.shells.settings.forms import read_block
from core.shells.settings.site import read_site
from core.shells.studies.seen import NOTHING_SEEN, read_seen
from core.shells.studies.settings import (
    Choice,
    SavedStudy,
    StudySettings,
    block_of,
    with_blocks,
    without_front,
)
from core.vocabulary.prices.site import Site
from core.vocabulary.ranges import MACHINE_COUNT, SEED, TASK_COUNT, Range
from core.vocabulary.schedule import Blocks, ImpossibleSchedule, Schedule
from core.vocabulary.setting import settings_in
from core.vocabulary.system import System
from core.vocabulary.timed import TimedSchedule
from core.vocabulary.tolerances import SAME
from core.vocabulary.without_work import WithoutWork

_KEYS: Final = (
    *("format", "version", "commands", "versions", "settings", "took"),
    *("vertices", "points", "patterns", "fitting", "choice", "system", "schedules"),
)
_BLOCK: Final = 5
_HEAD: Final = 200
_OF_FRONT: Final = ("vertices", "points", "patterns", "fitting", "choice", "schedules")


def is_study_file(path: Path) -> bool:
    """Whether a file says in its first bytes that it is a study, as Wattfront writes them."""
    if path.suffix.casefold() != STUDY_SUFFIX or not path.is_file():
        return False
    with path.open("rb") as stream:
        return STUDY_FORMAT.encode() in stream.read(_HEAD)


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
    findings.unused([key for key in document if key not in _KEYS], label)
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
    if name in SYSTEMS:
        sample = load_sample(name)
        if (sample if sample.apc is None else settings.idle.of(sample)) == system:
            return settings
    message = "the system is not the sample of that name; its commands read it from this file"
    findings.warning(f"{label} [settings]", "", "sample", message)
    return replace(settings, sample=None)


_SECONDS: Final = Range(0.0, 1e9, "s")
_WORK: Final = Range(0.0, 1e9, "units of work")
_THREADS: Final = Range(1, 1e9, "threads")


def read_settings(given: Fields, system: System | None) -> StudySettings:
    """The settings, valid only if nothing was reported. All must be there, except blocks."""
    capabilities = with_blocks()
    own = {*_OF_SITE, *(field.name for field in fields(StudySettings))} - {"blocks", "idle"}
    own |= settings_in(WithoutWork).keys()
    there = {
        name: word
        for name, capability in capabilities.items()
        for word in (capability.formerly if name == capability.name else "", name)
        if word and given.has(word)
    }
    given.warn_of_unused(own | capabilities.keys() | {*there.values()})
    site = _site(given)
    return StudySettings(
        name=given.text("name"),
        sample=given.text("sample") if given.has("sample") else None,
        idle=WithoutWork(**read_block(given, WithoutWork)),
        method=given.one_of("method", METHODS),
        spacing=given.number("spacing", SPACING),
        seconds=given.number("seconds", _SECONDS),
        threads=given.whole("threads", _THREADS),
        work=given.number("work", _WORK) if given.has("work") else None,
        seed=given.whole("seed", SEED),
        generations=given.whole("generations", GENERATION_COUNT)
        if given.has("generations")
        else None,
        site=site,
        blocks={
            name: block_of(capabilities[name]).read(
                Fields.of(given.content, word, given.label, given.findings), system, site
            )
            for name, word in there.items()
        },
        view=_view(given),
        seen=read_seen(Fields.of(given.content, "seen", given.label, given.findings))
        if given.has("seen")
        else NOTHING_SEEN,
    )


_OF_SITE: Final = ("site", "tariff", "currency")


def _view(given: Fields) -> dict[str, str]:
    """What pages showed; until 0.2.0, only that an axis was in money or carbon."""
    if given.has("view"):
        return Fields.of(given.content, "view", given.label, given.findings).texts()
    tariff = given.content.get("tariff")
    if not isinstance(tariff, dict):
        return {}
    return {"axis": "money" if tariff.get("price_per_kwh") else "carbon"}


_FORMERLY: Final = {
    "price_per_kwh": "price",
    "carbon_per_kwh": "carbon",
    "price_of_carbon": "carbon_price",
}


def _site(given: Fields) -> Site | None:
    """The site of a study. Until 0.2.0, studies said a tariff and a currency in its place."""
    if given.has("site"):
        return read_site(Fields.of(given.content, "site", given.label, given.findings))
    if not given.has("tariff"):
        return None
    tariff = Fields.of(given.content, "tariff", given.label, given.findings)
    renamed = {_FORMERLY.get(key, key): value for key, value in tariff.content.items()}
    content = renamed | {"currency": given.content.get("currency")}
    return read_site(Fields(content, tariff.label, tariff.findings))


_TASK_SECONDS: Final = Range(1e-12, 1e30, "s")
_FITTING: Final = Range(0.0, 2 * MOST_FITTING, "units of work")
_AREA: Final = Range(0.0, 1e300, "J s")


def read_proof(item: object, label: str, system: System, findings: Findings) -> PatternProof | None:
    """The proof of patterns; None if there is none, or if it is wrong and reported."""
    if item is None:
        return None
    if not isinstance(item, dict):
        message = "is not an object; give null, or the prices of a proof"
        findings.error(label, "", "patterns", message)
        return None
    fields = Fields(item, f"{label} [patterns]", findings)
    fields.warn_of_unused(("shortest", "longest", "worth_a_step", "prices", "until"))
    spans = [fields.number(key, _TASK_SECONDS) for key in ("shortest", "longest")]
    worth = fields.number("worth_a_step", _AREA)
    prices = _prices(fields, len(system.task_types))
    until = _until(fields, 0 if prices is None else len(prices))
    if prices is None or until is None or not np.isfinite([*spans, worth]).all():
        return None
    proof = PatternProof(spans[0], spans[1], worth, np.array(prices), np.array(until, np.int64))
    fault = proof.fault(system)
    if fault is not None:
        findings.warning(fields.label, "", "", f"{fault}; it is left out")
        return None
    return proof


def read_fitting(document: dict[str, object], label: str, findings: Findings) -> float | None:
    """The units of work of the bound of single tasks; None if it was not computed."""
    fields = Fields(document, label, findings)
    return fields.number("fitting", _FITTING) if fields.has("fitting") else None


def _prices(fields: Fields, types: int) -> list[list[float]] | None:
    rows = fields.content.get("prices")
    if isinstance(rows, list) and 0 < len(rows) <= MOST_PRICES:
        read = [[as_float(p) for p in row] if isinstance(row, list) else [] for row in rows]
        if all(len(row) == types for row in read):
            known = [[p for p in row if p is not None and math.isfinite(p)] for row in read]
            if all(len(row) == types for row in known):
                return known
    fields.error("prices", f"are not at most {MOST_PRICES:,} rows of {types:,} numbers")
    return None


def _until(fields: Fields, rows: int) -> list[int] | None:
    given = fields.content.get("until")
    if isinstance(given, list) and len(given) == rows:
        whole = [as_whole(value) for value in given]
        known = [value for value in whole if value is not None and 0 < value < 2**31]
        if len(known) == rows:
            return known
    fields.error("until", "is not a whole number for each row of prices")
    return None


_AMOUNT: Final = Range(0.0, 1e24, "")


def read_schedules(
    items: object, label: str, system: System, findings: Findings
) -> tuple[Schedule, ...]:
    """The schedules along the front."""
    if not isinstance(items, list):
        findings.error(label, "", "schedules", 'is not a list; give "schedules": [...]')
        return ()
    room = limits.CELLS
    read = _Groups(system)
    found = []
    for k, item in enumerate(items, start=1):
        content = item if isinstance(item, dict) else {}
        fields = Fields(content, f"{label} [schedule {k:,}]", findings)
        schedule, room = _read_schedule(fields, read, room)
        if schedule is not None:
            found.append(schedule)
    return tuple(found)


def read_choice(item: object, label: str, system: System, findings: Findings) -> Choice | None:
    """The chosen schedule; None if none was chosen, or if it is wrong and reported."""
    if item is None:
        return None
    if not isinstance(item, dict):
        findings.error(label, "", "choice", "is not an object; give null, or what was chosen")
        return None
    fields = Fields(item, f"{label} [choice]", findings)
    fields.warn_of_unused(("title", "wish", "schedule"))
    title = fields.text("title")
    wish = None
    if fields.has("wish"):
        wish = _read_wish(Fields.of(item, "wish", fields.label, findings))
    stated = Fields.of(item, "schedule", fields.label, findings)
    schedule, _ = _read_schedule(stated, _Groups(system), limits.CELLS)
    return None if schedule is None else Choice(schedule, title, wish)


def _read_wish(given: Fields) -> Wish | None:
    kind = given.one_of("kind", tuple(SI_WISHES))
    amount = given.number("amount", _AMOUNT)
    return None if kind not in SI_WISHES or math.isnan(amount) else SI_WISHES[kind](amount)


def _read_schedule(stated: Fields, reader: "_Groups", room: int) -> tuple[Schedule | None, int]:
    """A schedule, or None; and how many cells may still be read."""
    stated.warn_of_unused(("energy", "makespan", "timeline", "groups"))
    groups = stated.content.get("groups")
    if not isinstance(groups, list):
        stated.error("groups", "is not a list; give one object for each group of machines")
        return None, room
    room -= reader.cells(len(groups))
    if room < 0:
        raise Unreadable(f"holds schedules of more than {limits.CELLS:,} cells; keep fewer of them")
    schedule = reader.read(groups, stated)
    if schedule is not None and "timeline" in stated.content:
        schedule = reader.timed(schedule, stated)
    if schedule is None:
        return None, room
    for key, value in (("energy", schedule.energy), ("makespan", schedule.makespan)):
        said = stated.number(key)
        if not math.isnan(said) and abs(said - value) > SAME * abs(value):
            stated.error(
                key, f"is stated as {said:g}, but its groups add up to {value:g}; correct it"
            )
    return schedule, room


class _Groups:
    """Turns groups with names of types into a schedule."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._machine = {name: j for j, name in enumerate(system.machine_names)}
        self._task = {name: i for i, name in enumerate(system.task_names)}

    def cells(self, groups: int) -> int:
        """The cells of a schedule of so many groups; without groups, each type is still checked."""
        return (groups + 1) * len(self._task) + len(self._machine)

    def read(self, groups: list[object], stated: Fields) -> Schedule | None:
        kinds = np.zeros(len(groups), np.int64)
        machines = np.zeros(len(groups), np.int64)
        tasks = np.zeros((len(groups), len(self._task)), np.int64)
        sound = True
        for g, item in enumerate(groups):
            content = item if isinstance(item, dict) else {}
            place = f"group {g + 1:,}"
            group = Fields(content, stated.label, stated.findings, place)
            kind = self._machine.get(group.text("machine_type"))
            counts = self._counts(group)
            machines[g] = group.whole("machines", Range(1, MACHINE_COUNT.high, "machines"))
            if kind is None:
                group.error("machine_type", "is not a machine type of the system; correct the name")
            if kind is None or counts is None:
                sound = False
                continue
            kinds[g] = kind
            for i, count in counts.items():
                tasks[g, i] = count
        if not sound:
            return None
        try:
            return Schedule(self._system, kinds, machines, tasks)
        except ImpossibleSchedule as fault:
            stated.error("groups", f"are not a schedule of the system: {fault}; correct them")
            return None

    def timed(self, plan: Schedule, stated: Fields) -> Schedule | None:
        """The schedule with the times of its timeline, which is reported if it is not of its
        groups. Whether the times are right is for the judge to say.
        """
        rows = stated.content["timeline"]
        given = rows if isinstance(rows, list) and len(rows) <= limits.BLOCKS else []
        blocks = [self._block(row, len(plan.machines)) for row in given]
        columns = list(zip(*(block for block in blocks if block is not None), strict=True))
        found = np.zeros_like(plan.tasks)
        if columns and None not in blocks:
            group, task, count = (np.array(column, np.int64) for column in columns[:3])
            start, end = (np.array(column, float) for column in columns[3:])
            np.add.at(found, (group, task), count)
        if not columns or not (found == plan.tasks).all():
            stated.error(
                "timeline",
                "is not what its groups run; give [group, task type, count, start, end] of each "
                "block",
            )
            return None
        timeline = Blocks(
            group,
            plan.machine_type[group],
            plan.first_machine[group],
            plan.machines[group],
            task,
            count,
            start,
            end,
        )
        return TimedSchedule.of_timeline(self._system, timeline)

    def _block(self, row: object, groups: int) -> tuple[int, int, int, float, float] | None:
        """The group, task type, count, start and end of a block; None if they are not that."""
        if not isinstance(row, list) or len(row) != _BLOCK:
            return None
        group, count = as_whole(row[0]), as_whole(row[2])
        start, end = as_float(row[3]), as_float(row[4])
        task = self._task.get(row[1]) if isinstance(row[1], str) else None
        if group is None or count is None or start is None or end is None or task is None:
            return None
        sound = 1 <= group <= groups and count in TASK_COUNT and 0 <= start <= end < math.inf
        return (group - 1, task, count, start, end) if sound else None

    def _counts(self, group: Fields) -> dict[int, int] | None:
        """Counts of tasks by the number of their type; anything else is reported, and is None."""
        there = group.content.get("tasks")
        if not isinstance(there, dict):
            group.error("tasks", 'is not an object; give {"name of a task type": count}')
            return None
        unknown = [name for name in there if name not in self._task]
        for name in unknown:
            group.error(
                "tasks", f"'{shown(name)}' is not a task type of the system; correct the name"
            )
        counts = Fields(there, group.label, group.findings, group.row)
        found = {
            position: counts.whole(name, TASK_COUNT)
            for name, position in self._task.items()
            if name in there
        }
        return None if unknown else found
