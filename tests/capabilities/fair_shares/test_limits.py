"""What is far apart is still solved, what is too large is refused at once, and progress is true."""

import numpy as np
import pytest
from capabilities.fair_shares.made import f12, random_far_apart
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.fair_shares.bags import ArrivingBags, Network
from core.capabilities.fair_shares.optimum import StretchRange, least_stretch
from core.capabilities.fair_shares.recheck import faults
from core.capabilities.fair_shares.trials import published_scenario
from core.engines.lp.program import Program, SolverFailed
from core.vocabulary.budget import Budget
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.problems import InvalidInput
from core.vocabulary.system import System


@pytest.mark.parametrize(
    ("seed", "decades"),
    [
        (7, 6),  # ends far after a release, in tiny ideal durations
        (7, 7),
        (215, 6),  # solved within a looser tolerance only
        (310, 6),  # dates have too few digits for the limits of the recheck
        (49, 8),
    ],
)
def test_bags_that_once_failed(seed: int, decades: float) -> None:
    found = least_stretch(random_far_apart(seed, decades))
    assert faults(found.plan, found.plan_stretch) == []
    assert found.proven == pytest.approx(found.stretch, rel=1e-9)


@examples(16)
@given(st.integers(0, 2**32), st.floats(0, 7))
def test_times_may_be_far_apart(seed: int, decades: float) -> None:
    found = least_stretch(random_far_apart(seed, decades))
    assert faults(found.plan, found.plan_stretch) == []
    assert found.proven == pytest.approx(found.stretch, rel=1e-5)


def test_what_is_too_large_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Program, "minimise", lambda *_, **__: pytest.fail("it is solved"))
    bags, machines = 60, 3000
    rng = np.random.default_rng(0)
    system = System(
        tuple(TaskType(f"T{k}", 1) for k in range(bags)),
        tuple(MachineType(f"M{u}", 1) for u in range(machines)),
        rng.uniform(1, 2, (bags, machines)),
    )
    many = ArrivingBags(system, np.arange(bags), np.zeros(bags), Network.of(system))
    with pytest.raises(InvalidInput) as refused:
        least_stretch(many)
    said = str(refused.value)
    # A bag is open in half of the 119 intervals.
    assert "60 bags on 3,000 unlike machine types make about 10,710,000 shares" in said
    assert "and 5,000,000 are allowed; release together" in said


def test_where_the_solver_fails_it_is_tried_with_looser_tolerances(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solve, tolerances = Program.minimise, []

    def fail_twice(self: Program, *arguments: object, **named: object) -> object:
        tolerances.append(self._highs.getOptionValue("primal_feasibility_tolerance")[1])
        if len(tolerances) < 3:
            raise SolverFailed
        return solve(self, *arguments, **named)

    monkeypatch.setattr(Program, "minimise", fail_twice)
    assert least_stretch(f12(), early=False).stretch == pytest.approx(201 / 142)
    assert tolerances[:4] == [1e-10, 1e-9, 1e-7, 1e-10]
    monkeypatch.setattr(Program, "minimise", lambda *_, **__: _fail())
    with pytest.raises(SolverFailed):
        least_stretch(f12())


def _fail() -> None:
    raise SolverFailed


def test_the_clock_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solve that is asked now and then whether to stop goes on in another way."""
    asked = []
    monkeypatch.setattr(Program, "stop_when", lambda *_: asked.append(True))
    least_stretch(f12())
    assert not asked
    least_stretch(f12(), Budget())
    assert asked


def test_progress_is_a_range_that_holds_the_optimum_and_shrinks() -> None:
    ranges: list[StretchRange] = []
    found = least_stretch(published_scenario(201, 12, 5), report=ranges.append)
    assert len(ranges) > 1
    assert all(one.low <= found.stretch <= one.high for one in ranges)
    lows, highs = np.array(ranges).T
    assert (np.diff(lows) >= 0).all()
    assert (np.diff(highs) <= 0).all()
    assert lows[-1] > lows[0]


def test_progress_is_in_the_unit_of_the_baseline() -> None:
    bags, ranges = f12(), []
    found = least_stretch(bags, report=ranges.append, baseline=bags.ideal * 4)
    assert found.stretch == pytest.approx(201 / 142 / 4)
    assert ranges[0].low == pytest.approx(1 / 4)
    assert all(one.low <= found.stretch <= one.high for one in ranges)
