"""A study comes back from its file as it was, and one that is too large is refused."""

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from any_settings import any_settings as any_site
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import currencies, names, schedules, systems
from studied import as_file, doubting, study_of

from core.capabilities.profit import CAPABILITY as PROFIT
from core.capabilities.profit.settings import Named, ProfitSettings
from core.engines.front.known import Proofs
from core.engines.front.methods import METHODS, Lp
from core.engines.front.patterns import PatternSearch
from core.engines.front.study import Study, pick, study
from core.engines.front.wish import Deadline, EnergyBudget, ExchangeRate, PeakCap, PowerCap
from core.engines.recover.along import points_of
from core.files import inspect_system
from core.files.samples.named import load_sample
from core.shells.studies import (
    Choice,
    StudySettings,
    inspect_study,
    inspect_study_bytes,
    settings,
    study_lines,
    write_study,
    writer,
)
from core.vocabulary.budget import Budget, Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.prices.site import Site
from core.vocabulary.problems import InvalidInput, errors
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from core.vocabulary.timed import TimedSchedule
from core.vocabulary.without_work import WithoutWork

WISHES = [Deadline(7200.0), EnergyBudget(1e7), PowerCap(5e4), ExchangeRate(12.5), None]


@st.composite
def profit_settings(draw: st.DrawFn, system: System, site: Site) -> ProfitSettings:
    def named(types: Sequence[TaskType] | Sequence[MachineType]) -> st.SearchStrategy[Named]:
        some = st.lists(st.sampled_from([one.name for one in types]), unique=True)
        return some.map(lambda names: tuple((name, draw(st.floats(0, 1e6))) for name in names))

    money = st.floats(0, 1e6)
    by = draw(st.sampled_from(["ratio", "bag"]))
    return ProfitSettings(
        by=by,
        **{"ratio" if by == "ratio" else "price": draw(money)},
        electricity=draw(st.sampled_from(["kWh", "joule"])),
        site=site,
        overhead=draw(money),
        wear=draw(named(system.machine_types)),
        depreciation=draw(named(system.machine_types)),
        deadline=draw(st.none() | st.floats(1e-3, 1e6)),
        rewards=draw(named(system.task_types)),
    )


@st.composite
def any_settings(draw: st.DrawFn, system: System) -> StudySettings:
    site = draw(st.none() | any_site(Site))
    if site is not None:
        site = replace(site, currency=draw(currencies()))
    profit = st.none() if site is None else profit_settings(system, site)
    return StudySettings(
        name=draw(names()),
        idle=WithoutWork(draw(st.none() | st.floats(0, 1)), draw(st.none() | st.floats(0, 100))),
        method=draw(st.sampled_from(tuple(METHODS))),
        spacing=draw(st.floats(0.001, 2)),
        seconds=draw(st.floats(0, 1e6)),
        threads=draw(st.integers(1, 256)),
        work=draw(st.none() | st.floats(0.01, 1e6)),
        seed=draw(st.integers(0, 2**53)),
        generations=draw(st.none() | st.integers(1, 10**9)),
        site=site,
        blocks=PROFIT.block(draw(st.none() | profit)),
        view=draw(st.dictionaries(names(), names(), max_size=2)),
    )


@examples(5)
@given(
    schedule=schedules(systems(with_apc=True, dyadic=True)),
    title=names(),
    wish=st.sampled_from(WISHES),
    data=st.data(),
)
def test_what_is_written_is_read_back(
    schedule: Schedule, title: str, wish: Any, data: st.DataObject
) -> None:
    asked = data.draw(any_settings(schedule.system))
    found = study_of(schedule)
    reading = inspect_study_bytes("s.json", as_file(found, asked, Choice(schedule, title, wish)))
    assert not errors(reading.problems)
    saved = reading.require()
    assert saved.system == schedule.system
    assert saved.settings == asked
    assert saved.choice is not None
    assert (saved.choice.title, saved.choice.wish) == (title, wish)
    again = saved.study()
    assert saved.agrees_with(again.front)
    assert again.verified
    for one in (again.schedules[0], saved.choice.schedule):
        np.testing.assert_array_equal(one.tasks, schedule.tasks)
        np.testing.assert_array_equal(one.machines, schedule.machines)
    np.testing.assert_array_equal(again.points, found.points)


