"""What was measured stays as it is; what can be told from it is estimated, and marked."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.operations import estimate_pairs, estimates
from core.engines.operations.estimates import ChosenKinds, RelativeError, choose
from core.engines.operations.factors import SHRINKAGES
from core.engines.operations.pairs import Pairs, connected
from core.files.samples.named import load_sample
from core.vocabulary.budget import Cancelled
from core.vocabulary.ranges import ETC, POWER

HIDDEN = np.nan
NEVER = np.inf


def test_a_small_cluster_by_hand():
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


def test_what_is_all_known_is_untouched():
    times = np.exp(np.random.default_rng(1).normal(0, 20, (5, 4)).clip(-20, 34))
    times[0, 0] = NEVER
    powers = np.where(np.isfinite(times), times[::-1, ::-1], HIDDEN)
    powers[0, 1] = 0.0
    powers[4, 3] = 7.0
    found = estimate_pairs(times, powers)
    assert found.times.tobytes() == times.tobytes()
    assert found.powers.tobytes() == powers.tobytes()
    assert not (found.estimated | found.estimated_powers | found.unconnected).any()
    assert (found.kinds, found.held_out) == (0, None)


@st.composite
def tables(draw):
    """Times from 1e-6 to 1e9 s, unknown and impossible ones among them."""
    shape = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    cell = st.one_of(
        st.floats(-6, 9).map(lambda exponent: 10.0**exponent), st.just(HIDDEN), st.just(NEVER)
    )
    cells = draw(st.lists(cell, min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]))
    return np.array(cells).reshape(shape)


@given(tables(), st.booleans())
def test_estimates_are_where_they_are_said_to_be(times, with_powers):
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
    runs = np.isfinite(found.times)
    there = runs & ~np.isnan(powers)
    assert np.isnan(found.powers[~runs]).all()
    assert (found.powers[there] == powers[there]).all()
    assert (found.estimated_powers == (runs & np.isnan(powers) & np.isfinite(found.powers))).all()
    assert all(power in POWER for power in found.powers[found.estimated_powers])
    with_any = (there).any(axis=0)
    assert (np.isfinite(found.powers) == (runs & with_any)).all()


def same(here, there, scale=1.0):
    assert (here.estimated == there.estimated).all()
    assert there.times == pytest.approx(here.times * scale, rel=2e-2)
    assert here.kinds == there.kinds


def made(seed):
    rng = np.random.default_rng(seed)
    times = rng.gamma(0.7, size=(10, 2)) @ rng.gamma(1, 10, size=(2, 6))
    times *= np.exp(rng.normal(0, 0.02, times.shape))
    times[rng.random(times.shape) < 0.2] = HIDDEN
    return times


@pytest.mark.parametrize("seed", range(3))
def test_units_and_the_order_of_types_do_not_matter(seed):
    times, rng = made(seed), np.random.default_rng(seed)
    here = estimate_pairs(times, most_kinds=2)
    scale = np.exp(rng.normal(0, 5, (10, 1)) + rng.normal(0, 5, 6))
    same(here, estimate_pairs(times * scale, most_kinds=2), scale)
    tasks, machines = rng.permutation(10), rng.permutation(6)
    turned = estimate_pairs(times[tasks][:, machines], most_kinds=2)
    assert turned.times == pytest.approx(here.times[tasks][:, machines], rel=2e-2)


def test_types_that_nothing_connects_have_no_estimate():
    times = np.array(
        [[1.0, 2.0, HIDDEN], [3.0, HIDDEN, HIDDEN], [HIDDEN, HIDDEN, 5.0], [HIDDEN, NEVER, HIDDEN]]
    )
    found = estimate_pairs(times, np.where(np.isfinite(times), 10.0, HIDDEN))
    assert found.estimated.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0]]
    assert found.unconnected.tolist() == [[0, 0, 1], [0, 0, 1], [1, 1, 0], [1, 0, 1]]
    assert found.times[1, 1] == pytest.approx(6)
    assert np.isnan(found.powers[found.unconnected]).all()


def test_an_impossible_pair_tells_nothing():
    times = made(2)
    times[3, 1] = HIDDEN
    never = times.copy()
    never[3, 1] = NEVER
    here, there = (estimate_pairs(table, most_kinds=1) for table in (times, never))
    assert there.times[3, 1] == NEVER
    assert np.delete(here.times, 3, 0) == pytest.approx(np.delete(there.times, 3, 0))


def test_a_type_with_one_known_pair_is_scaled_as_one_kind_says():
    times = made(4)
    times[0] = HIDDEN
    times[0, 2] = 3.0
    found = estimate_pairs(times)
    assert found.kinds == 2
    one = estimate_pairs(times, most_kinds=1)
    assert found.times[0] == pytest.approx(one.times[0])
    assert found.times[1:] != pytest.approx(one.times[1:], rel=1e-2)


def test_times_beyond_what_is_allowed_are_at_the_limit():
    found = estimate_pairs(np.array([[1.0, 1e12], [1e12, HIDDEN]]))
    assert found.times[1, 1] == ETC.high
    found = estimate_pairs(np.array([[1.0, 1e-6], [1e-6, HIDDEN]]))
    assert found.times[1, 1] == ETC.low


def test_weights_decide_between_pairs_that_disagree():
    times = np.array([[1.0, 1.0], [1.0, 1.0], [1.0, HIDDEN], [1.0, 9.0]])
    weights = np.ones(times.shape)
    for weight, low, high in ((1e-6, 1.0, 1.01), (1e6, 2.5, 3.5)):
        weights[3, 1] = weight
        found = estimate_pairs(times, weights=weights, most_kinds=1).times[2, 1]
        assert low <= found <= high


def test_the_power_of_an_impossible_pair_is_left_out_and_tells_nothing():
    times = np.array([[1.0, 1.0, 1.0], [1.0, 1.0, NEVER], [1.0, 1.0, 1.0]])
    powers = np.array([[10.0, 20.0, 10.0], [10.0, 20.0, 9e9], [10.0, HIDDEN, HIDDEN]])
    found = estimate_pairs(times, powers).powers
    assert np.isnan(found[1, 2])
    assert found[2] == pytest.approx([10, 20, 10])


def test_where_powers_tell_nothing_of_a_task_type_its_machines_have_their_mean():
    """A power of 0 counts for the mean. A machine type without any power has none."""
    powers = np.array([[0.0, 30.0, HIDDEN], [20.0, 50.0, HIDDEN], [HIDDEN] * 3])
    found = estimate_pairs(np.ones((3, 3)), powers)
    assert found.powers[2, :2] == pytest.approx([10, 40])
    assert np.isnan(found.powers[:, 2]).all()
    assert found.estimated_powers.tolist() == [[0, 0, 0], [0, 0, 0], [1, 1, 0]]


def test_a_sample_is_estimated_as_well_as_its_held_out_pairs_say():
    """And far better than by the mean of the task type or of the machine type."""
    times = load_sample("e3").etc
    hidden = np.random.default_rng(0).random(times.shape) < 0.2
    found = estimate_pairs(np.where(hidden, HIDDEN, times))
    said = found.held_out.kinds[found.kinds - 1]
    assert np.median(np.abs(found.times / times - 1)[hidden]) < 2 * said.median < 0.05
    assert found.held_out.means_of_task_types.median > 10 * said.median
    assert found.held_out.means_of_machine_types.median > 10 * said.median


def test_of_many_task_types_some_are_asked_for_the_choice(monkeypatch):
    asked = []
    choose = estimates.choose

    def watched(pairs, *arguments, **options):
        asked.append((pairs.logs.shape, options["seed"]))
        return choose(pairs, *arguments, **options)

    monkeypatch.setattr(estimates, "choose", watched)
    monkeypatch.setattr("core.engines.operations.factors.LEARNT_FROM", 7)
    found = estimate_pairs(made(1), seed=5)
    assert asked == [((1, 7, 6), 5)]
    assert np.isfinite(found.times).all()


def test_cancelled_it_ends():
    with pytest.raises(Cancelled):
        estimate_pairs(made(1), should_stop=lambda: True)


def made_of_kinds(seed, tasks, machines, kinds, noise=0.0):
    rng = np.random.default_rng(seed)
    times = rng.gamma(0.7, size=(tasks, kinds)) @ rng.gamma(1, 10, size=(kinds, machines))
    return times * np.exp(rng.normal(0, noise, times.shape))


def test_errors_by_hand():
    """Estimates of half, the whole and twice the time are off by 50, 0 and 100 %."""
    error = RelativeError.of(np.log([0.5, 1.0, 2.0]))
    assert (error.median, error.mean) == pytest.approx((0.5, 0.5))
    assert RelativeError.of(np.array([1e6])).mean == pytest.approx(1e24)


@pytest.mark.parametrize("kinds", [1, 2, 3])
def test_as_many_kinds_are_chosen_as_made_the_times(kinds):
    choice = choose(Pairs.of(made_of_kinds(kinds, 16, 8, kinds)), 4)
    assert choice.kinds == kinds
    assert len(choice.held_out.kinds) == 4
    assert choice.held_out.kinds[kinds - 1].median < 5e-3
    assert choice.held_out.pairs == 16 * 8
    assert choice.shrinkage == SHRINKAGES[-1]
    if kinds > 1:
        assert choice.held_out.kinds[kinds - 2].median > 0.05


def test_times_without_structure_have_one_kind():
    times = np.exp(np.random.default_rng(1).normal(0, 0.5, (14, 7)))
    assert choose(Pairs.of(times), 3).kinds == 1


def test_noisy_times_are_shrunk():
    assert choose(Pairs.of(made_of_kinds(3, 20, 6, 2, 0.4)), 2).shrinkage > SHRINKAGES[-1]


def test_the_guesses_are_means_of_the_other_pairs():
    """A single pair can be held out in turn; all others are needed or are in its row and column."""
    times = np.array([[1.0, 2.0], [3.0, 12.0]])
    choice = choose(Pairs.of(times), 1)
    assert choice.held_out.pairs == 4
    one = choice.held_out.kinds[0]
    # Held out, each of them is estimated by the product of its neighbours over the opposite one.
    errors = [(2 * 3 / 12) / 1 - 1, (1 * 12 / 3) / 2 - 1, (1 * 12 / 2) / 3 - 1, (2 * 3) / 12 - 1]
    assert (one.median, one.mean) == pytest.approx(
        (np.median(np.abs(errors)), np.abs(errors).mean())
    )
    of_task = np.abs([2 / 1 - 1, 1 / 2 - 1, 12 / 3 - 1, 3 / 12 - 1])
    of_machine = np.abs([3 / 1 - 1, 12 / 2 - 1, 1 / 3 - 1, 2 / 12 - 1])
    assert choice.held_out.means_of_task_types.mean == pytest.approx(of_task.mean())
    assert choice.held_out.means_of_task_types.median == pytest.approx(np.median(of_task))
    assert choice.held_out.means_of_machine_types.mean == pytest.approx(of_machine.mean())


def test_a_pair_that_leaves_its_type_one_other_is_estimated_by_one_kind():
    """As estimates are: with two machine types, this is every held-out pair."""
    choice = choose(Pairs.of(made_of_kinds(1, 8, 2, 2, 0.3)), 3)
    assert choice.held_out.kinds[1:] == choice.held_out.kinds[:1] * 2


def test_means_are_of_known_times_in_seconds():
    pairs = Pairs.of(np.array([[1.0, 3.0, np.nan], [8.0, np.inf, 2.0]]))
    assert np.exp(estimates._mean(pairs, 2))[0] == pytest.approx(np.array([[2] * 3, [5] * 3]))
    assert np.exp(estimates._mean(pairs, 1))[0] == pytest.approx(np.array([[4.5, 3, 2]] * 2))


@pytest.mark.parametrize(
    "times",
    [[[5.0]], [[1.0, 2.0, 3.0]], [[1.0], [2.0]], [[1.0, 2.0], [np.nan, 3.0]], [[np.nan, np.nan]]],
)
def test_if_every_pair_is_needed_there_is_no_error(times):
    assert choose(Pairs.of(np.array(times)), 4) == ChosenKinds(1, SHRINKAGES[-1], None)


@given(st.integers(0, 200), st.integers(1, 7), st.integers(1, 7))
def test_folds_leave_every_type_connected_and_take_every_pair_once(seed, tasks, machines):
    rng = np.random.default_rng(seed)
    known = rng.random((tasks, machines)) < 0.7
    pairs = Pairs.of(np.where(known, np.exp(rng.normal(size=known.shape)), np.nan))
    folds = estimates._folds(pairs, seed)
    assert (folds.sum(axis=0) <= known).all()
    for fold in folds:
        assert (connected(known & ~fold) == connected(known)).all()


@pytest.mark.parametrize(("tasks", "machines", "folds"), [(10, 10, 10), (101, 1, 5), (2, 51, 5)])
def test_few_pairs_have_more_folds(tasks, machines, folds):
    assert len(estimates._folds(Pairs.of(np.ones((tasks, machines))), 0)) == folds


def test_of_very_many_pairs_some_folds_are_tried(monkeypatch):
    monkeypatch.setattr(estimates, "MANY_PAIRS", 120)
    all_of, some = (estimates._folds(Pairs.of(np.ones((rows, 10))), 0) for rows in (12, 13))
    assert all_of.shape == (5, 12, 10)
    assert some.shape == (2, 13, 10)


def test_folds_have_pairs_of_every_size():
    """Of ten pairs in order of size, each fold of the first has one of each half, and so on."""
    sizes = np.random.default_rng(1).permutation(300).reshape(30, 10)
    folds = estimates._folds(Pairs.of(np.exp(sizes / 10)), 3)
    for fold in folds:
        assert abs(sizes[fold].mean() - 149.5) < 6


def test_the_order_of_types_does_not_matter():
    times = made_of_kinds(5, 12, 7, 2, 0.1)
    tasks, machines = np.random.default_rng(1).permutation(12), np.arange(7)[::-1]
    here, there = choose(Pairs.of(times), 3), choose(Pairs.of(times[tasks][:, machines]), 3)
    assert (here.kinds, here.shrinkage) == (there.kinds, there.shrinkage)
    for a, b in zip(here.held_out.kinds, there.held_out.kinds, strict=True):
        assert (a.median, a.mean) == pytest.approx((b.median, b.mean), rel=1e-3)


def test_seeds_deal_other_folds_and_the_same_seed_the_same():
    pairs = Pairs.of(made_of_kinds(5, 12, 7, 2, 0.3))
    assert choose(pairs, 2, seed=1) == choose(pairs, 2, seed=1)
    assert choose(pairs, 2, seed=1).held_out != choose(pairs, 2, seed=2).held_out


def test_what_is_clearly_less():
    """By more than the standard error of the difference, and by more than a hundredth."""
    ones = np.ones(100)
    assert estimates._clearly_less(-0.98 * ones, ones)
    assert not estimates._clearly_less(0.995 * ones, ones)
    assert not estimates._clearly_less(0.5 * ones[:1], ones[:1])
    unsteady = np.where(np.arange(100) % 2, 0.0, 1.9)  # mean gain 0.05, standard error 0.0955
    assert not estimates._clearly_less(unsteady, ones)
    assert estimates._clearly_less(np.repeat(unsteady, 4), np.repeat(ones, 4))
    assert not estimates._clearly_less(0 * ones, 1e-9 * ones)
    # Two gains, 1 and -0.1: their mean is 0.45, its standard error 0.55.
    assert not estimates._clearly_less(np.array([0.0, 1.1]), ones[:2])
    assert estimates._clearly_less(np.array([0.0, 0.9]), ones[:2])


def test_cancelled_the_choice_ends():
    with pytest.raises(Cancelled):
        choose(Pairs.of(made_of_kinds(1, 6, 5, 2)), 2, should_stop=lambda: True)
