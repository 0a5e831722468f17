"""The judge finds nothing wrong with what the replay makes, and notices every fault."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from capabilities.fair_shares.made import made, random_bags
from examples import seeds

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.optimum import least_stretch
from core.capabilities.fair_shares.tasks import judge
from core.capabilities.fair_shares.tasks.judge import task_faults
from core.capabilities.fair_shares.tasks.machine_work import MachineWork
from core.capabilities.fair_shares.tasks.outcome import TaskOutcome
from core.capabilities.fair_shares.tasks.policies import (
    TASK_POLICIES,
    run_policy,
    task_policy_named,
)
from core.capabilities.fair_shares.trials import published_scenario
from core.vocabulary.budget import Effort
from core.vocabulary.problems import InvalidInput


@pytest.mark.parametrize("seed", seeds(6, 25))
def test_what_policies_make_is_sound_and_never_below_the_optimum(seed: int) -> None:
    bags = random_bags(seed)
    # Memory for one task of any bag at least.
    memory = np.maximum(bags.network.memory, bags.data.max())
    bags = replace(bags, network=replace(bags.network, memory=memory))
    work = MachineWork.of(bags)
    least = least_stretch(bags, early=False).proven
    for policy in TASK_POLICIES.values():
        found = run_policy(work, policy, Effort(work=1e-4))
        assert task_faults(found) == []
        assert found.scores.max_stretch >= least * (1 - 1e-9)
        assert (found.stretches >= 1 - 1e-9).all()


def small() -> ArrivingBags:
    """Two bags on two machines that share the bandwidth, each with memory for two tasks."""
    return made(
        (3, 2),
        [[2, 4], [3, 1]],
        data=(1, 2),
        release=(0, 1),
        links=(1, 2),
        bandwidth=2.0,
        memory=4.0,
    )


def outcome() -> TaskOutcome:
    return run_policy(MachineWork.of(small()), task_policy_named("fifo-rr"))


def changed(times: str, task: int, by: float) -> Callable[[TaskOutcome], TaskOutcome]:
    def change(found: TaskOutcome) -> TaskOutcome:
        values = getattr(found, times).copy()
        values[task] += by
        return replace(found, **{times: values})

    return change


def shifted(found: TaskOutcome, by: float) -> TaskOutcome:
    times = ("sent", "arrived", "start", "end")
    return replace(found, **{name: getattr(found, name) + by for name in times})


def test_tasks_that_fit_on_no_machine_are_named() -> None:
    bags = made((1, 2), [[1, 1]], data=(2e6, 5e6), memory=3e6)
    with pytest.raises(InvalidInput) as refused:
        MachineWork.of(bags)
    (problem,) = refused.value.problems
    assert (problem.row, problem.column) == ("T1", "data")
    assert (
        "has 5 MB of data, and no machine that can run it holds more than 3 MB" in problem.message
    )


def test_machines_that_cannot_hold_a_task_are_left_out() -> None:
    bags = made((4,), [[1], [1]], data=2.0, memory=(1, 2))
    found = run_policy(MachineWork.of(bags), task_policy_named("cbs3m-edf-online"))
    assert found.machine_type.tolist() == [1, 1, 1, 1]
    assert task_faults(found) == []


FAULTS: dict[str, Callable[[TaskOutcome], TaskOutcome]] = {
    "there are tasks of bags that do not exist": changed("bag", 0, 7),
    "there are machine types that do not exist": changed("machine_type", 0, 5),
    "there are machines that do not exist": changed("machine", 0, 1),
    "there are times that are not numbers": changed("start", 0, np.nan),
    "a task of T0 is sent before its release": lambda found: shifted(found, -0.01),
    "a task of T0 arrives before it is sent": changed("sent", 0, 50.0),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_noticed(fault: str) -> None:
    sound = outcome()
    assert task_faults(sound) == []
    assert fault in task_faults(FAULTS[fault](sound))


def tasks_of(bags: ArrivingBags, *rows: tuple[float, ...]) -> TaskOutcome:
    """Rows of bag, machine type, sent, arrived, start, end."""
    bag, kind, *times = np.array(rows, float).T
    kinds = kind.astype(int)
    return TaskOutcome(bags, "by hand", bag.astype(int), kinds, np.zeros_like(kinds), *times)


def test_memory_holds_what_is_sent_waits_or_runs() -> None:
    rows = ((0, 0, 0, 1, 1, 3), (0, 0, 1, 2, 3, 5), (0, 0, 3, 4, 5, 7))
    for memory, wrong in ((2.0, []), (1.9, ["a machine of M0 holds more than its memory"])):
        bags = made((3,), [[2.0]], data=1.0, memory=memory)
        assert task_faults(tasks_of(bags, *rows)) == wrong


def test_links_and_the_master_carry_only_so_much() -> None:
    """Two transfers over two links of 2 MB/s: an even share of 2 MB/s is 1 MB/s for each."""
    bags = made((2,), [[1.0], [1.0]], data=2.0, links=2.0, bandwidth=2.0)
    even = tasks_of(bags, (0, 0, 0, 2, 2, 3), (0, 1, 0, 2, 2, 3))
    assert task_faults(even) == []
    # Not evenly, but possible: all for the first, and then all for the second.
    first = tasks_of(bags, (0, 0, 0, 1, 1, 2), (0, 1, 0, 2, 2, 3))
    assert task_faults(first) == []
    fast = tasks_of(bags, (0, 0, 0, 1, 1, 2), (0, 1, 0, 1.9, 2, 3))
    assert task_faults(fast) == ["the master or a link sends more than its bandwidth"]


def test_a_link_may_be_shared_but_not_beyond_what_it_carries() -> None:
    bags = made((2,), [[1.0]], data=2.0, links=2.0, bandwidth=100.0)
    assert task_faults(tasks_of(bags, (0, 0, 0, 2, 2, 3), (0, 0, 0, 2, 3, 4))) == []
    fast = tasks_of(bags, (0, 0, 0, 1.5, 2, 3), (0, 0, 0, 1.5, 3, 4))
    assert task_faults(fast) == ["the master or a link sends more than its bandwidth"]


@pytest.mark.parametrize("seed", seeds(2, 6))
def test_even_shares_need_no_linear_program(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The replay shares the bandwidth evenly, so that explains all that it makes."""
    monkeypatch.setattr(judge, "_arrive_somehow", lambda *_: False)
    bags = published_scenario(seed, 5, 4)
    work = MachineWork.of(bags)
    for name in ("fifo-rr", "spt-dd", "mwma-ms", "cbs3m-edf-online"):
        assert task_faults(run_policy(work, task_policy_named(name))) == []