def test_a_study_of_a_sample_opens_as_the_same_view(tmp_path: Path) -> None:
    system = load_sample("nine").with_idle_fraction(0.2)
    found = study(system, effort=Effort(0))
    asked = StudySettings("nine", "nine", WithoutWork(0.2), seconds=0.0)
    write_study(found, asked, tmp_path / "nine.json")
    saved = inspect_study(tmp_path / "nine.json").require()
    assert saved.settings == asked
    np.testing.assert_array_equal(saved.study().achieved, found.achieved)
    np.testing.assert_array_equal(saved.points, found.points)
    np.testing.assert_array_equal(saved.vertices, found.front.points)


def test_the_file_is_its_own_system(small: Study, tmp_path: Path) -> None:
    write_study(small, StudySettings("mine"), tmp_path / "study.json")
    assert inspect_system(tmp_path / "study.json").value == small.system


def test_a_study_without_schedules_can_be_kept(small: Study) -> None:
    bound = study(small.system, method="bound")
    saved = inspect_study_bytes("s", as_file(bound, StudySettings("b", method="bound"))).require()
    assert saved.schedules == ()
    assert saved.study().verified


@pytest.mark.parametrize("doubtful", [0, -1])
def test_every_schedule_of_an_opened_study_is_verified_anew(
    small: Study, monkeypatch: pytest.MonkeyPatch, doubtful: int
) -> None:
    opened = inspect_study_bytes("s", as_file(small, StudySettings("mine"))).require()
    assert opened.study().verified
    monkeypatch.setattr(settings, "verify", doubting(opened.schedules[doubtful]))
    assert not opened.study().verified


def test_of_too_many_schedules_both_ends_and_some_between_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = study(load_sample("nine"), effort=Effort(0))
    largest = max(schedule.tasks.size for schedule in found.schedules)
    monkeypatch.setattr(writer.limits, "CELLS", 6 * largest)
    saved = inspect_study_bytes("s", as_file(found, StudySettings("nine"))).require()
    assert 2 < len(saved.schedules) <= 6 < len(found.achieved)
    ends = points_of([saved.schedules[0], saved.schedules[-1]])
    np.testing.assert_array_equal(ends, found.achieved[[0, -1]])
    assert len(saved.points) == len(found.points)
    monkeypatch.setattr(writer.limits, "CELLS", 1)
    with pytest.raises(InvalidInput, match="too large"):
        as_file(found, StudySettings("nine"), Choice(found.schedules[0], "one"))


def test_bytes_of_a_name_that_are_no_text_are_question_marks(small: Study) -> None:
    name = os.fsdecode(b"caf\xe9.json")
    lines = study_lines(small, StudySettings(name, seconds=0.0), None, name)
    saved = inspect_study_bytes("s.json", "".join(lines).encode()).require()
    assert saved.settings.name == "caf?.json"


def test_another_suffix_is_refused(small: Study, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"name a \.json file"):
        write_study(small, StudySettings("mine"), tmp_path / "study.txt")
    assert not list(tmp_path.iterdir())


def test_a_path_to_nothing_is_a_problem(tmp_path: Path) -> None:
    assert "does not exist" in str(inspect_study(tmp_path / "no.json").problems[0])


@pytest.mark.thorough
def test_gaps_are_the_same_when_it_is_opened_again() -> None:
    system = load_sample("nine")
    plain = study(system, effort=Effort(0))
    search = PatternSearch(plain.proven, plain.schedules)
    search.run(Budget(60, threads=2), enough=3)
    found = replace(plain, proofs=Proofs(patterns=search.proven()))
    written = as_file(found, StudySettings("nine", seconds=1.5), None)
    again = inspect_study_bytes("s.json", written).require().study()
    np.testing.assert_array_equal(again.points, found.points[found.on_front])
    gaps = found.proven.energy_gaps(again.points)
    np.testing.assert_array_equal(again.proven.energy_gaps(again.points), gaps)
    assert (gaps < plain.proven.energy_gaps(again.points)).any()
    # Of an older file, which says nothing of patterns, the front is still proven.
    older = json.loads(written)
    del older["patterns"]
    opened = inspect_study_bytes("s.json", json.dumps(older).encode())
    assert not errors(opened.problems)
    assert opened.require().study().proofs.patterns is None


