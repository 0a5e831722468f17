"""What is a vertex, a proof or a bound of a front, at each limit and on both its sides, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from core.engines.relaxed import Lines, front, trace_front
from core.engines.relaxed.front import Optima, Placements, front_of
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


@pytest.fixture(scope="module")
def by_hand(two_by_two):
    """Three vertices on lines that they meet exactly; idling draws 15 W, and a watt less proves
    nothing about slower schedules.
    """
    return replace(
        trace_front(two_by_two(10.0, 5.0)),
        points=np.array([[100.0, 40.0], [150.0, 20.0], [300.0, 10.0]]),
        lines=lines([1.0, 0.0, 100.0], [1.0, 2.5, 200.0], [1.0, 15.0, 450.0], [0.0, 1.0, 10.0]),
        slower_lines=lines([1.0, -15.0, 50.0]),
    )


def lines(*rows):
    """Each by its weights and its value."""
    weights, value = np.split(np.array(rows), [2], axis=1)
    return Lines(weights, value[:, 0], np.ones((len(rows), 2)))


def optima(points, weighed):
    return Optima(np.array(points), Placements.dense([np.full((2, 2), 3.0)] * len(points)), weighed)


@pytest.mark.parametrize(
    ("line", "lower", "gap"),
    [
        (0, 0.0, 0.0),
        # The first vertex is all that is beside the first line: 100 J and 600 J of idling.
        (0, 70.0, 70 / 700),
        # 700 + 100 and 450 + 50, of which the less counts.
        (1, 90.0, 90 / 500),
        (2, 15.0, 15 / 600),
        (3, 4.0, 4 / 10),
    ],
)
def test_the_gap_is_a_share_of_the_energy_with_idle_energy_added(by_hand, line, lower, gap):
    value = by_hand.lines.value - lower * (np.arange(4) == line)
    lowered = replace(by_hand, lines=replace(by_hand.lines, value=value))
    assert lowered.gap == pytest.approx(gap, rel=1e-12)


def test_the_gap_of_next_to_nothing_is_a_share_of_what_is_the_same_as_nothing(by_hand, two_by_two):
    """A share of 1e-10 of the largest energy is that, 1e-200 J if there is none."""
    front = replace(
        by_hand,
        system=two_by_two(),
        points=np.array([[0.0, 40.0], [150.0, 20.0]]),
        lines=lines([1.0, 0.0, -1.5e-9], [1.0, 7.5, 300.0], [0.0, 1.0, 20.0]),
    )
    assert front.gap == pytest.approx(0.1)
    nothing = replace(
        front, points=np.array([[0.0, 20.0]]), lines=lines([1.0, 0.0, -1e-201], [0.0, 1.0, 20.0])
    )
    assert nothing.gap == pytest.approx(0.1)


def test_what_cannot_run_anywhere_wastes_infinitely_much():
    system = System(
        (TaskType("T"), TaskType("none", 0)),
        (MachineType("M"), MachineType("none", 0)),
        np.array([[4.0, 4.0], [np.inf, 1.0]]),
        np.array([[2.0, 2.0], [np.nan, 2.0]]),
    )
    assert trace_front(system).waste(0).tolist() == [[0, np.inf], [np.inf, np.inf]]


def test_what_is_least_at_a_limit_and_below_it(by_hand):
    assert by_hand.least_energy(10.0) == 300
    assert by_hand.least_energy(np.nextafter(10.0, 0)) == np.inf
    assert by_hand.least_makespan(100.0) == 40
    assert by_hand.least_makespan(np.nextafter(100.0, 0)) == np.inf


@pytest.mark.parametrize(
    ("value", "watts", "seconds"),
    [
        # A second costs as many watts as idling draws, or fewer: nothing is done in any time.
        (50.0, 15.0, np.inf),
        (50.0, 14.0, np.inf),
        (0.5, 15.0, np.inf),
        (50.0, 15.5, 100.0),
        (50.0, 16.0, 50.0),
        # Work that draws nothing: only the lines of the front bound it.
        (0.0, 15.0, 450 / 30),
        (-1.0, 15.0, 450 / 30),
        (-1.0, 14.0, 450 / 29),
    ],
)
def test_the_least_makespan_at_the_power_of_idling(by_hand, value, watts, seconds):
    front = replace(by_hand, slower_lines=lines([1.0, -15.0, value]))
    assert front.least_makespan_at_power(watts) == pytest.approx(seconds)


@pytest.mark.parametrize(("excess", "exact"), [(0.25, True), (0.2501, False)])
@pytest.mark.parametrize("line", range(4))
def test_a_front_is_exact_if_each_line_is_near_enough_to_each_vertex_beside_it(
    by_hand, monkeypatch, line, excess, exact
):
    monkeypatch.setattr(front, "CERTIFIED", 0.25)
    points = [(128.0, 32.0), (256.0, 16.0), (512.0, 8.0)]
    weighed = lines([1.0, 0.0, 128.0], [1.0, 8.0, 384.0], [1.0, 32.0, 768.0], [0.0, 1.0, 8.0])
    value = weighed.value * np.where(np.arange(4) == line, 1 - excess, 1.0)
    found = optima(points, replace(weighed, value=value))
    assert len(front_of(by_hand.system, found, complete=True)) == 3
    assert front_of(by_hand.system, found, complete=True).exact is exact
    assert not front_of(by_hand.system, found, complete=False).exact


@pytest.mark.parametrize("far", [[1.0, 0.0, 128.0], [1.0, 32.0, 768.0]])
def test_a_line_that_is_near_one_of_its_vertices_only_makes_no_front_exact(by_hand, far):
    """The lines through both vertices, but steeper or flatter than from one to the other."""
    points = [(128.0, 32.0), (256.0, 16.0)]
    for middle, exact in (([1.0, 8.0, 384.0], True), (far, False)):
        weighed = lines([1.0, 0.0, 128.0], middle, [0.0, 1.0, 16.0])
        assert front_of(by_hand.system, optima(points, weighed), complete=True).exact is exact


@pytest.mark.parametrize(
    ("slower", "kept"),
    [
        # Slower by a quarter of the next, or by more.
        ((0.0, 5.0), False),
        ((0.0, 5.0625), True),
        # Above idle power 6.5 J less, which are a quarter of 10 J and of 16 J of idling, or more.
        ((10.0, 8.0), False),
        ((9.9375, 8.0), True),
        ((-12.0, 8.0), True),
    ],
)
def test_a_slower_corner_is_slower_and_thriftier_above_idle_power(
    two_by_two, monkeypatch, slower, kept
):
    monkeypatch.setattr(front, "SAME_VERTEX", 0.25)
    weighed = lines([1.0, -2.0, 0.0], [1.0, -1.0, 1.0])
    first = optima([(8.5, 4.0)], lines([1.0, 0.0, 8.5], [0.0, 1.0, 4.0]))
    corners = front._corners(two_by_two(1.0, 1.0), optima([slower], weighed), first, 0)
    assert corners.points.tolist() == ([list(slower)] if kept else [])
    assert corners.lines.weights.tolist() == ([[1, -2], [1, -1]] if kept else [[1, -2]])
    assert len(corners.placements) == kept


def test_optima_as_thrifty_as_the_first_vertex_are_slower_corners(two_by_two):
    """Each with the line that begins at it, and what it places."""
    placed = [np.full((2, 2), float(k)) for k in range(1, 6)]
    slower = Optima(
        np.array([[9.0, 80.0]]),
        Placements.dense(placed[:1]),
        lines([1.0, -2.0, 0.0], [1.0, -1.0, 1.0]),
    )
    tied = Optima(
        np.array([[10.0, 40.0], [10.0, 30.0], [10.0, 20.0], [20.0, 10.0]]),
        Placements.dense(placed[1:]),
        lines([1.0, 0.0, 2.0], [1.0, 0.1, 3.0], [1.0, 0.2, 4.0], [1.0, 0.3, 5.0], [0.0, 1.0, 6.0]),
    )
    system = two_by_two(1.0, 1.0)
    corners = front._corners(system, slower, tied, 2)
    assert corners.points.tolist() == [[9, 80], [10, 40], [10, 30]]
    assert corners.lines.value.tolist() == [0, 1, 3, 4]
    assert [corners.placements.placed(k, system)[0, 0] for k in range(3)] == [1, 2, 3]
    found = front_of(system, tied, slower, complete=True)
    assert found.slower.tolist() == [[9, 80], [10, 40], [10, 30]]
    assert found.points.tolist() == [[10, 20], [20, 10]]
    assert found.lines.value.tolist() == [2, 5, 6]
    assert [found.placed(k)[0, 0] for k in range(2)] == [4, 5]
    without = front_of(system, tied, complete=True)
    assert without.slower.tolist() == []
    assert (len(without.slower_lines), len(without.slower_placements)) == (0, 0)


def test_each_end_is_the_last_of_those_that_are_the_same(monkeypatch):
    """Up to a quarter more energy is the same as the least, and the same of makespans."""
    monkeypatch.setattr(front, "SAME_VERTEX", 0.25)
    energy = [8.0, 9.0, 10.0, 11.0, 20.0, 40.0, 70.0, 100.0, 140.0]
    makespan = [140.0, 100.0, 70.0, 40.0, 20.0, 11.0, 10.0, 9.0, 8.0]
    kept = front._vertices(np.column_stack([energy, makespan])).tolist()
    assert (kept[0], kept[-1]) == (2, 6)
    for same in ([(8.0, 9.0), (9.0, 8.0)], [(8.0, 8.0)], [(8.0, 9.0), (20.0, 8.0)]):
        assert front._vertices(np.array(same)).tolist() == [1 if same[1:] == [(9.0, 8.0)] else 0]


@pytest.mark.parametrize(
    ("across", "up", "kept"),
    [
        # Across and up as shares of the way from the first end to the last. Below the line between
        # them by a quarter of the longer step at most, each way added: by 3/8 of 3/2, for example.
        (0.5625, 0.0625, False),
        (0.5625, 0.05859375, True),
        (0.0625, 0.5625, False),
        (0.05859375, 0.5625, True),
        (0.375, 0.375, False),
        (0.375, 0.37109375, True),
        (0.5, 0.75, False),
    ],
)
def test_a_vertex_is_below_the_line_between_its_neighbours(monkeypatch, across, up, kept):
    monkeypatch.setattr(front, "SAME_VERTEX", 0.25)
    middle = [1 + 256 * across, 1 + 64 * up]
    points = np.array([[1.0, 65.0], middle, [257.0, 1.0]])
    assert front._vertices(points).tolist() == ([0, 1, 2] if kept else [0, 2])


def test_only_the_steps_beside_a_vertex_say_how_far_below_it_must_be(monkeypatch):
    """Both are below by 1/12 of the longer step beside them, and by 1/20 of all steps."""
    monkeypatch.setattr(front, "SAME_VERTEX", 0.0625)
    points = np.array([(0.0, 1.0), (0.25, 0.5), (0.5, 0.25), (1.0, 0.0)]) * 256 + 1
    assert front._vertices(points).tolist() == [0, 1, 2, 3]


def test_of_two_points_next_to_each_other_one_stays(monkeypatch):
    monkeypatch.setattr(front, "SAME_VERTEX", 2**-6)
    near = [(0.0625, 0.5), (0.25, 0.1796875), (0.2578125, 0.171875)]
    points = np.array([(0.0, 1.0), *near, (1.0, 0.0)]) * [256, 64] + 64
    assert front._vertices(points).tolist() == [0, 1, 3, 4]
    assert front._vertices(points[[0, 2, 3, 4]]).tolist() == [0, 2, 3]


def test_the_longest_step_is_so_as_a_share_of_the_whole_front():
    """3.2 of 10 J and 2 of 40 s are more than 1 J and 10 s, 1.8 J and 19 s more than 4 J and 9 s;
    if but a part of the front were the measure, it would be the other way round.
    """
    points = np.array([[100.0, 90.0], [101.0, 80.0], [104.2, 78.0], [106.0, 59.0], [110.0, 50.0]])
    assert front._longest_steps(points, np.array([0, 2, 4])).tolist() == [1, 2]
    assert front._longest_steps(points, np.array([3])).tolist() == []
