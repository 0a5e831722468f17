"""Whatever is kept of a system answers for that system alone: two that differ in one number, or in
one name, have two answers, and the same one asked again has the first.
"""

import itertools
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from pages import module_of

import dashboard
from core.capabilities.makespan.solve import solve
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.terms import Terms
from core.capabilities.switch_off.settings import SwitchOffSettings
from core.engines.relaxed.certificate import ENERGY, MAKESPAN
from core.files.samples.named import load_sample
from core.vocabulary.node_use import BusyChanges, NodeUse
from core.vocabulary.prices.site import Site
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from dashboard.parts.machines.scope import Scope
from dashboard.parts.taking.batch_settings import BatchSettings
from dashboard.screens.trade_offs.contenders import Contender, contending, kept_contenders
from dashboard.screens.what_if.compare.state import what_if_shelf
from dashboard.screens.what_if.compare.what_ifs import WhatIf
from dashboard.screens.what_if.sweeps.choices import PlannedAxis
from dashboard.server.archive import KnownResults
from dashboard.server.caching import BY_CONTENT
from dashboard.server.recent import Recent
from dashboard.workspace import asking
from dashboard.workspace.answering import PolishSettings, answering
from dashboard.workspace.chosen import Chosen, schedule_shelf, system_shelf
from dashboard.workspace.workspace import Given, Version

BASE = load_sample("two-by-two").with_idle_fraction(0.1)


def one_cell(values: np.ndarray | None) -> np.ndarray:
    assert values is not None
    other = values.copy()
    other[-1, -1] = np.nextafter(other[-1, -1], np.inf)
    return other


def with_machine(**changed: Any) -> System:
    *others, last = BASE.machine_types
    return replace(BASE, machine_types=(*others, replace(last, **changed)))


def with_task(**changed: Any) -> System:
    first, *others = BASE.task_types
    return replace(BASE, task_types=(replace(first, **changed), *others))


UNLIKE = {
    "one task more": with_task(count=BASE.task_types[0].count + 1),
    "one machine more": with_machine(count=BASE.machine_types[-1].count + 1),
    "one idle power": with_machine(idle_power=BASE.machine_types[-1].idle_power + 1e-9),
    "one time": replace(BASE, etc=one_cell(BASE.etc)),
    "one power": replace(BASE, apc=one_cell(BASE.apc)),
    "no powers": replace(
        BASE, machine_types=[replace(m, idle_power=0.0) for m in BASE.machine_types], apc=None
    ),
    "a task's name": with_task(name="other"),
    "a machine's name": with_machine(name="other"),
}


def schedule_of(system: System) -> Schedule:
    """The same machines and tasks, whatever the system."""
    made = solve(BASE, method="paper").schedule
    return Schedule(system, made.machine_type, made.machines, made.tasks)


SAME_TASKS = [name for name in UNLIKE if name not in ("one task more", "one machine more")]


@pytest.mark.parametrize("other", UNLIKE)
def test_systems_are_told_apart(other: str) -> None:
    key = BY_CONTENT[System]
    assert key(UNLIKE[other]) != key(BASE)
    assert key(replace(BASE)) == key(BASE)


@pytest.mark.parametrize("other", SAME_TASKS)
def test_schedules_of_two_systems_are_told_apart(other: str) -> None:
    key = BY_CONTENT[Schedule]
    assert key(schedule_of(UNLIKE[other])) != key(schedule_of(BASE))
    assert key(schedule_of(replace(BASE))) == key(schedule_of(BASE))


