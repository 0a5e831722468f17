"""Whole tasks under each policy: cases that are known by hand."""

import numpy as np
import pytest
from stretch.made import compute_only, f10, made

from core.stretch.bags import ArrivingBags
from core.stretch.tasks.machine_work import MachineWork
from core.stretch.tasks.outcome import TaskOutcome
from core.stretch.tasks.policies import run_policy, task_policy_named
from core.stretch.tasks.running import OpenTasks


def came(bags: ArrivingBags, policy: str) -> TaskOutcome:
    return run_policy(MachineWork.of(bags), task_policy_named(policy))


def came_without_prefetch(bags: ArrivingBags, policy: str) -> TaskOutcome:
    """Tasks are sent to idle machines only."""
    rules = task_policy_named(policy).rules._replace(ahead=False)
    run = OpenTasks(MachineWork.of(bags), rules)
    run.run()
    return run.outcome(policy)


POLICIES = ("fifo-rr", "srpt-mct", "spt-dd", "mwma-ms", "cbs3m-edf-offline", "cbs3m-fifo-online")


@pytest.mark.parametrize("policy", POLICIES)
def test_t1_sending_takes_longer_than_computing(policy: str) -> None:
    found = came(made((3,), [[1.0]], data=2.0), policy)
    np.testing.assert_allclose(found.sent, [0, 2, 4])
    np.testing.assert_allclose(found.arrived, [2, 4, 6])
    np.testing.assert_allclose(found.start, [2, 4, 6])
    np.testing.assert_allclose(found.end, [3, 5, 7])
    assert found.scores.max_stretch == pytest.approx(7 / 6)


@pytest.mark.parametrize("policy", [name for name in POLICIES if name[:4] not in ("srpt", "mwma")])
def test_t2_two_links_share_the_bandwidth(policy: str) -> None:
    found = came(made((2,), [[1.0], [1.0]], data=1.0), policy)
    np.testing.assert_allclose(found.arrived, [2, 2])
    np.testing.assert_allclose(found.end, [3, 3])
    assert found.scores.max_stretch == pytest.approx(1.5)


def t3() -> ArrivingBags:
    return compute_only((4, 1), release=(0, 1))


def test_t3_first_come_first_served() -> None:
    for found in (came(t3(), "fifo-mct"), came_without_prefetch(t3(), "fifo-mct")):
        np.testing.assert_allclose(found.completion, [4, 5])
        assert found.scores.max_stretch == pytest.approx(4)
        assert found.scores.sum_flow == pytest.approx(8)


@pytest.mark.parametrize("order", ["spt", "srpt", "swrpt"])
def test_t3_the_short_bag_first(order: str) -> None:
    found = came_without_prefetch(t3(), f"{order}-dd")
    np.testing.assert_allclose(found.completion, [5, 2])
    assert found.scores.max_stretch == pytest.approx(1.25)
    assert found.scores.sum_flow == pytest.approx(6)


@pytest.mark.parametrize("policy", ["spt-rr", "srpt-mct", "swrpt-dd", "cbs3m-edf-offline"])
def test_t3_what_was_sent_ahead_comes_first(policy: str) -> None:
    found = came(t3(), policy)
    np.testing.assert_allclose(found.completion, [5, 3])
    assert found.scores.max_stretch == pytest.approx(2)
    assert found.scores.sum_flow == pytest.approx(7)


@pytest.mark.parametrize(
    ("orders", "completion", "worst"),
    [(("fifo", "srpt"), (10, 14), 1.75), (("spt", "swrpt"), (14, 11), 1.4)],
)
def test_t4_nearly_done_first_or_not(
    orders: tuple[str, ...], completion: tuple[float, float], worst: float
) -> None:
    bags = compute_only((10, 4), release=(0, 7))
    for order in orders:
        found = came_without_prefetch(bags, f"{order}-mct")
        np.testing.assert_allclose(found.completion, completion)
        assert found.scores.max_stretch == pytest.approx(worst)


@pytest.mark.parametrize(("choice", "end"), [("rr", 16), ("dd", 8), ("mct", 6)])
def test_t5_choices_of_machines(choice: str, end: float) -> None:
    bags = made((12,), [[1], [1], [4]])
    assert bags.ideal == pytest.approx([16 / 3])
    found = came(bags, f"fifo-{choice}")
    assert found.completion == pytest.approx([end])
    assert found.scores.makespan == pytest.approx(end)


@pytest.mark.parametrize(
    ("policy", "completion", "worst"),
    [
        ("cbs3m-edf-offline", (2.5, 5.25), 1.3125),
        ("cbs3m-fifo-offline", (2.5, 5.25), 1.3125),
        ("fifo-mct", (2.5, 5.75), 1.4375),
    ],
)
def test_t6_two_kinds_of_bags(policy: str, completion: tuple[float, float], worst: float) -> None:
    found = came(f10(), policy)
    np.testing.assert_allclose(found.completion, completion)
    assert found.scores.max_stretch == pytest.approx(worst)
