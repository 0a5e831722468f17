"""Claims on leniency, on more power states and on causes are judged by their numbers."""

import re

from small_days import TRIALS, scores, small_measured

from benchmarks.publications.arrivals.budget import (
    BUDGETS,
    FEW,
    FINE,
    LENIENCIES,
    MANY,
    BudgetDays,
    tuned,
)
from benchmarks.publications.arrivals.budget_sweeps import _leniency
from benchmarks.publications.arrivals.causes import (
    AS_HERE,
    TIMED,
    VARIANTS,
    _alike_with_more_states,
    run_times,
)
from benchmarks.publications.arrivals.days import Days, DaySetting


def tuned_days(**gains: float) -> Days:
    """Gains of leniency 1 over the published one, by budget; no other leniency gains."""
    days = {}
    for budget in BUDGETS:
        days[DaySetting("max-upr", budget, filter="resource")] = scores([5, 6])
        for one in LENIENCIES:
            gain = gains.get(f"at_{budget:g}", 0.0) / 10 if one == 1 else -1
            days[tuned(budget, one)] = scores([5 + gain, 6 + gain])
    return Days(days)


def test_leniency_pays_only_where_the_budget_is_tight() -> None:
    claim = _leniency(tuned_days(at_8=2.0, at_12=1.9, at_15=-5.0))
    assert claim.holds
    assert claim.here.startswith("8 GJ (1): +2.0")
    assert "15 GJ (4): +0.0" in claim.here
    gains = "8 GJ: +0.0 ± 0.0; 12 GJ: +0.0 ± 0.0; 15 GJ: +5.0 ± 0.0; 18 GJ: +0.0 ± 0.0"
    assert claim.cause.endswith(f"tuning gains no more than this: {gains}.")
    assert not _leniency(tuned_days(at_8=1.9)).holds
    assert not _leniency(tuned_days(at_8=5.0, at_12=2.0)).holds


def few_and_fine(lead: float) -> tuple[BudgetDays, BudgetDays]:
    upr, *others = FINE
    few = {upr: scores([5, 6])} | {one: scores([5.5, 6.5]) for one in others}
    fine = {upr: scores([5, 6])} | {
        one: scores([5.5 + lead / 10, 6.5 + lead / 10]) for one in others
    }
    return BudgetDays(Days(few), 1.0), BudgetDays(Days(fine), 1.0)


def test_more_states_are_alike_if_leads_are() -> None:
    assert _alike_with_more_states(*few_and_fine(1.9)).holds
    claim = _alike_with_more_states(*few_and_fine(-2.1))
    assert not claim.holds
    assert "Max UPE: +5.0 and +2.9" in claim.here


def test_run_times_have_a_row_of_fifteen_states() -> None:
    few, many, fine, *_ = small_measured()
    table = run_times(few, many, fine).table
    assert table is not None
    assert [row[1] for row in table.rows].count("15") == 1
    assert len(table.rows) == len(TIMED) == 6


def test_each_cause_that_was_tried_is_told_with_its_number() -> None:
    tried = small_measured().tried
    said = tried.share(DaySetting("easy", 15.0, -1.0), MANY, 7.1)
    assert said.startswith(
        f"Its worth, on {TRIALS} days with other pools and curves of worth: {AS_HERE} "
    )
    assert all(f" {name} " in said for name in VARIANTS)
    here = tried.days[AS_HERE][MANY].days.share(DaySetting("easy", 15.0, -1.0)).mean
    assert " In 0 of these" not in tried.share(DaySetting("easy", 15.0, -1.0), MANY, here + 4.9)
    assert " In 0 of these" in tried.share(DaySetting("easy", 15.0, -1.0), MANY, here + 1000)
    assert re.search(r" %\. In \d of these 6 the claim would hold\.$", said)
    easy, conservative = (DaySetting(name, 15.0, -1.0) for name in ("easy", "conservative"))
    both = tried.ahead(easy, conservative, MANY), tried.ahead(conservative, easy, MANY)
    assert 0 < sum(both) <= len(VARIANTS)
    assert tried.ahead(easy, easy, MANY) == 0
    here = tried.days[AS_HERE][FEW]
    told = tried.told("A share", FEW, lambda one: one.gigajoule, "J")
    assert f"A share, on {TRIALS} days" in told
    assert f"{AS_HERE} {here.gigajoule:.1f} J;" in told
    assert "would hold" not in told


def test_a_cause_counts_in_how_many_variants_the_claim_would_hold() -> None:
    tried = small_measured().tried
    numbers = iter(range(len(VARIANTS)))
    told = tried.told("It", FEW, lambda _: next(numbers), "J", (1, 3))
    assert told.endswith(
        " 4.0 J; worth that falls in twice the time 5.0 J. In 3 of these 6 the claim would hold."
    )
