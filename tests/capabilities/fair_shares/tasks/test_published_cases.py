"""Whole tasks under each policy: cases that are known by hand."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from capabilities.fair_shares.made import compute_only, f10, made

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.tasks.machine_work import MachineWork
from core.capabilities.fair_shares.tasks.outcome import TaskOutcome
from core.capabilities.fair_shares.tasks.planners import quotas
from core.capabilities.fair_shares.tasks.policies import (
    TASK_POLICIES,
    run_policy,
    task_policy_named,
)
from core.capabilities.fair_shares.tasks.running import OpenTasks
from core.vocabulary.budget import Effort

Came = Callable[[ArrivingBags, str], TaskOutcome]


def sent_ahead(bags: ArrivingBags, policy: str) -> TaskOutcome:
    return run_policy(MachineWork.of(bags), task_policy_named(policy))


def sent_to_idle_machines(bags: ArrivingBags, policy: str) -> TaskOutcome:
    rules = task_policy_named(policy).rules._replace(ahead=False)
    run = OpenTasks(MachineWork.of(bags), rules)
    run.run()
    return run.outcome(policy)


T2 = made((2,), [[1.0], [1.0]], data=1.0)
"""Two tasks; the master and the links of two machines carry 1 MB/s."""
T3 = compute_only((4, 1), release=(0, 1))
T4 = compute_only((10, 4), release=(0, 7))
T5 = made((12,), [[1], [1], [4]])
SENT_AHEAD = [
    (  # T1: sending takes longer than computing.
        made((3,), [[1.0]], data=2.0),
        ("fifo-rr", "srpt-mct", "spt-dd", "mwma-ms", "cbs3m-edf-offline", "cbs3m-fifo-online"),
        {
            **{"sent": (0, 2, 4), "arrived": (2, 4, 6), "start": (2, 4, 6), "end": (3, 5, 7)},
            "max_stretch": 7 / 6,
        },
    ),
    (  # T2: two links share the bandwidth.
        T2,
        ("fifo-rr", "spt-dd", "cbs3m-edf-offline", "cbs3m-fifo-online"),
        {"arrived": (2, 2), "end": (3, 3)},
    ),
    (  # At 0 s, a second task would be done at 3 s on either machine: behind the first task, or at
        # half the bandwidth. Of equal machines MCT waits for the first, and again at 1 s.
        T2,
        ("fifo-mct", "spt-mct", "srpt-mct", "swrpt-mct"),
        {"machine_type": (0, 0), "sent": (0, 1), "arrived": (1, 2), "end": (2, 3)},
    ),
    (  # The steady state is what the master sends, 1 task/s: half a task/s for each machine. So
        # the second task is given out at 1 s, and to the other machine.
        T2,
        ("mwma-nbt", "mwma-ms"),
        {"machine_type": (0, 1), "sent": (0, 1), "arrived": (1, 2), "end": (2, 3)},
    ),
    (T3, ("fifo-mct",), {"completion": (4, 5), "max_stretch": 4, "sum_flow": 8}),
    (  # T3: what was sent ahead comes first.
        T3,
        ("spt-rr", "srpt-mct", "swrpt-dd", "cbs3m-edf-offline"),
        {"completion": (5, 3), "max_stretch": 2, "sum_flow": 7},
    ),
    *(
        (T5, (policy,), {"completion": (end,), "makespan": end})
        for policy, end in (("fifo-rr", 16), ("fifo-dd", 8), ("fifo-mct", 6))
    ),
    (  # T6. From another optimum, T0 ends at 3 s under CBS3M FIFO: see the last test.
        f10(),
        ("cbs3m-edf-offline", "cbs3m-fifo-offline"),
        {"completion": (2.5, 5.25), "max_stretch": 1.3125},
    ),
    (f10(), ("fifo-mct",), {"completion": (2.5, 5.75), "max_stretch": 1.4375}),
]
SENT_TO_IDLE_MACHINES = [
    (T3, ("fifo-mct",), {"completion": (4, 5), "max_stretch": 4, "sum_flow": 8}),
    (  # T3: the short bag first.
        T3,
        ("spt-dd", "srpt-dd", "swrpt-dd"),
        {"completion": (5, 2), "max_stretch": 1.25, "sum_flow": 6},
    ),
    # T4: a bag that is nearly done first, or not.
    (T4, ("fifo-mct", "srpt-mct"), {"completion": (10, 14), "max_stretch": 1.75}),
    (T4, ("spt-mct", "swrpt-mct"), {"completion": (14, 11), "max_stretch": 1.4}),
]


@pytest.mark.parametrize(
    ("came", "bags", "policies", "expected"),
    [
        *((sent_ahead, *case) for case in SENT_AHEAD),
        *((sent_to_idle_machines, *case) for case in SENT_TO_IDLE_MACHINES),
    ],
)
def test_cases_known_by_hand(
    came: Came, bags: ArrivingBags, policies: tuple[str, ...], expected: dict[str, Any]
) -> None:
    for policy in policies:
        found = came(bags, policy)
        for what, value in expected.items():
            of = found.scores if hasattr(found.scores, what) else found
            assert getattr(of, what) == pytest.approx(value), (policy, what)


@pytest.mark.parametrize("policy", TASK_POLICIES)
def test_no_policy_is_done_with_t2_before_3_s(policy: str) -> None:
    """The data of the last task cannot have arrived before 2 s."""
    found = run_policy(MachineWork.of(T2), task_policy_named(policy), Effort(work=1e-4))
    assert found.completion == pytest.approx([3])
    assert found.scores.max_stretch == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("policy", "first", "completion"),
    [
        ("cbs3m-fifo-offline", "even", (2.5, 5.25)),
        ("cbs3m-fifo-offline", "uneven", (3, 5.25)),
        ("cbs3m-edf-offline", "even", (2.5, 5.25)),
        ("cbs3m-edf-offline", "uneven", (2.5, 5.25)),
    ],
)
def test_t6_follows_from_the_optimum_that_is_taken(
    policy: str, first: str, completion: tuple[float, float]
) -> None:
    """The program has many optima, as it does not care which of two equal machines gets a task.

    At the least worst stretch, 5/4, there are two intervals, of 2.5 s. In the first, T0 has to be
    done: 4 tasks, 1 MB. What is left of 2.5 MB goes to T1: 1.5 tasks. The master is busy all the
    time, and no optimum has more. The machines have 5 s and need 4.375 s, so they may share
    this in many ways. Ours is the even one, since equal machines are one worker: 2 and 2 tasks of
    T0, 0.75 and 0.75 of T1. If one machine gets all of T1, and no pause (2.125 + 1.5 / 4 = 2.5 s),
    this is a vertex of the program with a worker for each machine. There FIFO sends a task of T1
    second on that link, as 1/1.5 of it would be sent, and 2/2.125 of T0. It arrives at 1.75 s, and
    the second task of T0 there at 2 s: done at 3 s.
    """
    amounts = {
        "even": [[[2, 0], [2, 0]], [[0.75, 1.25], [0.75, 1.25]]],
        "uneven": [[[2.125, 0], [1.875, 0]], [[1.5, 2.5], [0, 0]]],
    }
    # One link is faster than the master, so that the machines are two workers.
    bags = made((4, 4), [[1, 0.25], [1, 0.25]], data=(0.25, 1), links=(1, 2))
    work, dates = MachineWork.of(bags), np.array([2.5, 5.0])
    run = OpenTasks(work, task_policy_named(policy).rules)
    run.follow(quotas(work, dates, np.array(amounts[first], float), work.counts, dates))
    run.run()
    np.testing.assert_allclose(run.outcome(policy).completion, completion)
