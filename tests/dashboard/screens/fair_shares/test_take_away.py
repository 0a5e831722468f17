"""Exports of fair shares: promises and plan as tables, and bags that are read back as they were."""

import io

import numpy as np
import pandas as pd
import pytest

from core.capabilities.fair_shares.bags_reader import inspect_bags_bytes
from core.capabilities.fair_shares.shares import (
    AskedBags,
    BagsChange,
    FairShares,
    MachinesAdded,
    OneMoreBag,
    promises_of,
)
from dashboard.screens.fair_shares.choices import stretch_choices
from dashboard.screens.fair_shares.state import sample_bags
from dashboard.screens.fair_shares.take_away import bags_bytes, plan_csv, promises_csv


@pytest.fixture(scope="module")
def found() -> FairShares:
    change = BagsChange(OneMoreBag(0, 10, 60.0), MachinesAdded(0, 1))
    return promises_of(AskedBags(sample_bags(), change=change))


def test_promises_have_a_line_for_each_bag(found: FairShares) -> None:
    table = pd.read_csv(io.BytesIO(promises_csv(found)))
    assert table["bag"].tolist()[-1] == "another nightly tests"
    assert np.allclose(table["promise"], found.now.deadlines)
    assert table["promise_before"].isna().tolist() == [False] * 8 + [True]
    assert (table["promise"] >= table["planned_end"] - 1e-6).all()


def test_the_plan_has_all_tasks(found: FairShares) -> None:
    table = pd.read_csv(io.BytesIO(plan_csv(found.now.plan)))
    for column in ("sent", "computed"):
        total = table.groupby("bag")[column].sum()
        assert total["genomes"] == pytest.approx(160)
        assert total["another nightly tests"] == pytest.approx(10)
    assert (table["end"] >= table["begin"]).all()


def test_bags_are_read_back_as_they_were() -> None:
    bags = sample_bags()
    reading = inspect_bags_bytes("b.zip", bags_bytes(bags))
    assert reading.problems == ()
    back = reading.require()
    assert back.system == bags.system
    assert back.network.bandwidth == bags.network.bandwidth
    assert np.array_equal(back.network.memory, bags.network.memory)
    assert np.array_equal(back.release, bags.release)


@pytest.mark.parametrize("chosen", [None, 0.5, 1.0, 2.5, 1e6])
def test_a_stretch_that_is_chosen_stays_on_the_slider(
    found: FairShares, chosen: float | None
) -> None:
    choices = stretch_choices(found, chosen)
    assert choices.low < choices.best < choices.high
    assert choices.best >= found.now.stretch > choices.best - choices.step
    assert choices.low <= choices.now <= choices.high
    steps = (choices.now - choices.low) / choices.step
    assert steps == pytest.approx(round(steps), abs=1e-6)
    assert choices.exact == (found.now.plan_stretch if chosen is None else choices.now)
