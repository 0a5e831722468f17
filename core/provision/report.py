"""The section of the report on a plan: what to buy, what it is worth, and other ways beside it."""

from dataclasses import replace
from html import escape
from typing import Final

from core.front.study import Study
from core.model.intervals import Interval
from core.provision.clashes import find_clash
from core.provision.comparison import Comparison, compare
from core.provision.goal_report import goal_part
from core.provision.plan_file import PlanFile
from core.provision.reached import reached_said
from core.provision.report_picture import shopping_picture
from core.provision.second_stages import MOST_CAUTION, Weights
from core.provision.study_block import provision_settings_in
from core.provision.words import (
    IN_PARTS,
    METHODS,
    TIES,
    UNTOUCHED,
    RewardRate,
    caution_said,
    cost_said,
    evpi_said,
    gap_said,
    machines,
    narrowed_said,
    operations_said,
    purchase_said,
    run_said,
    untouched_said,
    vss_said,
    whole_said,
)
from core.report import markup
from core.say.words import NOTHING, Sense, amount, counted
from core.studies.settings import Choice, StudySettings

_TITLE: Final = "What to buy"
_MOST_SCENARIOS: Final = 640
"""More would make the report wait; `wattfront provision` takes them all. Sobol points come in sets
of 64, a power of 2."""
_MOST_TYPES: Final = 40


def section(_study: Study | None, settings: StudySettings, _choice: Choice | None) -> str:
    """The section for the plan of the study; its scenarios are drawn again, at most 640 of them."""
    asked = provision_settings_in(settings)
    if asked is None or asked.file is None:
        return ""
    count = min(asked.file.scenarios.count, _MOST_SCENARIOS)
    file = replace(asked.file, scenarios=replace(asked.file.scenarios, count=count))
    plan = file.plan
    weights = Weights(caution=min(asked.caution, MOST_CAUTION))
    clash = find_clash(plan, whole=asked.whole and asked.goal.is_usual)
    if clash is not None:
        lead = markup.paragraph("No purchase keeps all limits.", "lead")
        faults = markup.items(fault.message for fault in clash.problems())
        return markup.section(_TITLE, lead, faults)
    if not asked.goal.is_usual:
        return markup.section(_TITLE, goal_part(file, asked.goal))
    found = compare(plan, file.sampling.scenarios(plan), weights, whole=asked.whole)
    rate = RewardRate(file.rate_unit, file.currency)
    best = found.outcomes["rp"]
    done = purchase_said(plan, best.purchase)
    reward = rate.said(best.reward, best.half_width)
    lead = f"{done[0].upper()}{done[1:]}. It {cost_said(best.purchase.cost, file.currency)}, and "
    drawn = f"{counted(count, 'scenario')} ({file.scenarios.points}, seed {file.scenarios.seed})"
    said = [
        f"Decided and rated on {drawn}; {gap_said(found.decision)}.",
        *([f"It {running}."] if (running := run_said(best, rate)) else []),
        f"Limits reached: {reached_said(plan, found)}.",
        untouched_said(found, rate),
        evpi_said(found, rate),
        vss_said(found, rate),
        TIES,
        *([] if asked.whole else [IN_PARTS]),
    ]
    if weights.caution:
        said.insert(1, caution_said(found, rate))
    if asked.whole:
        price = whole_said(found, rate)
        said.insert(1, f"All ways to choose but wait and see buy whole machines; {price}.")
    if file.operations is not None:
        said.insert(1, f"Times are made of operations: {operations_said(file.operations)}.")
    said += [narrowed] if (narrowed := narrowed_said(file)) else []
    caption = "Machines that each way to choose buys (above the line) and sells (below it)."
    return markup.section(
        _TITLE,
        markup.paragraph(f"{lead}earns {reward} on average.", "lead"),
        markup.items(said),
        markup.figure(shopping_picture(found), caption),
        "<h3>Ways to choose beside each other</h3>",
        _ways(found, file, rate),
        "<h3>Machines to buy, and with a minus to sell</h3>",
        _purchases(found, file),
    )


def _ways(found: Comparison, file: PlanFile, rate: RewardRate) -> str:
    """What each way to choose earns, and what planners believed who look at means alone."""
    rows = []
    for method, title in METHODS.items():
        if method == "ws":
            reward = Interval.of_sets(found.wait_and_see, found.sets)
            believed = NOTHING
            cost = found.wait_and_see_cost
        else:
            outcome = found.outcomes[method]
            reward, believed = outcome.interval, rate.number(outcome.believed)
            cost = outcome.purchase.cost
        rated = rate.number(reward.mean, reward.half_width)
        rows.append([escape(title), rated, believed, amount(cost, Sense.PLAIN)])
    if found.untouched is not None:
        nothing = found.untouched
        rated = rate.number(nothing.value, nothing.half_width)
        rows.append([UNTOUCHED, rated, rate.number(nothing.believed), amount(0.0, Sense.PLAIN)])
    head = ["Way to choose", f"Reward ({escape(rate.money)})", "In the mean future"]
    return markup.table([*head, f"Cost ({escape(file.currency)})"], rows, marked=0)


def _purchases(found: Comparison, file: PlanFile) -> str:
    """The shopping list of each way to choose, by machine type; sales have a minus."""
    ways = [method for method in METHODS if method != "ws"]
    rows = []
    for j, offer in enumerate(file.offers[:_MOST_TYPES]):
        changes = [
            float(found.outcomes[way].purchase.buy[j] - found.outcomes[way].purchase.sell[j])
            for way in ways
        ]
        now = machines(offer.count)
        rows.append([markup.name(offer.name), now, *(machines(change) for change in changes)])
    more = len(file.offers) - len(rows)
    left_out = f"Left out: {counted(more, 'more machine type')}."
    head = ["Machine type", "Now", *(escape(METHODS[way]) for way in ways)]
    return markup.table(head, rows) + (markup.paragraph(left_out, "quiet") if more else "")
