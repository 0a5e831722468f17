"""Methods for bags of tasks do what their description says, and keep to arrivals and cores."""

from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest
from capabilities.arrivals.bags import NaiveBag, workload_of
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.arrivals.uncertain.bags import UncertainSettings, draw_uncertain
from core.capabilities.arrivals.uncertain.methods import (
    BAG_METHODS,
    METHODS,
    WEIGHED,
    BagSettings,
    ListMethod,
    run_method,
)
from core.engines.replay.judge import judge_outcome
from core.engines.replay.workload import Horizon, Options, Truth, Workload
from core.vocabulary.problems import InvalidInput

EVERY = 4.0
WAITING = BagSettings(waits=True)
MIN = {"total": "MIN", "task": "MIN of the task", "machine": "MIN of the machine"}
FIRST = {"maxmin": "Max", "maxmin-energy": "Max", "suffmin-energy": "Suff"}


@st.composite
def bags(draw: st.DrawFn) -> tuple[Workload, Truth, NaiveBag]:
    """Few tasks, few cores, many ties; times are exact in binary."""
    count, wide = draw(st.integers(1, 7)), draw(st.integers(1, 3))
    cores = draw(st.lists(st.integers(1, 2), min_size=wide, max_size=wide))
    arrival = sorted(draw(st.lists(st.integers(0, 12), min_size=count, max_size=count)))
    times = st.integers(1, 12).map(float)
    if draw(st.booleans()):
        speed = np.array(draw(st.lists(st.sampled_from([1, 2, 4]), min_size=wide, max_size=wide)))
        base = np.array(draw(st.lists(times, min_size=count, max_size=count)))
        seconds = base[:, None] / speed
    else:
        cell = st.one_of(times, times, times, st.just(np.inf))
        cells = draw(st.lists(cell, min_size=count * wide, max_size=count * wide))
        seconds = np.array(cells).reshape(count, wide)
        nowhere = np.isinf(seconds).all(axis=1)
        seconds[nowhere] = 3.0
    power = st.integers(0, 3).map(float)
    cells = draw(st.lists(power, min_size=count * wide, max_size=count * wide))
    watts = np.array(cells).reshape(count, wide)
    shares = st.sampled_from([0.25, 0.5, 1.0])
    share = draw(st.lists(shares, min_size=count, max_size=count))
    idle = draw(st.sampled_from([0.0, 1.0, 4.0]))
    machine = np.repeat(np.arange(wide), cores).tolist()
    naive = NaiveBag(
        [float(one) for one in arrival],
        seconds.tolist(),
        watts.tolist(),
        machine,
        idle * sum(cores),
        share,
    )
    workload = workload_of([float(one) for one in arrival], seconds, watts, cores, idle)
    return workload, Truth(np.array(share), np.ones(count)), naive


@pytest.mark.thorough
@examples(200)
@given(bags(), st.sampled_from(list(METHODS.values())), st.sampled_from([*MIN]))
def test_a_method_is_what_its_description_says(case, method: ListMethod, criterion: str) -> None:
    workload, truth, naive = case
    ours = run_method(workload, truth, method, BagSettings(criterion, EVERY))
    onto = "Min"
    if method.name.endswith("energy"):
        onto = MIN[criterion]
    if method.when == "greedy":
        naive.greedy(onto)
    elif method.when == "offline":
        naive.offline(FIRST[method.name.removeprefix("offline-")], onto)
    else:
        naive.batch(FIRST[method.name.removeprefix("batch-")], onto, EVERY)
    theirs = [naive.ran[task] for task in range(len(truth.time))]
    pool = workload.options.pool[ours.option]
    mine = list(zip(pool.tolist(), ours.start.tolist(), ours.end.tolist(), strict=True))
    assert mine == theirs


@pytest.mark.parametrize("method", BAG_METHODS.values(), ids=lambda one: one.name)
def test_a_run_keeps_to_arrivals_cores_and_truth(method: ListMethod) -> None:
    """The judge checks all of that; here all tasks run, too."""
    workload, truth = draw_uncertain(UncertainSettings(tasks=300, errors="high", seed=4))
    outcome = run_method(workload, truth, method)
    assert outcome.ran.all()
    verdict = judge_outcome(outcome)
    assert verdict.ok, verdict.problems
    assert verdict.joules == pytest.approx(outcome.joules)


def test_without_errors_nothing_shifts() -> None:
    """Offline runs are then as planned: with shorter tasks, no start is later than that."""
    settings = UncertainSettings(tasks=300, errors="medium", seed=1)
    workload, truth = draw_uncertain(settings)
    for name in ("offline-maxmin", "offline-maxmin-energy", "offline-suffmin-energy"):
        planned = run_method(workload, Truth.as_estimated(300), METHODS[name])
        actual = run_method(workload, truth, METHODS[name])
        assert (actual.option == planned.option).all()
        assert (actual.start <= planned.start).all()
        assert actual.makespan < planned.makespan


