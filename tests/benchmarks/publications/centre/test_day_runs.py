"""Runs are judged, are the same again, and go on where they were interrupted."""

import json
from pathlib import Path

import pytest

from benchmarks.publications.centre import day_runs
from benchmarks.publications.centre.day_runs import (
    DAYS,
    FEW_DAYS,
    LATE,
    READ_DAYS,
    READINGS,
    EvolvedRun,
    MadeName,
    find_day,
    find_front,
    measure,
)
from core.capabilities.centre.bound import DaySearch
from core.capabilities.centre.objectives import DayCaps, DayWeights
from core.capabilities.centre.plan import measured
from core.capabilities.centre.rivals.as_usual import as_usual
from core.capabilities.centre.rivals.evolving import PUBLISHED
from core.engines.compute.many import RunsFailed
from core.vocabulary.problems import InvalidInput

DAY = MadeName("small", "g3", "B", 2)


def test_there_are_81_days_and_some_of_them_for_a_glance() -> None:
    assert len(set(DAYS)) == 81
    assert len(FEW_DAYS) == 9
    assert set(FEW_DAYS) < set(DAYS)
    assert {day[:2] for day in FEW_DAYS} == {day[:2] for day in DAYS}
    assert len(READ_DAYS) == 3


def test_what_is_known_of_a_day_adds_up() -> None:
    """Without green power, as usual is the same with and without the curve of it."""
    found, day = find_day(DAY, 0.0), DAY.drawn()
    caps = DayCaps(lateness=LATE * day.jobs.execution_steps)
    assert found.usual == pytest.approx(measured(day, as_usual(day)).cost)
    assert found.bound == DaySearch(day).bound(DayWeights.only("cost"), caps).value
    assert 0 < found.bound <= found.cost < found.usual
    assert found.cost - found.bound < 0.02 * found.usual
    assert 0 <= found.least_excess <= found.excess
    assert 0 < found.late <= LATE
    assert found.faulty == 0
    sunny = find_day(DAY._replace(green="g2"), 0.0)
    assert sunny.usual == found.usual
    assert sunny.cost < found.cost


def test_the_least_excess_is_in_the_unit_of_the_excess() -> None:
    """A target far too low: even asleep, the servers draw 192 W, and jobs need more."""
    found = find_day(MadeName("large", "g3", "A", 1), 0.0)
    day = MadeName("large", "g3", "A", 1).drawn()
    work = day.jobs.execution_steps * 27 + 192 * day.steps
    needed = (work - day.curves.target.sum()) / day.curves.target.sum()
    assert needed <= found.least_excess <= found.excess < needed + 0.6


@pytest.mark.parametrize("method", ["nsga2", "ev-moga"])
def test_a_run_has_its_plans_before_and_after_annealing(method: str) -> None:
    asked = EvolvedRun(DAY, method, 1, 3)
    found, again = find_front(asked), find_front(asked)
    assert found.evolved.tolist() == again.evolved.tolist()
    assert found.annealed.tolist() == again.annealed.tolist()
    assert found.faulty == 0
    assert len(found.evolved) == len(found.annealed) > 0
    assert (found.annealed <= found.evolved * (1 + 1e-9)).all()
    target = DAY.drawn().curves.target.sum() * 60
    assert found.evolved[:, 3] == pytest.approx(found.evolved[:, 0] / target)
    other = find_front(replace_trial(asked, 2))
    assert other.evolved.tolist() != found.evolved.tolist()


def replace_trial(asked: EvolvedRun, trial: int) -> EvolvedRun:
    return asked._replace(trial=trial)


def test_other_readings_are_others_and_are_not_annealed() -> None:
    how = PUBLISHED["ev-moga"]
    changed = [change(how) for change in READINGS.values()]
    assert len({repr(one) for one in (how, *changed)}) == 1 + len(READINGS)
    (more,) = (one for one in changed if one.pace.generations != how.pace.generations)
    assert 100 + 8 * more.pace.generations == 20_100
    asked = EvolvedRun(DAY, "ev-moga", 0, 3)
    other = find_front(asked._replace(reading="half of the pairs are mutated"))
    assert other.annealed.shape == (0, 4)
    assert other.evolved.tolist() != find_front(asked).evolved.tolist()