@pytest.mark.parametrize("seed", seeds(12, 60))
def test_what_even_shares_explain_is_possible(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random transfers, each over a link of its own: what even shares can carry, a linear program
    finds possible, too; and both notice more data than the master can send at all.
    """
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 6))
    begins = rng.integers(0, 4, count).astype(float)
    ends = begins + rng.integers(1, 5, count)
    links = rng.integers(1, 4, count).astype(float)
    data = np.maximum(links * (ends - begins) * rng.uniform(0.3, 1.0, count), 0.01)
    bags = made(
        [1] * count,
        [[1.0] * count] * count,
        data=data.tolist(),
        links=links.tolist(),
        bandwidth=float(rng.integers(2, 6)),
    )
    number = np.arange(count)
    start = 20.0 + number
    sent = TaskOutcome(
        bags, "by hand", number, number, np.zeros(count, int), begins, ends, start, start + 1
    )
    wrong = ["the master or a link sends more than its bandwidth"]
    found = task_faults(sent)
    total = float(data.sum()) > bags.network.bandwidth * float(ends.max() - begins.min())
    assert found == wrong if total else found in ([], wrong)
    monkeypatch.setattr(judge, "_arrive_somehow", lambda *_: False)
    evenly = task_faults(sent)
    monkeypatch.undo()
    monkeypatch.setattr(judge, "_arrive_evenly", lambda *_: False)
    assert task_faults(sent) == found
    assert evenly in ([], wrong)
    assert not (evenly == [] and found == wrong)


def test_only_what_is_too_fast_is_named() -> None:
    """One of two data is faster than its link; the master could carry both."""
    bags = made((2,), [[1.0], [1.0]], data=2.0, links=(1.0, 4.0), bandwidth=9.0)
    fast = tasks_of(bags, (0, 0, 0, 1, 1, 2), (0, 1, 0, 1, 1, 2))
    assert task_faults(fast) == ["data arrive faster than the link of M0 can carry them"]
    exact = tasks_of(bags, (0, 0, 0, 2, 2, 3), (0, 1, 0, 0.5, 1, 2))
    assert task_faults(exact) == []
