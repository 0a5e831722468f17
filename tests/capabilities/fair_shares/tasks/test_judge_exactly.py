"""The judge of whole tasks against an enumeration in exact fractions: it passes what can have been
sent, and refuses what cannot.
"""

import math
from fractions import Fraction
from itertools import chain, combinations, pairwise
from typing import NamedTuple

import numpy as np
import pytest
from capabilities.fair_shares.made import made
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.fair_shares.tasks.judge import located_task_faults, task_faults
from core.capabilities.fair_shares.tasks.machine_work import MachineWork
from core.capabilities.fair_shares.tasks.outcome import TaskOutcome
from core.capabilities.fair_shares.tasks.policies import run_policy, task_policy_named

ROOM = Fraction(1, 10**6)
"""Seconds: far more than the judge takes for rounding within a minute."""
LIMITS = st.sampled_from([1.0, 2.0, 3.0, math.inf])


class Sent(NamedTuple):
    """What is sent to a machine, from one date to another (s), in bytes."""

    machine: int
    begin: Fraction
    end: Fraction
    data: Fraction


class Drawn(NamedTuple):
    sent: tuple[Sent, ...]
    links: tuple[float, ...]
    bandwidth: float


@st.composite
def draws(draw: st.DrawFn) -> Drawn:
    """Transfers that overlap, also over one link, in long and in short windows, and in none."""
    links = tuple(draw(st.lists(LIMITS, min_size=1, max_size=3)))
    sent = []
    for _ in range(draw(st.integers(1, 4))):
        begin, seconds, data = (draw(st.integers(low, 5)) for low in (0, 0, 1))
        scale = draw(st.sampled_from([Fraction(1), Fraction(1, 2**10)]))
        machine = draw(st.integers(0, len(links) - 1))
        sent.append(Sent(machine, begin * scale, (begin + seconds) * scale, data * scale))
    return Drawn(tuple(sent), links, draw(LIMITS))


def exact_limit(limit: float, seconds: Fraction) -> Fraction | None:
    """Bytes in some time; None without a limit."""
    return None if math.isinf(limit) else Fraction(limit) * seconds


def least(*amounts: Fraction | None) -> Fraction | None:
    given = [amount for amount in amounts if amount is not None]
    return min(given, default=None)


def carried(drawn: Drawn, some: tuple[Sent, ...]) -> Fraction | None:
    """The most that can be sent of some transfers together; None without a limit."""
    dates = sorted({date for one in drawn.sent for date in (one.begin, one.end)})
    total = Fraction(0)
    for begin, end in pairwise(dates):
        now = {one.machine for one in some if one.begin <= begin and one.end >= end}
        over = [exact_limit(drawn.links[machine], end - begin) for machine in now]
        links = None if None in over else sum((one for one in over if one is not None), Fraction(0))
        most = Fraction(0) if not now else least(links, exact_limit(drawn.bandwidth, end - begin))
        if most is None:
            return None
        total += most
    return total


def can_be_sent(drawn: Drawn) -> bool:
    """Whether there are rates: by the theorem of maximum flow and least cut, if the data of no set
    of transfers exceed what links and master can carry of it.
    """
    limited = [
        one for one in drawn.sent if math.isfinite(min(drawn.links[one.machine], drawn.bandwidth))
    ]
    sets = chain.from_iterable(combinations(limited, n) for n in range(1, len(limited) + 1))
    for some in sets:
        most = carried(drawn, some)
        if most is not None and sum(one.data for one in some) > most:
            return False
    return True


def with_room(drawn: Drawn) -> Drawn:
    """A little more time and less data than stated: what even then cannot be is clearly wrong."""
    room = tuple(
        Sent(one.machine, one.begin - ROOM, one.end + ROOM, one.data * (1 - Fraction(1, 10**5)))
        for one in drawn.sent
    )
    return drawn._replace(sent=room)


def outcome_of(drawn: Drawn, since: float = 0.0) -> TaskOutcome:
    """Tasks of a second, each of a bag of its own, that run one after the other at the end."""
    count = len(drawn.sent)
    machine = np.array([one.machine for one in drawn.sent])
    bags = made(
        [1] * count,
        [[1.0] * count for _ in drawn.links],
        data=[float(one.data) for one in drawn.sent],
        release=since,
        links=drawn.links,
        bandwidth=drawn.bandwidth,
    )
    begins, ends = (
        np.array([float(getattr(one, name)) for one in drawn.sent]) + since
        for name in ("begin", "end")
    )
    start = ends.max() + np.arange(count)
    return TaskOutcome(
        bags, "", np.arange(count), machine, np.zeros(count, int), begins, ends, start, start + 1
    )