def test_a_run_that_finds_no_plan_has_none() -> None:
    """As printed, nothing cools in the first plans."""
    reading = "first plans as printed, where nothing cools"
    found = [
        find_front(EvolvedRun(DAY, "ev-moga", trial, 0, reading)).evolved.shape for trial in (0, 1)
    ]
    assert set(found) <= {(0, 4), (1, 4), (2, 4)}


def test_a_glance_and_all_of_it_do_not_mix(brief: list[str], tmp_path: Path) -> None:
    measure(1, quick=True, record=tmp_path / "runs")
    assert brief
    with pytest.raises(InvalidInput, match="parts of another question"):
        measure(1, record=tmp_path / "runs")


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two days, three generations, no polish; what is computed is noted."""
    done: list[str] = []
    find_one, find_other = day_runs.find_day, day_runs.find_front

    def day(name: MadeName, _: float) -> object:
        done.append(f"{name.size} {name.green}")
        return find_one(name, 0.0)

    def run(asked: EvolvedRun) -> object:
        done.append(f"{asked.method} {asked.trial} {asked.reading}".strip())
        return find_other(asked)

    monkeypatch.setattr(day_runs, "FEW_DAYS", FEW_DAYS[:2])
    monkeypatch.setattr(day_runs, "READ_DAYS", FEW_DAYS[:1])
    monkeypatch.setattr(day_runs, "FEW_GENERATIONS", 2)
    monkeypatch.setattr(day_runs, "find_day", day)
    monkeypatch.setattr(day_runs, "find_front", run)
    return done


def test_what_is_recorded_is_not_done_again(brief: list[str], tmp_path: Path) -> None:
    record = tmp_path / "runs"
    first = measure(1, quick=True, record=record)
    assert len(brief) == 2 + 4 + len(READINGS)
    brief.clear()
    more = measure(2, quick=True, record=record)
    assert sorted(set(brief)) == [
        "ev-moga 1",
        *(f"ev-moga 1 {r}" for r in sorted(READINGS)),
        "nsga2 1",
    ]
    brief.clear()
    again = measure(2, quick=True, record=record)
    assert brief == []
    for run, found in first.fronts.items():
        assert more.fronts[run].annealed.tolist() == found.annealed.tolist()
    for run, found in again.fronts.items():
        assert more.fronts[run].evolved.tolist() == found.evolved.tolist()
    assert again.days == more.days == first.days
    assert len(again.of(FEW_DAYS[0], "nsga2")) == 2
    assert len(again.of(FEW_DAYS[0], "ev-moga", "half of the pairs are mutated")) == 2


def test_what_was_done_before_a_failure_stays(
    brief: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, there = tmp_path / "runs", day_runs.find_front

    def failing(asked: EvolvedRun) -> object:
        if asked.method == "nsga2":
            raise RuntimeError("no more")
        return there(asked)

    monkeypatch.setattr(day_runs, "find_front", failing)
    with pytest.raises(RunsFailed):
        measure(1, quick=True, record=record)
    brief.clear()
    monkeypatch.setattr(day_runs, "find_front", there)
    measure(1, quick=True, record=record)
    assert brief == ["nsga2 0", "nsga2 0"]


def test_numbers_of_what_is_asked_stay() -> None:
    """A record of today can be gone on with tomorrow."""
    assert day_runs._number(DAYS[0]) == NUMBERS[0]
    assert day_runs._number(EvolvedRun(DAYS[-1], "ev-moga", 3, 1000)) == NUMBERS[1]
    assert json.dumps(DAYS[0]) == '["small", "g1", "A", 1]'


NUMBERS = (549369381512881218, 880428888302601576)
