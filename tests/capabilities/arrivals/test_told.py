"""An answer says what each policy earns and draws, with units and intervals."""

from dataclasses import replace

import numpy as np
from arriving_days import HOUR, KWH, a_bag, a_trial, tried

from core.capabilities.arrivals.asked import ArrivalsSettings
from core.capabilities.arrivals.bags_told import thriftiest
from core.capabilities.arrivals.made.recipes import drawn
from core.capabilities.arrivals.policies import PolicySwitches
from core.capabilities.arrivals.question import JoulesAllowed, ReplayQuestion
from core.capabilities.arrivals.told import energy_said, told
from core.capabilities.arrivals.trials import ReplayComparison, TrialBound
from core.capabilities.arrivals.uncertain.methods import BagBound
from core.shells.told.told import Told, ToldTable
from core.vocabulary.prices.site import Site


def found_of(
    *worths: tuple[float, float], bound: float | None = None, budget: float = 6.3 * KWH
) -> ReplayComparison:
    """Days on which EASY and Max UPE earn so much of 100."""
    question = ReplayQuestion(
        "budget-100",
        ("easy", "max-upe"),
        PolicySwitches(),
        JoulesAllowed(share=0.7 if np.isfinite(budget) else None),
        trials=len(worths),
        bounded=bound is not None,
    )
    found = {
        policy: [a_trial(pair[k], budget=budget) for pair in worths]
        for k, policy in enumerate(question.policies)
    }
    return tried(question, found, [] if bound is None else len(worths) * [TrialBound(bound)])


def sentences(found: ReplayComparison) -> tuple[str, ...]:
    return told(found, "A day").sentences


def test_the_best_policy_is_named_with_what_was_possible() -> None:
    assert told(found_of((60.0, 70.0), bound=80.0), "A day").lead == (
        "Most worth per kWh earns most: 87.5 % of what is possible at most (proven)."
    )
    assert told(found_of((60.0, 70.0)), "A day").lead == (
        "Most worth per kWh earns most: 70 % of the worth without waiting."
    )
    alone = found_of((60.0, 70.0))
    alone = replace(alone, question=replace(alone.question, policies=("easy",)))
    assert told(alone, "A day").lead == "EASY backfilling earns 60 % of the worth without waiting."


def test_what_a_bound_means_is_said_where_there_is_one() -> None:
    meaning = "The bound is proven, also for who knows beforehand what arrives."
    assert sentences(found_of((60.0, 70.0), bound=80.0))[-1] == meaning
    assert meaning not in sentences(found_of((60.0, 70.0)))


def test_workload_budget_and_the_second_are_said() -> None:
    workload, budget, second, *_ = sentences(found_of((60.0, 70.0)))
    assert workload == "The workload: A day, 1 day drawn from seed 0 on; 10 jobs."
    assert budget == (
        "Jobs may take 6.3 kWh, 70 % of what they take under “Most worth per core-second” without "
        "one; under Most worth per kWh they take 5 kWh."
    )
    assert second == (
        "EASY backfilling is next, 10.0 percentage points below. One day is not enough to rank "
        "policies: choose more days to see how sure that is."
    )
    workload, without, second, *_ = sentences(found_of((60.0, 70.0), (70.0, 81.0), budget=np.inf))
    assert workload.endswith("2 days drawn from seed 0 on; 10 jobs a day on average.")
    assert without == "There is no energy budget; Most worth per kWh takes 5 kWh."
    assert "10.5 ± 6.4 percentage points below on the same days." in second
    assert "may change the order" not in second
    unsure = sentences(found_of((60.0, 70.0), (70.0, 70.5)))
    assert unsure[1].startswith("Jobs may take 6.3 kWh on average, ")
    assert unsure[2].endswith("More days may change the order.")
    assert sentences(found_of((70.0, 70.0)))[2].endswith("is as good.")


