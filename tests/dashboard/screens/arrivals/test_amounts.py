"""What more, or less, of each resource would earn: replayed, and drawn."""

from dataclasses import replace

import numpy as np
import pytest

from core.capabilities.arrivals.asked import ArrivalsSettings
from core.capabilities.arrivals.labels import policy_label
from core.capabilities.arrivals.made.amounts import with_amounts
from core.capabilities.arrivals.question import JoulesAllowed, TrialPart
from core.capabilities.arrivals.trials import (
    PolicyTrial,
    ReplayComparison,
    TrialBound,
    bound_of,
    replayed,
)
from core.engines.replay.curves import resource_curve
from core.engines.replay.value_score import worth_by_hour
from dashboard.parts.replays.gantt_chart import lane_figure
from dashboard.parts.replays.replaying import ArrivalsFound
from dashboard.screens.arrivals.amounts import (
    FACTORS,
    AmountsFound,
    AmountStep,
    resources_of,
    with_joules,
    worth_at,
)
from dashboard.screens.arrivals.amounts_chart import amount_of, amounts_figure, amounts_said
from dashboard.screens.arrivals.value_charts import hours_figure, sizes_figure

SETTINGS = ArrivalsSettings(
    workload="value", policies=("max-vptr", "simple-dp"), budget=None, cores=64, memory=96.0
)


@pytest.fixture(scope="module")
def found() -> ArrivalsFound:
    """The answer to a day of value of service on a small cluster."""
    question = SETTINGS.question(None)
    begun = ArrivalsFound(SETTINGS, None, ReplayComparison({}, question))
    for policy in question.policies:
        begun = begun.with_replay(TrialPart(0, policy), *replayed(question, TrialPart(0, policy)))
    part = TrialPart(0, None)
    compared = begun.compared.with_results([(part, bound_of(question, part))])
    return replace(begun, compared=compared)


def test_what_the_answer_knows_is_not_computed_again(found: ArrivalsFound) -> None:
    begun = AmountsFound.begun(found)
    assert resources_of(found) == ("cores", "memory_gb")
    assert begun.policies == ("max-vptr", "simple-dp", None)
    assert len(begun.left) == 2 * 3 * (len(FACTORS) - 1)
    assert [step.policy for step in begun.left[-8:]] == [None] * 8, "bounds come last"
    assert begun.line("cores", "max-vptr", "worth") == [(1.0, found.records["max-vptr"].worth)]
    bound = found.compared.bounds[0].worth
    assert begun.line("memory_gb", None, "worth") == [(1.0, bound)]


def test_a_step_is_a_replay_with_that_much(found: ArrivalsFound) -> None:
    question = replace(found.compared.question, budget=JoulesAllowed(float("inf")))
    trial = worth_at(question, AmountStep("cores", 1.5, "max-vptr"))
    bound = worth_at(question, AmountStep("cores", 1.5, None))
    assert isinstance(trial, PolicyTrial)
    assert isinstance(bound, TrialBound)
    assert trial.verified
    assert found.records["max-vptr"].worth < trial.score.worth <= bound.worth
    wide = with_amounts(question.file(0), "cores", 1.5)
    again, _ = replayed(replace(question, source=wide), TrialPart(0, "max-vptr"))
    assert again.score.worth == trial.score.worth
    assert worth_at(question, AmountStep("memory_gb", 0.01, "max-vptr")) is None


def test_a_share_of_a_budget_stays_as_many_joules(found: ArrivalsFound) -> None:
    question = replace(found.compared.question, budget=JoulesAllowed(share=0.5))
    limited = replace(
        found, compared=replace(found.compared, question=question, unlimited={0: 8e5})
    )
    assert with_joules(limited).budget == JoulesAllowed(question.day_joules(0, 8e5))
    assert with_joules(found).budget == JoulesAllowed(float("inf"))