def test_a_small_system_is_settled_again() -> None:
    system = load_sample("two-by-two").with_idle_fraction(0.1)
    found = study(system, effort=Effort(0.05))
    assert found.proofs.settled is not None
    again = inspect_study_bytes(
        "s.json", as_file(found, StudySettings("x", seconds=0.05), None)
    ).require()
    points = found.achieved
    gaps = found.proven.energy_gaps(points)
    np.testing.assert_array_equal(again.study().proven.energy_gaps(points), gaps)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"prices": [[1.0]]}, "are not at most"),
        ({"prices": "x"}, "are not at most"),
        ({"until": [0.5]}, "is not a whole number for each"),
        ({"until": []}, "is not a whole number for each"),
        ({"shortest": None}, "shortest"),
        ({"longest": 1e25}, "which is not a valid range; it is left out"),
        ({"shortest": 1e-9, "longest": 2e-9}, None),
    ],
)
def test_a_proof_that_is_none_is_said_and_one_that_lies_proves_nothing_false(
    change: dict[str, Any], said: str | None
) -> None:
    system = load_sample("nine")
    found = study(system, effort=Effort(0))
    document = json.loads(as_file(found, StudySettings("nine"), None))
    prices = (np.abs(found.front.waste(1)).min(axis=1) + 1e9).tolist()
    document["patterns"] = {
        **{"shortest": 2000.0, "longest": 9000.0, "worth_a_step": 0.0},
        **{"prices": [prices], "until": [10**6]},
        **change,
    }
    reading = inspect_study_bytes("s.json", json.dumps(document).encode())
    assert any(
        said is None or said in f"{p.column} {p.message}" for p in reading.problems or [None]
    )
    if reading.ok:
        again = reading.require().study()
        assert (again.proven.least_energy(found.points[:, 1]) <= found.points[:, 0]).all()
        assert again.proven.soonest <= found.points[:, 1].min()


def test_what_single_tasks_prove_is_proven_again() -> None:
    rng = np.random.default_rng(3)
    etc = rng.uniform(1, 9, (40, 3))
    tasks = tuple(TaskType(f"T{k}", 1) for k in range(40))
    machines = tuple(MachineType(f"M{k}", 1) for k in range(3))
    found = study(System(tasks, machines, etc, 60 / etc), method=Lp(0.5), effort=Effort(work=0.1))
    assert found.proofs.fitted is not None
    written = as_file(found, StudySettings("single", work=0.1), None)
    opened = inspect_study_bytes("s.json", written)
    assert not opened.problems
    again = opened.require().study()
    assert again.proven.soonest == found.proven.soonest > 1.0001 * found.front.lines.value[-1]
    hostile = json.loads(written)
    for wrong in (1e9, -1.0, "much", [1]):
        hostile["fitting"] = wrong
        (problem,) = inspect_study_bytes("s.json", json.dumps(hostile).encode()).problems
        assert problem.column == "fitting"
    del hostile["fitting"]
    older = inspect_study_bytes("s.json", json.dumps(hostile).encode()).require()
    assert older.study().proofs.fitted is None


def test_a_schedule_that_waits_comes_back_with_its_times() -> None:
    """As long as they are of its groups; whether they are right, the judge says."""
    system, wish = load_sample("two-by-two"), PeakCap(100.0)
    found = study(system, Lp(wish=wish), effort=Effort(0))
    chosen = pick(found, wish).schedule
    assert isinstance(chosen, TimedSchedule)
    lines = "".join(study_lines(found, StudySettings("two-by-two"), Choice(chosen, "Peak", wish)))
    back = inspect_study_bytes("s.json", lines.encode()).require().choice
    assert back is not None
    assert (back.schedule.content, back.wish) == (chosen.content, wish)
    for place, wrong in ((0, 99), (1, "nobody"), (2, 7), (3, -1.0), (4, "late")):
        document = json.loads(lines)
        document["choice"]["schedule"]["timeline"][0][place] = wrong
        problems = inspect_study_bytes("s.json", json.dumps(document).encode()).problems
        assert "is not what its groups run" in " ".join(one.message for one in errors(problems))
