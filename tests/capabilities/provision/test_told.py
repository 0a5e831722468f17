"""An answer says what a purchase costs, brings and leaves, and how sure that is."""

from dataclasses import replace

import numpy as np
import pytest
from capabilities.provision.plan_files import folder_with
from capabilities.provision.plans import busy_at_once, e1

from core.capabilities.provision.answer import Provisioning
from core.capabilities.provision.comparison import compare
from core.capabilities.provision.files.plan_file import node_hours
from core.capabilities.provision.files.plan_format import inspect_plan
from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.goals.answer import find_goal
from core.capabilities.provision.goals.answer import told as told_of_goal
from core.capabilities.provision.goals.goal import Goal
from core.capabilities.provision.queue import WeekQueue
from core.capabilities.provision.told import TIES, told
from core.capabilities.provision.words import IN_PARTS, peaks_said
from core.vocabulary.prices.site import Site
from core.vocabulary.say.words import Sense, amount

SETTINGS = """
[limits]
budget = 200
[spread.arrivals]
law = "uniform"
cov = 0.5
[scenarios]
count = 16
points = "independent"
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """B costs half of A, and does half as much of what it can do."""
    folder = folder_with(
        tmp_path_factory.mktemp("plan"),
        etc_csv="task_type,A,B\nshort,1,2\nlong,4,\n",
        apc_csv="task_type,A,B\nshort,110,60\nlong,90,\n",
        tasks_csv="task_type,reward,arrival_rate\nshort,1,2\nlong,6,0.5\n",
        machines_csv="machine_type,count,idle_power,price,resale,failure_rate\n"
        "A,1,10,100,40,0\nB,2,20,40,10,3.6\n",
        plan_toml=SETTINGS,
    )
    read = inspect_plan(folder).value
    assert read is not None
    return read


@pytest.fixture(scope="module")
def found(file):
    """The best purchase of machines in parts."""
    return Provisioning(file, compare(file.plan, file.sampling.scenarios(file.plan)))


def with_best(found, best):
    outcomes = {**found.compared.outcomes, "rp": best}
    return replace(found, compared=replace(found.compared, outcomes=outcomes))


def bought(found, buy, sell):
    """The same answer with another two-stage purchase."""
    plan = found.plan
    one, other = np.array(buy), np.array(sell)
    cost = float(one @ plan.prices - other @ plan.resales)
    purchase = Purchase(one, other, plan.counts + one - other, cost)
    return with_best(found, replace(found.best, purchase=purchase))


def test_buying_and_selling_are_said_with_their_cost(found):
    both = told(bought(found, [2.0, 0.0], [0.0, 1.0])).lead
    assert both.startswith("Buy 2 machines and sell 1 machine for 190 EUR. Expected reward: ")
    brings = told(bought(found, [0.0, 0.0], [1.0, 0.0])).lead
    assert brings.startswith("Sell 1 machine, which brings 40 EUR. ")
    nothing = told(bought(found, [0, 0], [0, 0]))
    assert nothing.lead.startswith("Buy and sell nothing. ")
    assert not any("uy and sell nothing" in one for one in nothing.sentences)


def test_types_are_named_and_the_rest_of_the_budget_too(found):
    """Issue 33, point 32: also power, failures, limits, and what comes of buying nothing."""
    said = told(bought(found, [1.25, 0.0], [0.0, 1.0])).sentences
    assert said[:4] == (
        "Buy 1.2 A, sell 1 B.",
        IN_PARTS,
        "85 EUR of the budget is left.",
        "Limits reached: none.",
    )
    assert said[4].startswith("It draws ")
    assert " failures a second on average." in said[4]
    assert said[5].startswith("Buying and selling nothing earns ")
    assert "by its reward, the purchase pays for itself in " in said[5]
    assert said[6] == TIES
    spent = told(bought(found, [2.0, 0.0], [0.0, 0.0])).sentences
    assert not any("of the budget" in one for one in spent)
    assert "Limits reached: the budget." in spent


def test_few_machines_are_not_said_to_be_none(found):
    assert told(bought(found, [0.02, 0.2], [0.0, 0.0])).sentences[0] == "Buy 0.2 B and 0.02 A."
    assert told(bought(found, [0.004, 0.2], [0.0, 0.0])).sentences[0] == "Buy 0.2 B."


def test_a_sale_that_leaves_fewer_nodes_than_were_busy_at_once_is_said():
    """Issue 35: What to buy sold 38 of 40 nodes of which 26 were needed at once."""
    use = busy_at_once({"M1": 26, "M2": 3, "gone": 9}, machines=(1.0, 2.0, 1.0))

    def said(left, sold):
        counts = np.array([*left, 0.0])
        purchase = Purchase(0 * counts, np.array([*sold, 0.0]), counts, 0.0)
        return " ".join(peaks_said(e1(), purchase, use))

    assert said((2, 80), (38, 0)).startswith(
        "In the log up to 26 nodes of M1 (2 left after the sale) were busy at once. The advice "
    )
    assert "M1 (25 left after the sale) and 3 nodes of M2 (2.5 left" in said((25, 5), (15, 75))
    assert said((26, 6), (14, 74)) == ""
    assert said((2, 2), (0, 0.004)) == "", "what is not sold is no advice"
    assert peaks_said(e1(), Purchase(*np.zeros((3, 3)), 0.0), None) == ()


def test_what_is_left_may_be_too_little_for_a_machine(found):
    """Issue 33, point 32: of a budget that is reached, something is left if machines are whole."""
    decision = replace(found.compared.decision, in_parts=9.0)
    whole = replace(found, compared=replace(found.compared, decision=decision))
    said = told(bought(whole, [1.0, 1.5], [0.0, 0.0])).sentences
    assert said[1] == "40 EUR of the budget is left."
    less = told(bought(whole, [1.0, 1.75], [0.0, 0.0])).sentences
    assert less[1] == "30 EUR of the budget is left, less than one more machine costs."
    assert IN_PARTS not in less


def test_figures_have_power_and_failures_only_if_there_are_any(found):
    labels = [figure.label for figure in told(found).figures]
    assert labels == [
        *("Cost", "Expected reward", "A perfect forecast", "Planning for uncertainty"),
        *("Mean power", "Failures"),
    ]
    electricity = told(found, site=Site(0.5, 0.4, 0.25, 2.0, "CHF")).figures[5]
    assert found.best.power is not None
    a_year = 0.6 * 2 * found.best.power * 8.76  # W, all the 8,760 h of a year
    assert electricity.label == "Electricity a year"
    assert electricity.value == amount(a_year, Sense.HEADLINE, "CHF")
    without = with_best(found, replace(found.best, power=None, failures=0.0))
    assert [figure.label for figure in told(without).figures] == labels[:4]


def test_power_is_one_number_in_sentences_and_figures(found):
    said = told(found)
    power = next(one.value for one in said.figures if one.label == "Mean power")
    assert any(f"It draws {power} and has " in one for one in said.sentences)


@pytest.mark.parametrize(("share", "adds"), [(0.9e-6, False), (1.1e-6, True)])
def test_what_is_only_the_gap_of_the_methods_is_nothing(found, share, adds):
    """Sentences and key figures say it alike."""
    values = found.best.values + share * found.compared.decision.upper
    said = told(replace(found, compared=replace(found.compared, wait_and_see=values)))
    figure = next(one for one in said.figures if one.label == "A perfect forecast")
    assert (figure.value != "0 EUR a second") == adds
    assert any("would add nothing (EVPI)" in one for one in said.sentences) == (not adds)


def test_the_best_rule_of_thumb_is_named_with_what_it_loses(found):
    values = {"h1": 3.0, "h2": 4.0, "h3": 2.0, "mvp": 5.0, "rp": 5.0}
    outcomes = {
        method: replace(one, values=np.full(16, values[method]))
        for method, one in found.outcomes.items()
    }
    known = replace(found, compared=replace(found.compared, outcomes=outcomes))
    assert told(known).sentences[-1] == (
        "The best rule of thumb, “fastest for its price”, loses 1 EUR a second (20 %)."
    )
    outcomes["h2"] = outcomes["rp"]
    alike = replace(found, compared=replace(found.compared, outcomes=outcomes))
    assert told(alike).sentences[-1].endswith("“fastest for its price”, is as good here.")


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        (Goal("cost", reward=1.0), "Expected reward: 1 EUR a second."),
        (Goal("power", reward=1.0), "Mean power: "),
        (Goal("failures", reward=1.0), "Mean failures: "),
        (Goal(power=500.0), "Expected reward: "),
    ],
)
def test_each_goal_has_its_mean_in_the_lead(file, goal, said):
    answer = find_goal(file, goal, gap=1e-3)
    assert said in told_of_goal(answer).lead


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ([0, 9.1, 2], [0, 2.2, 1], "; the queue of a Tuesday falls from 9 h to 2 h. "),
        ([0, 1.02, 0], [0, 0, 0], "; the queue of a Tuesday, 1 h today, is gone. "),
        ([0, 0, 3], [0, 0, 4], "; the queue of a Wednesday grows from 3 h to 4 h. "),
        ([0, 0, 3], [0, 0, 3], "; the queue of a Wednesday stays at 3 h. "),
        ([0, 0, 0.01], [0, 0, 0], "; there is no queue at any hour, neither now nor then. "),
        ([np.inf] * 3, [5, 0, 0], "and then the queue of a Monday is at most 5 h. "),
        ([0, 0, 0], [np.inf] * 3, "; more work arrives than these machines can do, so the queue "),
    ],
)
def test_the_lead_says_what_comes_of_the_queue(found, before, after, said):
    """Issue 35: "the queue of a Monday falls from 9 h to 2 h"."""
    queue = WeekQueue(*(np.repeat(np.array(days) * 3600.0, 24) for days in (before, after)))
    assert said in told(replace(found, queue=queue)).lead


def test_the_longest_queue_may_then_be_on_another_day(found):
    days = [np.repeat(np.array(one) * 3600.0, 24) for one in ([0, 9.0, 4.0], [0, 2.0, 3.0])]
    answer = replace(found, queue=WeekQueue(*days))
    assert any(
        one.endswith("the longest is 3 h, on a Wednesday.") for one in told(answer).sentences
    )
    assert told(answer).data["queue"] == {"day": "Tuesday", "before": 32400.0, "after": 7200.0}


def test_work_is_said_in_node_hours(file):
    """Issue 35: without rewards, the objective is what an administrator has."""
    by_work = replace(
        file,
        demands=tuple(
            replace(one, reward=hours)
            for one, hours in zip(file.demands, node_hours(file.types).tolist(), strict=True)
        ),
        by_work=True,
    )
    compared = compare(by_work.plan, by_work.sampling.scenarios(by_work.plan))
    said = told(Provisioning(by_work, compared))
    every = " ".join((said.lead, *said.sentences, *(one.meaning for one in said.figures)))
    assert " node-hours a second, " in said.lead
    assert said.lead.endswith(" more than without buying.")
    assert not any(word in every for word in ("reward", "earn", "pays for itself"))
    assert said.data["payback"] is None
