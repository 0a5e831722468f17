"""The charts of a purchase show what was computed, in the units of the page."""

from dataclasses import replace

import numpy as np
import pytest

from core.capabilities.provision.comparison import compare
from core.capabilities.provision.files import plan_file
from core.capabilities.provision.files.plan_file import PlanSpread, ScenarioSettings
from core.capabilities.provision.futures.varying import find_operations
from core.capabilities.provision.second_stages import SecondStages, Weights
from core.capabilities.provision.words import DECIDED, UNTOUCHED
from core.vocabulary.tolerances import SAME
from dashboard.screens.provision import sweeps
from dashboard.screens.provision.answer import fresh_of
from dashboard.screens.provision.charts import (
    budget_figure,
    count_figure,
    more_figure,
    risk_figure,
    seconds_figure,
    shopping_figure,
    spread_figure,
    value_figure,
    violins_figure,
)
from dashboard.screens.provision.sweeps import (
    cautious,
    few_scenarios,
    of_worst,
    one_more,
    over_budget,
    over_count,
    over_spread,
)
from dashboard.screens.provision.words import sentences, violins


def by_name(figure, name):
    return next(trace for trace in figure.data if trace.name == name)


def test_bars_add_up_to_what_is_bought(found):
    figure = shopping_figure(found)
    assert figure.layout.xaxis.ticktext[-1] == "Most for<br>its price"  # on a phone, too
    for place, method in enumerate(DECIDED):
        up = sum(trace.y[place] for trace in figure.data if trace.y[place] > 0)
        down = sum(trace.y[place] for trace in figure.data if trace.y[place] < 0)
        purchase = found.outcomes[method].purchase
        assert up == pytest.approx(purchase.buy.sum(), abs=0.01)
        assert down == pytest.approx(-purchase.sell.sum(), abs=0.01)


def test_rewards_are_those_of_fresh_scenarios_once_they_are_there(found):
    at_first = by_name(value_figure(found), "Expected, with 95 % interval")
    assert at_first.x[0] == pytest.approx(3600 * found.best.value)
    assert at_first.error_x["array"][0] == pytest.approx(3600 * found.best.half_width)
    fresh, known = fresh_of(found)
    figure = value_figure(replace(found, fresh=fresh, fresh_known=known))
    then = by_name(figure, "Expected, with 95 % interval")
    assert figure.layout.shapes[0].x0 == pytest.approx(3600 * known.mean)
    assert then.x[-1] == pytest.approx(3600 * fresh[UNTOUCHED].objectives[0].mean)
    assert known.mean >= max(then.x) / 3600 * (1 - SAME), "a bound, on the same scenarios"
    for place, method in enumerate(DECIDED):
        assert then.x[place] == pytest.approx(3600 * fresh[method].objectives[0].mean)
        assert then.error_x["array"][place] == pytest.approx(
            3600 * fresh[method].objectives[0].half_width
        )


def test_the_line_of_a_known_future_says_if_its_machines_are_in_parts(found):
    decision = replace(found.compared.decision, in_parts=2.0)
    whole = replace(found, compared=replace(found.compared, decision=decision))
    said = [value_figure(one).layout.annotations[0].text for one in (found, whole)]
    assert said == ["knowing the future", "knowing the future, in parts"]


def test_a_violin_is_the_difference_in_each_scenario(found):
    each = violins(found)
    assert [one.method for one in each] == ["mvp", "h1", "h2", "h3"]
    rule = each[1]
    assert rule.improvement == pytest.approx(found.best.values - found.outcomes["h1"].values)
    assert rule.mean == pytest.approx(found.best.value - found.outcomes["h1"].value)
    assert rule.wins == np.mean(rule.improvement > 0)
    assert rule.losses == np.mean(rule.improvement < 0)
    assert rule.density.max() == 1
    assert rule.levels[0] == rule.improvement.min()
    means = violins_figure(each, found.asked.inputs).data[-1]
    assert means.y == pytest.approx([3600 * one.mean for one in each])


def test_a_violin_of_shares_is_of_what_the_rival_earns(found):
    each = violins(found, relative=True)
    ours, theirs = found.best.values, found.outcomes["h1"].values
    assert each[1].improvement == pytest.approx(ours / theirs - 1, abs=1e-5)
    assert each[1].mean == pytest.approx(np.mean(ours / theirs - 1), abs=1e-5)
    low, high = np.quantile(each[1].improvement, (0.01, 0.99))
    assert low <= each[1].levels[0] < each[1].levels[-1] <= high
    figure = violins_figure(each, found.asked.inputs)
    assert figure.data[-1].y == pytest.approx([100 * one.mean for one in each])
    assert figure.layout.yaxis.title.text == "More reward than the rival (% of the rival's)"
    assert figure.layout.xaxis.ticktext[3] == "Most for<br>its price"
    assert " % more on average; it is better in " in sentences(found, each)[1]