def test_a_workload_that_was_given_is_no_day() -> None:
    """Issue 33, point 3: a log of 14 days is not called a day."""
    found = found_of((60.0, 70.0), bound=80.0)
    given = replace(found, question=replace(found.question, source=drawn("budget-100", 0)))
    said = sentences(given)
    assert said[0] == "The workload: A day, 10 jobs."
    assert said[2] == "EASY backfilling is next, 12.5 percentage points below on this workload."
    assert "day" not in " ".join(figure.meaning for figure in told(given, "log").figures)


def test_only_days_under_all_policies_count() -> None:
    found = found_of((60.0, 70.0), (10.0, 90.0), bound=80.0)
    trials = {**found.trials, "easy": {0: found.trials["easy"][0]}}
    one = replace(found, trials=trials)
    assert told(one, "A day").lead == told(found_of((60.0, 70.0), bound=80.0), "A day").lead
    assert sentences(one)[0].endswith("10 jobs. 2 days were asked for.")
    assert sentences(one)[2].endswith("percentage points below."), "more days are on their way"
    unproven = replace(found, bounds={0: TrialBound(80.0)})
    assert told(unproven, "A day").lead == told(one, "A day").lead, "that of a day is to be proven"
    none = told(replace(found, trials={**trials, "easy": {}}), "A day")
    assert none.lead == "No workload was replayed under all policies."
    assert none.data["trials"] == 0


def test_a_day_on_which_nothing_can_be_earned_leaves_the_others_their_order() -> None:
    found = found_of((62.0, 70.0), (0.0, 0.0), bound=80.0)
    found = replace(found, bounds={0: TrialBound(80.0), 1: TrialBound(0.0)})
    assert sentences(found)[2].startswith("EASY backfilling is next, 5.0 ± ")


def test_a_disagreement_is_said() -> None:
    found = found_of((60.0, 70.0))
    assert "Checked: a judge that shares no code with the replays agrees with each." in (
        sentences(found)
    )
    wrong = replace(found, trials={**found.trials, "easy": {0: a_trial(60.0, verified=False)}})
    assert (
        "NOT verified: an independent check disagrees with the outcomes of EASY backfilling."
        in sentences(wrong)
    )


def test_headline_first_figure_and_table_have_one_number() -> None:
    """Issue 33, point 10: the worth without waiting may be less than what is possible, or more."""
    for bound, said in ((None, "70 %"), (71.43, "98 %"), (102.0, "68.6 %")):
        answer = told(found_of((60.0, 70.0), bound=bound), "A day")
        worth, possible, *_ = answer.figures
        assert worth.value == said
        assert f": {said} of " in answer.lead
        assert said in answer.tables[0].rows[0]
        assert possible.value == ("–" if bound is None else f"{bound:g}")


def test_energy_is_written_like_its_budget() -> None:
    """Issue 33, point 10: 0.9 of 1.2 kWh, and never above the budget unless it is."""
    tight = found_of((60.0, 70.0), budget=5.0004 * KWH)
    assert energy_said(tight, "easy") == "5 kWh"
    assert "Jobs may take 5 kWh, " in sentences(tight)[1]


def test_the_budget_is_for_what_jobs_draw() -> None:
    """Machines that are on draw 4 kWh beside the 5 kWh of jobs, who may take 6.3 kWh."""
    plain = found_of((60.0, 70.0), (60.0, 72.0))
    trials = {
        policy: {
            k: one._replace(score=replace(one.score, joules=9 * KWH)) for k, one in found.items()
        }
        for policy, found in plain.trials.items()
    }
    answer = told(replace(plain, trials=trials), "A day")
    assert column(answer.tables[0], "Energy") == ["9 kWh"] * 2
    assert column(answer.tables[0], "Energy of jobs") == ["5 kWh"] * 2
    assert column(answer.tables[0], "Of the budget") == ["79.4 %"] * 2
    assert answer.sentences[1].endswith(
        "under Most worth per kWh they take 5 kWh. The budget is for jobs alone: machines that are "
        "on take 4 kWh besides."
    )
    policies = answer.data["policies"]
    assert isinstance(policies, dict)
    assert {name: policies["easy"][name] / KWH for name in ("energy", "energy_of_jobs")} == {
        "energy": 9.0,
        "energy_of_jobs": 5.0,
    }
    assert "Energy of jobs" not in told(plain, "A day").tables[0].head