@given(draws(), st.sampled_from([0.0, -5.0, 2.0**20]))
def test_the_judge_is_right_about_links_and_bandwidth(drawn: Drawn, since: float) -> None:
    """Issue 33, point 26: unlimited links, transfers that overlap, and such that take no time."""
    outcome = outcome_of(drawn, since)
    if can_be_sent(drawn):
        assert task_faults(outcome) == []
    elif not can_be_sent(with_room(drawn)):
        faults = located_task_faults(outcome)
        assert faults
        for fault in faults:
            assert "bandwidth" in fault.said or "faster than the link" in fault.said
            assert fault.task is not None
            due = drawn.sent[fault.task].end
            before = tuple(one for one in drawn.sent if one.end <= due)
            assert not can_be_sent(drawn._replace(sent=before))


ONE_LINK = Drawn((), (math.inf,), 1.0)


@pytest.mark.parametrize(
    ("sent", "right"),
    [
        ([(0, 10), (10, 20), (20, 30)], True),
        ([(0, 10), (0, 20), (0, 30)], True),
        ([(0, 0.1), (0.1, 0.2), (0.2, 0.3)], False),
        ([(0, 10), (0, 20), (0, 29.9)], False),
        ([(0, 10), (10, 20), (20, 20)], False),
    ],
)
def test_an_unlimited_link_carries_no_more_than_the_master_sends(
    sent: list[tuple[float, float]], right: bool
) -> None:
    """Issue 33, point 26: 10 bytes each, at 1 byte a second."""
    data = Fraction(10)
    rows = tuple(Sent(0, Fraction(begin), Fraction(end), data) for begin, end in sent)
    faults = task_faults(outcome_of(ONE_LINK._replace(sent=rows)))
    assert faults == ([] if right else ["the master or a link sends more than its bandwidth"])


@pytest.mark.parametrize(("end", "right"), [(2.0, False), (2.9, False), (3.0, True)])
@pytest.mark.parametrize("share", [False, True])
def test_links_and_the_master_together(end: float, right: bool, share: bool) -> None:
    """Issue 33, point 26: each link alone could carry all, and so could the master, but until 1 s
    the master sends two bytes to other machines, and then a link carries two bytes until 3 s: of
    one transfer, or of two that share it.
    """
    rows = [(0, end, 1), (0, end, 1), (1, 1.0, 2)] if share else [(0, 1.0, 1), (1, 1.0, 1)]
    rows += [] if share else [(2, end, 2)]
    links = (1.0, 2.0) if share else (1.0, 1.0, 1.0)
    sent = tuple(Sent(m, Fraction(0), Fraction(due), Fraction(data)) for m, due, data in rows)
    faults = task_faults(outcome_of(Drawn(sent, links, 2.0)))
    assert faults == ([] if right else ["the master or a link sends more than its bandwidth"])


def test_many_small_transfers_are_not_forgiven_together() -> None:
    """Issue 33, point 26: 2,000 bytes of 10 us each follow one another in no time at all."""
    rows = tuple(Sent(0, Fraction(0), Fraction(0), Fraction(1, 10**5)) for _ in range(2000))
    drawn = Drawn(rows, (math.inf,), 1000.0)
    assert task_faults(outcome_of(drawn))


def test_memory_beside_much_larger_memory() -> None:
    """Issue 33, point 26: what another machine holds does not blur what is too much for one."""
    bags = made(
        (2, 1),
        [[1, 1], [1, 1]],
        data=(1.0, 1e12),
        memory=(1.5, 1e13),
        links=math.inf,
        bandwidth=math.inf,
    )
    times = np.array([[0, 0, 0], [0, 0, 0], [0, 1, 0], [1, 2, 1]], float)
    kinds, none = np.array([0, 0, 1]), np.zeros(3, int)
    outcome = TaskOutcome(bags, "", np.array([0, 0, 1]), kinds, none, *times)
    assert task_faults(outcome) == ["a machine of M0 holds more than its memory"]


def test_dates_far_from_zero() -> None:
    """Issue 33, point 26: a date of 1e12 s has no digits below a ten thousandth of a second."""
    bags = made((3, 2), [[0.3, 0.7], [0.1, 0.9]], data=(0.1, 0.3), release=1e12)
    assert task_faults(run_policy(MachineWork.of(bags), task_policy_named("fifo-mct"))) == []