def rewarded(found, ours, theirs):
    """The same answer where the two-stage purchase and the rivals earn other rewards."""
    outcomes = {
        method: replace(one, values=np.array(ours if method == "rp" else theirs))
        for method, one in found.compared.outcomes.items()
    }
    return replace(found, compared=replace(found.compared, outcomes=outcomes))


def test_scenarios_in_which_the_rival_earns_nothing_are_left_out_and_counted(found):
    some = rewarded(found, [1.0, 0.0, 3.0, 1.0], [0.0, 0.0, 2.0, 4.0])
    each = violins(some, relative=True)
    assert each[0].improvement.tolist() == [0.0, 0.5, -0.75]
    assert each[0].left_out == 1
    assert sentences(some, each)[0] == (
        "If all goes as expected: our advice earns 8.3 % less on average; it is better in 33.3 % "
        "of the scenarios, and worse in 33.3 %. Left out: 1 scenario in which it earns nothing."
    )
    none = rewarded(found, [1.0, 2.0], [0.0, 0.0])
    each = violins(none, relative=True)
    assert [one.left_out for one in each] == [2] * 4
    assert sentences(none, each)[0] == (
        "If all goes as expected: it earns nothing in any scenario, so there are no shares."
    )
    assert len(violins_figure(each, none.asked.inputs).data[-1].x) == 0


def test_without_spread_a_violin_is_a_line_and_equals_are_said_to_be(certain):
    each = violins(certain)
    assert all(len(one.levels) == 1 for one in each)
    assert sentences(certain, each)[0] == "If all goes as expected: equal in every scenario."


def test_the_budget_of_the_plan_is_in_its_sweep(found):
    sweep = over_budget(found.file, found.asked.inputs)
    assert sweep.budgets.tolist() == [0, 50, 100, 150, 200, 250, 300, 350, 400]
    here = sweep.budgets.tolist().index(200)
    assert sweep.rewards["rp"][here] == pytest.approx(found.best.value, rel=1e-3)
    for method, values in sweep.rewards.items():
        assert (values <= sweep.rewards["ws"] * (1 + 1e-3)).all(), method
        assert (np.diff(values) >= -1e-3 * values.max()).all() or method.startswith("h")
    line = by_name(budget_figure(sweep, found.asked.inputs, 200.0), "Our advice")
    assert line.y == pytest.approx(3600 * sweep.rewards["rp"])


@pytest.mark.thorough
def test_sweeps_keep_to_whole_machines_and_to_caution(found):
    asked = replace(found.asked.inputs, whole=True, caution=0.5)
    sweep, parts = over_budget(found.file, asked), over_budget(found.file, found.asked.inputs)
    # One A costs 100, so 50 buy half of one, or nothing.
    assert sweep.rewards["h1"][1] == pytest.approx(sweep.rewards["h1"][0])
    assert parts.rewards["h1"][1] > parts.rewards["h1"][0] + 1e-3
    assert sweep.rewards["ws"] == pytest.approx(parts.rewards["ws"])
    few, aim = few_scenarios(found.file), Weights(caution=0.5)
    same = compare(found.plan, few, aim, gap=1e-4, whole=True)
    lines = {line.name: line.line.shape for line in budget_figure(sweep, asked, 200.0).data}
    assert (lines["Our advice"], lines["Each future known"]) == ("hv", "linear")
    assert {line.line.shape for line in budget_figure(parts, found.asked.inputs, 200.0).data} == {
        "linear"
    }
    assert sweep.rewards["rp"][4] == pytest.approx(same.outcomes["rp"].value)
    spread = over_spread(found.file, asked)
    assert spread.changes == pytest.approx(np.round(spread.changes), abs=1e-6)
    assert cautious(found.file, asked).purchase.buy.tolist() == pytest.approx(
        np.round(cautious(found.file, asked).purchase.buy)
    )


def test_a_budget_that_is_too_small_leaves_a_gap_in_the_lines(found):
    least = replace(found.file, limits=replace(found.file.limits, least_machines=5.0))
    sweep = over_budget(least, found.asked.inputs)
    # 3 machines are there; 2 more cost 80.
    assert np.isnan(sweep.rewards["rp"]).tolist() == [True, True] + [False] * 7


def test_the_spread_of_the_plan_is_in_its_sweep(found):
    sweep = over_spread(found.file, found.asked.inputs)
    here = sweep.multiples.tolist().index(1)
    assert sweep.rewards["rp"][here] == pytest.approx(found.best.value, rel=1e-3)
    certain = sweep.rewards
    assert certain["rp"][0] == pytest.approx(certain["ws"][0], rel=1e-3), "nothing to know"
    purchase = found.best.purchase
    assert sweep.changes[here] == pytest.approx(purchase.buy - purchase.sell, abs=0.05)
    line = by_name(spread_figure(sweep, found.asked.inputs), "Each future known")
    assert line.y == pytest.approx(3600 * sweep.rewards["ws"])