def column(table: ToldTable, title: str) -> list[str]:
    place = table.head.index(title)
    return [row[place] for row in table.rows]


def told_of_bags(found: ReplayComparison) -> Told:
    return told(found, "bags")


def test_bags_have_what_was_expected_and_what_happened() -> None:
    settings = ArrivalsSettings(workload="uncertain", days=2, methods=("batch-maxmin", "weighed"))
    runs = {
        method: 2 * [a_bag(seconds, 4 * KWH, (2 * HOUR, 9 * KWH))]
        for method, seconds in (("batch-maxmin", HOUR), ("weighed", 0.5 * HOUR))
    }
    question, bound = settings.question(None), TrialBound(1024.0, BagBound(1500.0, 2 * KWH))
    partly = tried(question, runs, [bound]).so_far
    said = told_of_bags(partly)
    assert said.lead.endswith("after 30 min on average. It expected 2 h.")
    assert "Energy above the bound" not in said.tables[0].head
    whole = tried(question, runs, 2 * [bound])
    said = told_of_bags(whole)
    assert said.lead.startswith("Bags end first under the method weighed: ")
    runs["batch-maxmin"] = 2 * [a_bag(0.5003 * HOUR, 3 * KWH, (2 * HOUR, 9 * KWH))]
    alike = tried(question, runs, 2 * [bound]).so_far
    assert told_of_bags(alike).lead == (
        "Bags end after 30 min 1 s on average under each of 2 methods, at most 20.1 % above the "
        "lower bound. So energy decides: the method batch MaxMin takes least."
    )
    assert alike.ranked == ["batch-maxmin", "weighed"]
    assert len(said.tables) == 3
    assert "at most 20 % above the lower bound. It expected 2 h." in said.lead
    assert said.sentences[0].startswith("The workload: bags, 2 bags drawn from seed 1 on; ")
    assert "batch MaxMin is next, 30 min later." in said.sentences
    assert said.sentences[-1] == (
        "No method could have taken less than 25 min, or less than 2 kWh (proven)."
    )
    assert column(said.tables[0], "Expected makespan")[0] == "120 ± 0 min"
    assert column(said.tables[0], "Actual makespan")[0] == "30 ± 0 min"
    assert column(said.tables[0], "Difference of energy") == ["−55.6 %", "−55.6 %"]
    assert column(said.tables[0], "Makespan above the bound") == ["at most 20 %", "at most 140 %"]
    assert column(said.tables[-1], "Method") == ["weighed", "batch MaxMin"]
    one = said.data["policies"]["weighed"]
    assert (one["expected_makespan"], one["expected_energy"]) == (2 * HOUR, 9 * KWH)
    rate = "The method weighed takes a second less of makespan for 2 kJ."
    assert rate not in said.sentences
    asked = replace(whole, question=replace(whole.question, exchange=2000.0))
    assert rate in told_of_bags(asked).sentences
    other = replace(asked.question, policies=("batch-maxmin",))
    assert rate not in told_of_bags(replace(asked, question=other)).sentences


def test_of_methods_that_end_at_once_the_thriftiest_is_first() -> None:
    settings = ArrivalsSettings(workload="uncertain", methods=("batch-maxmin", "weighed"))
    runs = {
        method: [a_bag(HOUR, joules, (2 * HOUR, 9 * KWH))]
        for method, joules in (("batch-maxmin", 4 * KWH), ("weighed", 3 * KWH))
    }
    bounds = [TrialBound(1024.0, BagBound(1500.0, 2 * KWH))]
    assert tried(settings.question(None), runs, bounds).ranked == ["weighed", "batch-maxmin"]