REWARDS = np.ones(500_000)
"""So many that Streamlit by itself would look at some of them only."""
SCOPE, TERMS, CONDITIONS = Scope(), Terms(2.0), ProfitSettings()
DAY = replace(CONDITIONS, site=Site(day_tariff=((7.0, 0.4),)))
AXES = (PlannedAxis("idle", 0.0, 100.0, 50.0),)
SLEEP = SwitchOffSettings()
BUSY = BusyChanges(np.arange(2.0), np.array([1, -1]))
ONE, NONE = np.ones(1), np.zeros(0)
USE = NodeUse(("M1",), np.array([2]), ONE, 0.0, 9.0, (BUSY,), (), NONE.astype(np.int64), NONE)
# Every function that Streamlit remembers for all, what else it is asked, and what it computes with.
REMEMBERED: dict[str, tuple[tuple[Any, ...], str]] = {
    "parts.frame.trade_off_state.placed_as_in_log": ((None,), "you_are_here"),
    "parts.machines.machines.rows_of": ((SCOPE,), "timeline"),
    "parts.machines.machines.machines_picture": ((SCOPE, 1.0), "gantt"),
    "parts.machines.machines.occupied": ((SCOPE,), "occupancy"),
    "parts.machines.machines.types_picture": ((SCOPE,), "overview"),
    "parts.taking.batch_dialog.foreseen_of": ((BatchSettings(()),), ""),
    "parts.taking.batch_dialog.lines_of": (((),), ""),
    "parts.taking.batch_dialog.preview_of": ((BatchSettings(()), "submit.sh"), ""),
    "screens.schedule.fastest_panel.solved": ((0.0,), ""),
    "screens.schedule.fastest_panel.compared": (("min-min",), ""),
    "screens.schedule.page.first_solved": ((), ""),
    "screens.schedule.page.judged": ((math.inf,), "verify"),
    "screens.schedule.page.proven": ((), ""),
    "screens.schedule.page.power_of": ((), "power_curve"),
    "screens.schedule.page.power_picture": ((SCOPE, "machine type"), "power_chart"),
    "screens.schedule.page.energy_picture": ((SCOPE,), "energy_split task_split"),
    "screens.schedule.page.busy_picture": ((SCOPE,), "utilisation_map"),
    "parts.machines.pairs.found_in": ((), "insight"),
    "parts.machines.pairs.picture": (("Time",), "heat_map"),
    "screens.trade_offs.page.in_two_parts": ((), "savings_in_two_parts"),
    "screens.what_if.compare.side_by_side.traced": ((), ""),
    "screens.what_if.compare.side_by_side.bounded": ((MAKESPAN,), ""),
    "screens.what_if.compare.side_by_side.fit_single_tasks": ((), "fitted_within"),
    "screens.what_if.sweeps.sweep_map.seconds_a_run": ((AXES,), ""),
    "screens.switch_off.page.advised": ((USE, SLEEP), ""),
    "screens.profit.page.front_of": ((), ""),
    "screens.profit.page.region_of": ((9.0,), ""),
    "screens.profit.page.quick": ((TERMS,), ""),
    "screens.profit.page.curve_of": ((TERMS, (1.0, 2.0), None), ""),
    "screens.profit.page.swept_over": ((TERMS, CONDITIONS, "price", None), ""),
    "screens.profit.sections.part_of": ((TERMS, REWARDS, 9.0), ""),
    "screens.profit.sections.day_for": (
        (TERMS, DAY),
        "day_of",
    ),
}
# What is remembered there is asked of no system.
OF_NO_SYSTEM = {
    "parts.frame.trade_off_state.answers",
    "screens.trade_offs.page.contenders",
    "workspace.session._systems",
    "workspace.session._schedules",
    "screens.what_if.compare.state._shelf",
    "screens.provision.state.shelf",
    "screens.centre.state._centres",
    "screens.centre.planning.kept_answers",
}
OF_SCHEDULES = (
    "parts.machines.machines",
    "parts.taking.batch_dialog",
    "screens.schedule.page",
    "screens.profit.sections.day_for",
)