@pytest.mark.thorough
def test_more_scenarios_make_surer(found):
    sweep = over_count(found.file, found.best.purchase, found.asked.inputs)
    assert list(sweep.half_widths) == ["independent", "latin", "sobol"]
    assert sweep.counts == (16, 64, 256, 1024, 4096)
    assert (sweep.seconds > 0).all()
    cost = seconds_figure(sweep).data[0]
    assert cost.y == pytest.approx(np.log10(sweep.seconds))
    assert cost.x[-1] == pytest.approx(np.log10(4096))
    for widths in sweep.half_widths.values():
        assert widths[-1] < widths[0] / 2
    assert (sweep.half_widths["sobol"] < sweep.half_widths["independent"]).all()
    # Of independent draws: Student's interval of one sample, which 8 repetitions know roughly.
    share = found.best.values.std(ddof=1) / found.best.value
    student = 2.365 * share / np.sqrt(sweep.counts)
    assert 0.6 < np.mean(sweep.half_widths["independent"] / student) < 1.6
    line = by_name(count_figure(sweep), "Sobol")
    assert line.x[0] == pytest.approx(np.log10(16))
    assert line.y == pytest.approx(np.log10(100 * sweep.half_widths["sobol"]))


def test_of_a_large_plan_fewer_scenarios_are_tried(found, monkeypatch):
    for most, counts in ((10, (16,)), (191, (16,)), (192, (16, 64))):  # of 3 pairs each
        monkeypatch.setattr(sweeps, "_MOST_PAIRS", most)
        assert over_count(found.file, found.best.purchase, found.asked.inputs).counts == counts


@pytest.mark.thorough
def test_where_some_scenarios_take_long_more_are_not_timed(found, monkeypatch):
    took = {16: 2.0, 64: 3.0, 256: 3.1}
    monkeypatch.setattr(sweeps, "_MOST_PAIRS", 3 * 1024)
    monkeypatch.setattr(sweeps, "_seconds", lambda _file, count, *_: took[count])
    sweep = over_count(found.file, found.best.purchase, found.asked.inputs)
    assert sweep.seconds[:3].tolist() == [2.0, 3.0, 3.1]
    assert np.isnan(sweep.seconds[3:]).tolist() == [True]
    assert np.isfinite(sweep.half_widths["sobol"]).all()
    line = seconds_figure(sweep).data[0]
    assert line.y[:3] == pytest.approx(np.log10([2.0, 3.0, 3.1]))


def test_one_more_machine_is_what_it_adds(found):
    more = one_more(found.file, found.best.purchase)
    stages = SecondStages(found.plan, few_scenarios(found.file), Weights())
    counts = found.best.purchase.counts
    added = stages.of(counts + np.eye(2)[1]).values.mean() - stages.of(counts).values.mean()
    assert more[1] == pytest.approx(added, abs=1e-9)
    assert (more >= 0).all()
    bars = more_figure(more, found.plan, found.asked.inputs).data[0]
    assert bars.x[0] == pytest.approx(3600 * more.max())
    assert "for each 1,000 EUR" in bars.text[0]


def test_caution_is_best_where_it_is_worst(found):
    caution = cautious(found.file, found.asked.inputs)
    for one in found.outcomes.values():
        assert of_worst(caution.values) >= of_worst(one.values) * (1 - 1e-3)
    many = replace(found.file, scenarios=ScenarioSettings(321))
    rated = cautious(many, found.asked.inputs)
    assert len(rated.values) == 321, "in all scenarios of the answer"
    stages = SecondStages(many.plan, many.sampling.scenarios(many.plan), Weights())
    assert rated.values == pytest.approx(stages.of(rated.purchase.counts).values)
    worst = by_name(risk_figure(found, caution), "Worst 5 % of scenarios")
    assert worst.y[:2] == ("Our advice", "Best for the worst 5 %")
    assert worst.x[1] == pytest.approx(3600 * of_worst(caution.values))


def test_a_sweep_over_the_spread_looks_for_operations_once(found, monkeypatch):
    searched = []

    def counted(*asked):
        searched.append(asked)
        return find_operations(*asked)

    monkeypatch.setattr(plan_file, "find_operations", counted)
    file = replace(found.file, spread=replace(found.file.spread, operations="by error"))
    swept = over_spread(file, found.asked.inputs)
    assert len(searched) == 1
    times = swept.multiples.tolist()
    same = compare(file.plan, few_scenarios(file), gap=1e-4)
    assert swept.rewards["rp"][times.index(1.0)] == pytest.approx(same.outcomes["rp"].value)
    still = replace(found.file, spread=PlanSpread())
    certain = compare(file.plan, few_scenarios(still), gap=1e-4)
    assert swept.rewards["rp"][times.index(0.0)] == pytest.approx(certain.outcomes["rp"].value)


def test_sweeps_take_few_scenarios(found):
    many = replace(found.file, scenarios=ScenarioSettings(321))
    assert len(few_scenarios(many)) == 320
    assert few_scenarios(many).sets == 10, "regions and intervals are those of independent sets"
    assert len(few_scenarios(found.file)) == 16