def test_one_method_is_beside_none_and_bounds_are_never_rounded_up() -> None:
    settings = ArrivalsSettings(workload="uncertain", methods=("weighed",))
    runs = {"weighed": [a_bag(HOUR, 4 * KWH, (2 * HOUR, 9 * KWH))]}
    bound = TrialBound(1024.0, BagBound(1500.9, 2.00004 * KWH))
    found = tried(settings.question(None), runs, [bound])
    said = told_of_bags(found)
    assert said.lead.startswith("Bags end under the method weighed: after 1 h on average")
    assert len(said.tables) == 2
    assert said.sentences[-1].startswith("No method could have taken less than 25 min, or less ")
    assert said.sentences[-1].endswith(" than 2 kWh (proven).")
    assert thriftiest(found) == "The method weighed takes least energy: 4 kWh on average."


def test_methods_are_beside_the_worst_and_the_best_of_the_same_bags() -> None:
    hours = {"batch-maxmin": (10.0, 10.0), "greedy-min": (20.0, 10.0, 20.0), "weighed": (8.0, 9.0)}
    runs = {
        method: [a_bag(HOUR * taken, KWH * (30 - taken), (HOUR, KWH)) for taken in all_hours]
        for method, all_hours in hours.items()
    }
    question = ArrivalsSettings(workload="uncertain", days=3, methods=tuple(hours)).question(None)
    table = told_of_bags(tried(question, runs).so_far).tables[1]
    assert column(table, "Method") == ["weighed", "batch MaxMin", "greedy Min"]
    assert column(table, "Less makespan than the worst") == [
        *("35.0 ± 317.7 %", "25.0 ± 317.7 %", "0.0 ± 0.0 %")
    ]
    assert column(table, "More makespan than the best") == ["–", "17.6 ± 74.8 %", "76.5 ± 822.2 %"]
    assert column(table, "Best in makespan") == ["2 of 2", "0 of 2", "0 of 2"]
    assert column(table, "More energy than the best")[2] == "–"
    assert column(table, "Best in energy") == ["0 of 2", "1 of 2", "2 of 2"]
    first = {method: all_runs[:1] for method, all_runs in runs.items()}
    table = told_of_bags(tried(question, first).so_far).tables[1]
    assert column(table, "Less makespan than the worst") == ["60 %", "50 %", "0 %"]


def test_energy_has_a_price_and_its_carbon_by_the_hour_if_that_is_known() -> None:
    """The best policy draws 5 kWh, all of it at noon, where a kWh costs 0.5 and emits 2 kg."""
    site = Site(0.4, 1.0, pue=2.0, currency="CHF", day_tariff=((0.0, 0.1), (12.0, 0.5)))
    noon = np.zeros(24)
    noon[12] = 5 * KWH
    found = found_of((60.0, 70.0), (60.0, 70.0))
    by_hour = {
        policy: {k: one._replace(by_hour=noon) for k, one in trials.items()}
        for policy, trials in found.trials.items()
    }
    for each, price, said in (
        (found, 0.4, "At which hours of the day the energy is drawn is not known"),
        (replace(found, trials=by_hour), 0.5, "the price and the carbon of the hour"),
    ):
        answer = told(each, "A day", site)
        money = f"{2 * 5 * price:.0f} CHF"
        (cost,) = (one for one in answer.figures if one.label == "Cost")
        assert (cost.value, cost.meaning.endswith("; and 10 kg of CO₂.")) == (money, True)
        assert any(said in sentence for sentence in answer.sentences)
        row = dict(zip(answer.tables[0].head, answer.tables[0].rows[0], strict=True))
        assert (row["Cost"], row["CO₂"]) == (money, "10 kg of CO₂")
        policies = answer.data["policies"]
        assert isinstance(policies, dict)
        assert (policies["easy"]["money"], policies["easy"]["carbon"]) == (10 * price, 10.0)
    assert "Cost" not in told(found, "A day").tables[0].head