def test_the_longest_goes_first_and_the_cheapest_machine_fills_up() -> None:
    """Tasks of 4, 3 and 2 s on a fast dear core and a slow cheap one, both without idle power."""
    seconds = np.array([[2.0, 4.0], [1.0, 2.0], [1.5, 3.0]])
    watts = np.array([[9.0, 1.0]] * 3)
    workload = workload_of([0.0, 0.0, 0.0], seconds, watts, [1, 1], 0.0)
    exact = Truth.as_estimated(3)
    soonest = run_method(workload, exact, METHODS["offline-maxmin"])
    assert soonest.start.tolist() == [0.0, 2.0, 0.0]
    assert soonest.end.tolist() == [2.0, 3.0, 3.0]
    cheapest = run_method(workload, exact, METHODS["offline-maxmin-energy"])
    assert cheapest.end.tolist() == [4.0, 9.0, 7.0]
    assert cheapest.joules == 9.0


def test_idle_power_keeps_a_plan_short_unless_only_the_task_counts() -> None:
    seconds, watts = np.array([[2.0, 4.0]] * 2), np.array([[9.0, 1.0]] * 2)
    workload = workload_of([0.0, 0.0], seconds, watts, [1, 1], 10.0)
    exact, method = Truth.as_estimated(2), METHODS["offline-maxmin-energy"]
    assert run_method(workload, exact, method).makespan == 4.0
    assert run_method(workload, exact, method, BagSettings("task")).makespan == 8.0


def test_jobs_of_several_units_are_refused() -> None:
    workload = workload_of([0.0], np.array([[2.0]]), np.array([[1.0]]), [4], 0.0)
    wide = Options.of(1, 0, [2], 1, 1)
    two = Options.of([0, 0], 0, 1, 1, 1)
    for options, message in ((wide, "more than one core"), (two, "two options on one machine")):
        odd = Workload(workload.pools, workload.jobs, options)
        with pytest.raises(InvalidInput, match=message):
            run_method(odd, Truth.as_estimated(1), METHODS["greedy-min"])


def test_jobs_that_take_memory_are_refused() -> None:
    """They would start where there is no memory left."""
    workload = workload_of([0.0], np.array([[2.0]]), np.array([[1.0]]), [4], 0.0)
    pools = replace(workload.pools, resources=("memory_gb",), further=np.array([[16.0]]))
    for taken, refused in ((0.0, False), (4.0, True)):
        options = replace(workload.options, further=np.array([[taken]]))
        with pytest.raises(InvalidInput, match="memory_gb: is taken") if refused else nullcontext():
            run_method(
                Workload(pools, workload.jobs, options),
                Truth.as_estimated(1),
                METHODS["greedy-min"],
            )


@pytest.mark.parametrize("method", [METHODS["offline-maxmin"], METHODS["greedy-min"], WEIGHED])
def test_a_workload_with_an_end_is_refused(method: ListMethod) -> None:
    """They would let jobs start after it. What is scored may begin late, since all jobs run."""
    workload = workload_of([0.0] * 2, np.full((2, 1), 10.0), np.ones((2, 1)), [1], 0.0)
    truth = Truth.as_estimated(2)
    for end in (15.0, 1e9):
        with pytest.raises(InvalidInput, match=r"column end: is .* methods for bags do all jobs"):
            run_method(replace(workload, horizon=Horizon(0.0, end)), truth, method)
    outcome = run_method(replace(workload, horizon=Horizon(15.0)), truth, method)
    assert outcome.ran.all()


def test_cores_that_wait_start_at_ticks_only() -> None:
    workload, truth = draw_uncertain(UncertainSettings(tasks=200, errors="high", seed=2))
    for method, settings in ((WEIGHED, BagSettings()), (METHODS["batch-maxmin"], WAITING)):
        outcome = run_method(workload, truth, method, settings)
        assert (outcome.start % 60 == 0).all()
    published = run_method(workload, truth, METHODS["batch-maxmin"])
    assert (published.start % 60 != 0).any()


def test_events_are_when_something_was_planned() -> None:
    """Two tasks of 90 s that take half of it, on one core; the second arrives at 10 s."""
    workload = workload_of([0.0, 10.0], np.full((2, 1), 90.0), np.ones((2, 1)), [1], 0.0)
    early = Truth(np.full(2, 0.5), np.ones(2))
    events = {
        name: run_method(workload, early, BAG_METHODS[name]).decisions
        for name in ("offline-maxmin", "batch-maxmin", "greedy-min", "weighed")
    }
    assert events["offline-maxmin"].time.tolist() == [0.0]
    assert events["greedy-min"].time.tolist() == [0.0, 10.0]
    assert events["greedy-min"].waiting.tolist() == [0, 1]
    assert events["batch-maxmin"].time.tolist() == [0.0, 60.0, 120.0]
    assert events["weighed"].time.tolist() == [0.0, 60.0, 120.0]
