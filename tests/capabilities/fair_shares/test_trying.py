"""A stretch is possible from the optimum on, and below it what is short is said."""

from dataclasses import replace

import pytest
from capabilities.fair_shares.made import compute_only, made, random_bags
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.fair_shares.optimum import least_stretch
from core.capabilities.fair_shares.recheck import faults
from core.capabilities.fair_shares.trying import try_stretch


@examples(40)
@given(st.integers(0, 10**6))
def test_it_is_possible_from_the_optimum_on(seed: int) -> None:
    bags = random_bags(seed)
    least = least_stretch(bags, early=False).stretch
    above, below = try_stretch(bags, 1.01 * least), try_stretch(bags, 0.99 * least)
    assert above.plan is not None
    assert faults(above.plan, above.stretch) == []
    assert above.load <= 1 + 1e-9
    assert below.load > 1
    assert not below.is_possible


def test_how_much_faster_all_would_have_to_be() -> None:
    # Four seconds of work have to be done by 3 S, so at 1 everything is a third too slow.
    tried = try_stretch(compute_only((1, 3)), 1.0)
    assert tried.load == pytest.approx(4 / 3)
    assert tried.shortage.machines.tolist() == pytest.approx([1.0])
    assert tried.shortage.master == 0


def test_it_is_the_master_that_is_short() -> None:
    tried = try_stretch(made((4, 4), [[1e-3, 1e-3]] * 2, data=1, release=(0, 2)), 1.2)
    assert tried.shortage.master == pytest.approx(1.0)
    assert tried.load == pytest.approx(8 / 6.8)


@examples(20)
@given(st.integers(0, 10**6))
def test_so_much_more_speed_makes_it_possible(seed: int) -> None:
    bags = random_bags(seed)
    below = try_stretch(bags, 0.8 * least_stretch(bags, early=False).stretch)
    system, network = bags.system, bags.network
    faster = replace(
        bags,
        system=replace(system, etc=system.etc / (below.load * 1.000001)),
        network=replace(
            network,
            bandwidth=network.bandwidth * below.load * 1.000001,
            links=network.links * below.load * 1.000001,
        ),
    )
    assert try_stretch(faster, below.stretch, baseline=bags.ideal).is_possible
