"""What was measured stays as it is; what can be told from it is estimated, and marked."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.operations import PairEstimates, estimate_pairs, estimates
from core.files.samples.named import load_sample
from core.vocabulary.budget import Cancelled
from core.vocabulary.ranges import ETC, POWER

HIDDEN = np.nan
NEVER = np.inf


def test_a_small_cluster_by_hand() -> None:
    """B is twice as fast as A and draws half as much again; the second task draws twice as much."""
    found = estimate_pairs(
        np.array([[8.0, 4.0], [2.0, HIDDEN]]), np.array([[100.0, 150.0], [200.0, HIDDEN]])
    )
    assert found.times == pytest.approx(np.array([[8, 4], [2, 1]]))
    assert found.powers == pytest.approx(np.array([[100, 150], [200, 300]]))
    assert found.estimated.tolist() == found.estimated_powers.tolist() == [[0, 0], [0, 1]]
    assert not found.unconnected.any()
    assert found.kinds == 1
    assert found.held_out is None


def test_what_is_all_known_is_untouched() -> None:
    times = np.exp(np.random.default_rng(1).normal(0, 20, (5, 4)).clip(-20, 34))
    times[0, 0] = NEVER
    powers = np.where(np.isfinite(times), times[::-1, ::-1], HIDDEN)
    powers[0, 1] = 0.0
    powers[4, 3] = 7.0
    found = estimate_pairs(times, powers)
    assert found.times.tobytes() == times.tobytes()
    assert found.powers is not None
    assert found.powers.tobytes() == powers.tobytes()
    assert not (found.estimated | found.estimated_powers | found.unconnected).any()
    assert (found.kinds, found.held_out) == (0, None)


@st.composite
def tables(draw: st.DrawFn) -> np.ndarray:
    """Times from 1e-6 to 1e9 s, unknown and impossible ones among them."""
    shape = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    cell = st.one_of(
        st.floats(-6, 9).map(lambda exponent: 10.0**exponent), st.just(HIDDEN), st.just(NEVER)
    )
    cells = draw(st.lists(cell, min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]))
    return np.array(cells).reshape(shape)


@given(tables(), st.booleans())
def test_estimates_are_where_they_are_said_to_be(times: np.ndarray, with_powers: bool) -> None:
    powers = np.where(times > 1e3, HIDDEN, np.minimum(times, 5.0)) if with_powers else None
    found = estimate_pairs(times, powers, most_kinds=2)
    known, unknown = np.isfinite(times), np.isnan(times)
    assert (found.times[known] == times[known]).all()
    assert (found.times[np.isposinf(times)] == NEVER).all()
    assert (found.estimated | found.unconnected == unknown).all()
    assert not (found.estimated & found.unconnected).any()
    assert (found.times[found.unconnected] == NEVER).all()
    assert all(time in ETC for time in found.times[found.estimated])
    assert (found.kinds == 0) == (not found.estimated.any())
    if powers is None:
        assert found.powers is None
        return
    assert found.powers is not None
    runs = np.isfinite(found.times)
    there = runs & ~np.isnan(powers)
    assert np.isnan(found.powers[~runs]).all()
    assert (found.powers[there] == powers[there]).all()
    assert (found.estimated_powers == (runs & np.isnan(powers) & np.isfinite(found.powers))).all()
    assert all(power in POWER for power in found.powers[found.estimated_powers])
    with_any = (there).any(axis=0)
    assert (np.isfinite(found.powers) == (runs & with_any)).all()


def same(here: PairEstimates, there: PairEstimates, scale: np.ndarray | float = 1.0) -> None:
    assert (here.estimated == there.estimated).all()
    assert there.times == pytest.approx(here.times * scale, rel=2e-2)
    assert here.kinds == there.kinds


def made(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    times = rng.gamma(0.7, size=(10, 2)) @ rng.gamma(1, 10, size=(2, 6))
    times *= np.exp(rng.normal(0, 0.02, times.shape))
    times[rng.random(times.shape) < 0.2] = HIDDEN
    return times


@pytest.mark.parametrize("seed", range(3))
def test_units_and_the_order_of_types_do_not_matter(seed: int) -> None:
    times, rng = made(seed), np.random.default_rng(seed)
    here = estimate_pairs(times, most_kinds=2)
    scale = np.exp(rng.normal(0, 5, (10, 1)) + rng.normal(0, 5, 6))
    same(here, estimate_pairs(times * scale, most_kinds=2), scale)
    tasks, machines = rng.permutation(10), rng.permutation(6)
    turned = estimate_pairs(times[tasks][:, machines], most_kinds=2)
    assert turned.times == pytest.approx(here.times[tasks][:, machines], rel=2e-2)


def test_the_same_seed_gives_the_same() -> None:
    one, other = (estimate_pairs(made(1), seed=3) for _ in range(2))
    assert one.times.tobytes() == other.times.tobytes()
    assert one.held_out == other.held_out
    assert one.held_out != estimate_pairs(made(1), seed=4).held_out


def test_types_that_nothing_connects_have_no_estimate() -> None:
    times = np.array(
        [[1.0, 2.0, HIDDEN], [3.0, HIDDEN, HIDDEN], [HIDDEN, HIDDEN, 5.0], [HIDDEN, NEVER, HIDDEN]]
    )
    found = estimate_pairs(times, np.where(np.isfinite(times), 10.0, HIDDEN))
    assert found.estimated.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0]]
    assert found.unconnected.tolist() == [[0, 0, 1], [0, 0, 1], [1, 1, 0], [1, 0, 1]]
    assert found.times[1, 1] == pytest.approx(6)
    assert found.powers is not None
    assert np.isnan(found.powers[found.unconnected]).all()


def test_an_impossible_pair_tells_nothing() -> None:
    times = made(2)
    times[3, 1] = HIDDEN
    never = times.copy()
    never[3, 1] = NEVER
    here, there = (estimate_pairs(table, most_kinds=1) for table in (times, never))
    assert there.times[3, 1] == NEVER
    assert np.delete(here.times, 3, 0) == pytest.approx(np.delete(there.times, 3, 0))


def test_a_type_with_one_known_pair_is_scaled_as_one_kind_says() -> None:
    times = made(4)
    times[0] = HIDDEN
    times[0, 2] = 3.0
    found = estimate_pairs(times)
    assert found.kinds == 2
    one = estimate_pairs(times, most_kinds=1)
    assert found.times[0] == pytest.approx(one.times[0])
    assert found.times[1:] != pytest.approx(one.times[1:], rel=1e-2)


def test_times_beyond_what_is_allowed_are_at_the_limit() -> None:
    found = estimate_pairs(np.array([[1.0, 1e12], [1e12, HIDDEN]]))
    assert found.times[1, 1] == ETC.high
    found = estimate_pairs(np.array([[1.0, 1e-6], [1e-6, HIDDEN]]))
    assert found.times[1, 1] == ETC.low


def test_weights_decide_between_pairs_that_disagree() -> None:
    times = np.array([[1.0, 1.0], [1.0, 1.0], [1.0, HIDDEN], [1.0, 9.0]])
    weights = np.ones(times.shape)
    for weight, low, high in ((1e-6, 1.0, 1.01), (1e6, 2.5, 3.5)):
        weights[3, 1] = weight
        found = estimate_pairs(times, weights=weights, most_kinds=1).times[2, 1]
        assert low <= found <= high


def test_the_power_of_an_impossible_pair_is_left_out_and_tells_nothing() -> None:
    times = np.array([[1.0, 1.0, 1.0], [1.0, 1.0, NEVER], [1.0, 1.0, 1.0]])
    powers = np.array([[10.0, 20.0, 10.0], [10.0, 20.0, 9e9], [10.0, HIDDEN, HIDDEN]])
    found = estimate_pairs(times, powers).powers
    assert found is not None
    assert np.isnan(found[1, 2])
    assert found[2] == pytest.approx([10, 20, 10])


def test_where_powers_tell_nothing_of_a_task_type_its_machines_have_their_mean() -> None:
    """A power of 0 counts for the mean. A machine type without any power has none."""
    powers = np.array([[0.0, 30.0, HIDDEN], [20.0, 50.0, HIDDEN], [HIDDEN] * 3])
    found = estimate_pairs(np.ones((3, 3)), powers)
    assert found.powers is not None
    assert found.powers[2, :2] == pytest.approx([10, 40])
    assert np.isnan(found.powers[:, 2]).all()
    assert found.estimated_powers.tolist() == [[0, 0, 0], [0, 0, 0], [1, 1, 0]]


def test_a_sample_is_estimated_as_well_as_its_held_out_pairs_say() -> None:
    """And far better than by the mean of the task type or of the machine type."""
    times = load_sample("e3").etc
    hidden = np.random.default_rng(0).random(times.shape) < 0.2
    found = estimate_pairs(np.where(hidden, HIDDEN, times))
    assert found.held_out is not None
    said = found.held_out.kinds[found.kinds - 1]
    assert np.median(np.abs(found.times / times - 1)[hidden]) < 2 * said.median < 0.05
    assert found.held_out.means_of_task_types.median > 10 * said.median
    assert found.held_out.means_of_machine_types.median > 10 * said.median


def test_of_many_task_types_some_are_asked_for_the_choice(monkeypatch) -> None:
    asked = []
    choose = estimates.choose

    def watched(pairs, *arguments, **options):
        asked.append(pairs.logs.shape)
        return choose(pairs, *arguments, **options)

    monkeypatch.setattr(estimates, "choose", watched)
    monkeypatch.setattr("core.engines.operations.factors.LEARNT_FROM", 7)
    found = estimate_pairs(made(1))
    assert asked == [(1, 7, 6)]
    assert np.isfinite(found.times).all()


def test_cancelled_it_ends() -> None:
    with pytest.raises(Cancelled):
        estimate_pairs(made(1), should_stop=lambda: True)
