"""The address of the view on fair shares says all that was changed, and any text does no harm."""

from dataclasses import replace

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.fair_shares.day_clock import DayClock
from core.capabilities.fair_shares.settings import SharesSettings
from core.capabilities.fair_shares.shares import BagsChange, MachinesAdded, OneMoreBag
from dashboard.screens.fair_shares.address import PARAMETERS, read, source_of, written
from dashboard.screens.fair_shares.inputs import BagInput, BagsInputs, WorkerInput

USUAL = BagsInputs(
    (BagInput(10, 0.0, 1e6), BagInput(3, 60.0)), (WorkerInput(2, 1e7), WorkerInput(1)), 60.0
)
MEGABYTES = st.floats(1e-3, 1e6)
BAGS = st.builds(
    BagInput, st.integers(0, 10**9), st.floats(-1e9, 1e9), st.floats(0, 1e12, allow_subnormal=False)
)
WORKERS = st.builds(
    WorkerInput,
    st.integers(0, 10**6),
    st.none() | st.floats(10, 1e12),
    st.none() | st.floats(0, 1e12),
)
CHANGES = st.builds(
    BagsChange,
    st.none() | st.builds(OneMoreBag, st.integers(0, 1), st.integers(1, 9999), st.floats(0, 1e6)),
    st.none() | st.builds(MachinesAdded, st.integers(0, 1), st.integers(-50, 50).filter(bool)),
    st.none() | MEGABYTES.map(lambda mb: mb * 1e6),
)
INPUTS = st.builds(
    BagsInputs,
    st.tuples(BAGS, BAGS),
    st.tuples(WORKERS, WORKERS),
    st.none() | MEGABYTES,
    st.integers(0, 1439).map(lambda minutes: DayClock(60.0 * minutes)),
    CHANGES,
)
LOOKS = st.builds(
    SharesSettings,
    st.just(None),
    st.none() | st.floats(0.01, 1e6),
    st.booleans(),
    st.none() | st.integers(2, 200),
)


@examples(60)
@given(INPUTS, LOOKS)
def test_what_is_written_is_read_back(said: BagsInputs, look: SharesSettings) -> None:
    parameters = written("system", said, look, USUAL)
    assert set(parameters) <= PARAMETERS
    found, seen, notes = read(parameters, USUAL)
    assert notes == ()
    assert source_of(parameters) == "system"
    assert seen == replace(look, bandwidth=said.bandwidth)
    assert (found.bags, found.workers, found.clock) == (said.bags, said.workers, said.clock)
    assert found.bandwidth == said.bandwidth
    one, other = found.change.bandwidth, said.change.bandwidth
    assert (one is None) == (other is None)
    assert one is None or abs(one - (other or 0)) <= 1e-9 * one
    assert found.change.bag == said.change.bag
    assert found.change.machines == said.change.machines


def test_what_is_usual_is_not_said() -> None:
    assert written("morning", USUAL, SharesSettings(), USUAL) == {}
    assert written("own", USUAL, SharesSettings(), USUAL) == {}
    other = replace(USUAL, bags=(replace(USUAL.bags[0], release=5.5), USUAL.bags[1]))
    said = written("morning", other, SharesSettings(stretch=2.5, whole=True), USUAL)
    assert said == {"shares_cells": "r0:5.5", "shares_stretch": "2.5", "shares_whole": "yes"}


@pytest.mark.thorough
@examples(200)
@given(
    st.dictionaries(
        st.sampled_from(sorted(PARAMETERS)),
        st.text(st.sampled_from("0123456789:.-ertdmlb none"), max_size=14) | st.text(max_size=6),
    )
)
def test_any_text_is_read_or_ignored_with_a_note(given_: dict[str, str]) -> None:
    found, _, notes = read(given_, USUAL)
    assert len(found.bags) == 2
    assert all(notes)
    assert found.change.machines is None or found.change.machines.machine_type < 2