@pytest.mark.parametrize("name", REMEMBERED)
def test_what_is_remembered_is_of_one_system_and_one_question(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, _ = REMEMBERED[name]
    with remembering(name, monkeypatch) as (remembered, computed):
        first = remembered(about(name, BASE), *asked)
        once = len(computed)
        assert once
        assert remembered(about(name, replace(BASE)), *asked) == first
        assert len(computed) == once, "it is computed once"
        for number, other in enumerate(
            ("one idle power", "one time", "one power", "a task's name")
        ):
            second = remembered(about(name, UNLIKE[other]), *asked)
            assert len(computed) == (2 + number) * once, other
            assert first is None or second != first, other
        for place, one in enumerate(asked):
            for otherwise in (other for usual, other in OTHERWISE if one is usual):
                changed = (*asked[:place], otherwise, *asked[place + 1 :])
                assert remembered(about(name, BASE), *changed) != first, otherwise


@contextmanager
def remembering(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Callable[..., Any], list[int]]]:
    """A function that remembers nothing yet, and the answers that it had computed, numbered."""
    _, computing = REMEMBERED[name]
    path, _, function = name.rpartition(".")
    module = module_of(f"dashboard.{path}")
    computed: list[int] = []

    def compute(*_: Any, **__: Any) -> int:
        computed.append(len(computed))
        return computed[-1]

    for each in computing.split():
        monkeypatch.setattr(module, each, compute)
    monkeypatch.setattr(asking, "compute", compute)
    _forget(module)
    yield getattr(module, function), computed
    _forget(module)


def about(name: str, system: System) -> System | Schedule:
    """What a function is asked about."""
    of_schedule = name.startswith(OF_SCHEDULES) and name != "screens.schedule.page.proven"
    return schedule_of(system) if of_schedule else system


def nudged(array: np.ndarray) -> np.ndarray:
    other = array.copy()
    other[-1] = np.nextafter(other[-1], np.inf)
    return other


OTHERWISE: tuple[tuple[Any, Any], ...] = (
    *((SCOPE, replace(SCOPE, **one)) for one in (
        {"by_type": True}, {"machine_type": 0}, {"machine_type": 0, "machine": 1},
        {"task_types": (1,)}, {"by_finish": True}, {"page": 1},
    )),
    *((TERMS, replace(TERMS, **one)) for one in (
        {"price": 2.5}, {"energy_price": 2.0}, {"pue": 1.5}, {"overhead": 1.0},
        {"wear": (1.0, 0.0)}, {"depreciation": (0.0, 1.0)}, {"power_cap": 9.0},
        {"cap_at_machines": True},
    )),
    (CONDITIONS, replace(CONDITIONS, electricity="joule")),
    (CONDITIONS, replace(CONDITIONS, site=Site(currency="CHF"))),
    (DAY, replace(DAY, site=Site(day_tariff=((8.0, 0.4),)))),
    (MAKESPAN, ENERGY),
    *((AXES, (replace(AXES[0], **one),)) for one in (
        {"name": "energy_price"}, {"low": 1.0}, {"high": 99.0}, {"step": 25.0},
    )),
    (REWARDS, nudged(REWARDS)),
    *((SLEEP, replace(SLEEP, **one)) for one in (
        {"most_waits": 0.02}, {"start_seconds": 60.0}, {"asleep_watts": 9.0},
        {"idle_share": 0.2}, {"busy_watts": 300.0},
    )),
    (USE, replace(USE, end=10.0)), (USE, replace(USE, changes=(replace(BUSY, running=1),))),
    ((1.0, 2.0), (1.0, 2.5)), ((1.0, 2.0), (1.5, 2.0)),
    *((one, one + 1e-9) for one in (0.0, 1.0, 9.0)),
    ("machine type", "task type"), ("Time", "Energy"), ("min-min", "max-min"),
    ("price", "power cap"),
)  # fmt: skip
"""What a page may ask, and what it may ask otherwise."""


def test_no_cache_overlooks_what_it_is_asked() -> None:
    """A key leaves out parameters that begin with `_`; a front follows from its system."""
    overlooked = {
        (name, parameter)
        for name in REMEMBERED
        for parameter in signature(function_of(name)).parameters
        if parameter.startswith("_")
    }
    assert overlooked == {
        ("screens.profit.page.curve_of", "_front"),
        ("screens.profit.page.swept_over", "_front"),
    }