def test_what_more_earns_is_said_once_it_is_known(found: ArrivalsFound) -> None:
    known = AmountsFound.begun(found)
    resources = resources_of(found)
    assert amounts_said(known, resources, "worth") == ""
    now = found.records["max-vptr"].worth
    more = {
        AmountStep("cores", 1.25, "max-vptr"): trial_of(found, worth=1.1 * now),
        AmountStep("memory_gb", 1.25, "max-vptr"): trial_of(found, worth=0.99 * now),
        AmountStep("cores", 0.5, "max-vptr"): None,
    }
    known = replace(known, known={**known.known, **more})
    said = amounts_said(known, resources, "worth")
    assert said == (
        "Replayed under Most value per share of the pool and second: "
        "16 cores more earn 10 % more and 24 GB 1 % less."
    )
    alike = {AmountStep("cores", 1.25, "max-vptr"): trial_of(found, worth=now)}
    again = amounts_said(replace(known, known={**known.known, **alike}), ("cores",), "worth")
    assert again.endswith(": 16 cores more earn no more.")
    first, _, bound = amounts_figure(known, "cores", "worth").data
    assert list(first.x) == [64.0, 80.0]
    assert list(first.y) == [now, 1.1 * now]
    assert (bound.name, list(bound.x)) == ("possible at most", [64.0])
    assert first.customdata[1].endswith(f"80 cores: {1.1 * now:,.0f}")


def trial_of(found: ArrivalsFound, **changed: float) -> PolicyTrial:
    """What came of Max VPTR, with other figures."""
    one = found.compared.trials["max-vptr"][0]
    return one._replace(score=replace(one.score, **changed))


def test_where_worth_does_not_differ_time_does(found: ArrivalsFound) -> None:
    begun = AmountsFound.begun(found)
    assert begun.figure == "worth"
    alike = {
        AmountStep("cores", factor, policy): trial_of(found, worth=5.0, mean_flow=3600.0 / factor)
        for factor in FACTORS
        for policy in ("max-vptr", "simple-dp")
    }
    known = AmountsFound(found, alike)
    assert known.figure == "flow"
    said = amounts_said(known, ("cores",), "flow")
    assert said.endswith(": 16 cores more make the mean time to the end 20 % shorter.")
    figure = amounts_figure(known, "cores", "flow")
    assert [one.name for one in figure.data] == [
        policy_label("max-vptr"),
        policy_label("simple-dp"),
    ]
    assert list(figure.data[0].y) == [1 / factor for factor in FACTORS]
    assert figure.layout.yaxis.title.text == "Mean time to the end (h)"


def test_the_cluster_has_what_all_its_pools_have(found: ArrivalsFound) -> None:
    pools = found.records["max-vptr"].workload.pools
    assert amount_of(pools, "cores") == 64.0
    assert amount_of(pools, "memory_gb") == 96.0


def test_memory_has_a_lane_below_the_units(found: ArrivalsFound) -> None:
    outcome = found.records["max-vptr"]
    options, pieces = outcome.workload.options, outcome.pieces
    curve = resource_curve(outcome, 0, 0)
    taken = options.further[pieces.option, 0]
    for time, value in list(zip(curve.time, curve.value, strict=True))[:-1:29]:
        runs = (pieces.start <= time) & (time < pieces.end)
        assert value == pytest.approx(taken[runs].sum())
    assert curve.value.max() <= 96.0
    (lane,) = lane_figure(outcome, 0, 0).data
    assert lane.customdata[0].endswith("GB of 96 GB")


def test_sizes_are_a_map_of_cores_and_memory() -> None:
    sizes = {(4.0, 6.0): 3.0, (16.0, 6.0): 1.0, (16.0, 40.0, 2.0): 2.0, (16.0, 40.0, 1.0): 5.0}
    (cells,) = sizes_figure(sizes, ("cores", "memory_gb")).data
    assert np.array_equal(cells.z, [[3.0, 1.0], [np.nan, 7.0]], equal_nan=True)
    assert cells.customdata[1] == ["4 cores, 40 GB: no such job", "16 cores, 40 GB: 7 jobs"]


def test_worth_is_a_map_of_hours_and_categories(found: ArrivalsFound) -> None:
    values = found.compared.question.file(0).values
    assert values is not None
    worth = worth_by_hour(found.records["max-vptr"], values)
    (cells,) = hours_figure(worth, ["<b>", "b", "c"]).data
    assert cells.customdata[0][13].startswith("<b>&lt;b&gt;</b>, submitted from 13:00 to 14:00")
    assert np.array_equal(cells.z, worth)