def function_of(name: str) -> Any:
    path, _, function = name.rpartition(".")
    return getattr(module_of(f"dashboard.{path}"), function)


def _forget(module: ModuleType) -> None:
    """Empties what the functions of a module remember, those that it borrows included."""
    for function in vars(module).values():
        if hasattr(function, "clear") and hasattr(function, "__wrapped__"):
            function.clear()


def test_no_cache_is_left_out() -> None:
    root = Path(dashboard.__file__).parent
    found = set()
    for path in root.rglob("*.py"):
        lines = path.read_text().splitlines()
        module = ".".join(path.relative_to(root).with_suffix("").parts)
        found |= {
            f"{module}.{after.removeprefix('def ').partition('(')[0]}"
            for line, after in itertools.pairwise(lines)
            if line.startswith("@st.cache_")
        }
    assert found == set(REMEMBERED) | OF_NO_SYSTEM


@pytest.mark.parametrize("other", UNLIKE)
def test_a_shelf_has_a_place_for_each_system(other: str) -> None:
    systems, what_ifs = system_shelf(), what_if_shelf()
    versions = [Version(system, Given("it.zip")) for system in (BASE, UNLIKE[other])]
    keys = [systems.put(version) for version in versions]
    assert [systems.get(key) for key in keys] == versions
    compared = [(WhatIf.of(1, "it", system),) for system in (BASE, UNLIKE[other])]
    keys = [what_ifs.put(one) for one in compared]
    assert [what_ifs.get(key) for key in keys] == compared


@pytest.mark.parametrize("other", SAME_TASKS)
def test_a_shelf_has_a_place_for_the_schedule_of_each_system(other: str) -> None:
    shelf = schedule_shelf()
    chosen = [Chosen.of(schedule_of(system), "it") for system in (BASE, UNLIKE[other])]
    keys = [shelf.put(one) for one in chosen]
    assert [shelf.get(key) for key in keys] == chosen


@pytest.mark.parametrize("other", UNLIKE)
def test_an_archive_knows_the_schedules_of_each_system_alone(other: str) -> None:
    archive = KnownResults()
    archive.take(solve(BASE, method="paper"))
    known, unlike = archive.of(BASE), archive.of(UNLIKE[other])
    assert len(known.schedules) == 1
    assert unlike.system == UNLIKE[other]
    assert all(schedule.system == UNLIKE[other] for schedule in unlike.schedules)
    shares = other in ("one idle power", "one power", "no powers")
    assert len(unlike.schedules) == (1 if shares else 0), "powers change no makespan"


class _Asked:
    """What a job does, without one: what was shown of it last."""

    def __init__(self) -> None:
        self.shown: Any = None

    def show(self, shown: Any) -> None:
        self.shown = shown


@pytest.mark.parametrize("other", UNLIKE)
def test_what_a_rival_made_and_an_answer_are_kept_for_one_system(other: str) -> None:
    class NotKept(Exception):
        pass

    def begin(*_: object) -> None:
        raise NotKept

    job: Any = _Asked()
    job.begin = begin
    job.turn = begin
    rivals = kept_contenders()
    mine = Contender("min-min", (), 1.0)
    rivals.put(("min-min", BASE.fingerprint), mine)
    contending("min-min", replace(BASE), rivals)(job)
    assert job.shown is mine
    for name, system in (("min-min", UNLIKE[other]), ("max-min", BASE)):
        with pytest.raises(NotKept):
            contending(name, system, rivals)(job)
    settings = PolishSettings(0.05, 0.0)
    answers = Recent[tuple[str, PolishSettings], Any](10, lambda _: 1)
    answer: Any = object()
    answers.put((BASE.fingerprint, settings), answer)
    answering(replace(BASE), settings, answers)(job)
    assert job.shown is answer
    for system, asked in ((UNLIKE[other], settings), (BASE, PolishSettings(0.05, 1.0))):
        with pytest.raises(NotKept):
            answering(system, asked, answers)(job)
