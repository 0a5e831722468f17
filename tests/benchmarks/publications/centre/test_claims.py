"""What is as published holds, what is not does not, and the most that can be stands beside it."""

from dataclasses import replace

import numpy as np
import pytest
from made_centre_runs import (
    COVERS,
    USUAL,
    as_published,
    covers_of,
    front_of,
    with_days,
)

from benchmarks.publications.centre import contradictions, hypervolume_tables, savings_tables
from benchmarks.publications.centre.covered import (
    CELLS,
    Covered,
    cheapest_on_time,
    covered_days,
    of_cell,
    on_time,
    savings_of,
    together,
)
from benchmarks.publications.centre.day_runs import DAYS, DayRuns, FrontFound
from benchmarks.publications.centre.hypervolume_tables import TABLE_32, TABLE_33
from benchmarks.publications.centre.savings_tables import TABLE_34
from benchmarks.publications.claim import Claim

NO_READING = "Under no reading ev-MOGA covers more than NSGA-II"


def claims_of(runs: DayRuns) -> dict[str, Claim]:
    figures = hypervolume_tables.figures(runs, covered_days(runs)) + savings_tables.figures(runs)
    return {claim.claim: claim for figure in figures for claim in figure.claims}


@pytest.fixture(scope="module")
def published() -> dict[str, Claim]:
    return claims_of(as_published())


def test_all_that_is_printed_is_there() -> None:
    assert [*TABLE_32] == [*TABLE_33] == [*TABLE_34] == [*CELLS]
    means = np.array([(one.ev_moga[0], one.nsga2[0]) for one in TABLE_32.values()]).mean(axis=0)
    assert means.round(3).tolist() == [0.854, 0.667]
    saved = {cell: one.saved[0] for cell, one in TABLE_34.items()}
    assert np.mean([*saved.values()]) == pytest.approx(0.604, abs=1e-3)
    assert np.mean([saved[cell] for cell in CELLS if cell[1] == "g3"]) == pytest.approx(
        0.457, abs=1e-3
    )
    excess = [one.excess[0] for one in TABLE_34.values()]
    assert np.mean(excess) == pytest.approx(0.029, abs=1e-3)
    assert sum(one.is_sure for one in TABLE_33.values()) == 7


def test_what_is_as_published_holds(published: dict[str, Claim]) -> None:
    """All but what is a picture, and the dispersion, which is not as printed here."""
    assert all(type(claim.holds) is bool for claim in published.values())
    wrong = [name for name, claim in published.items() if not (claim.holds or claim.undecided)]
    assert [name for name in wrong if "dispersion" not in name and not published[name].ours] == []
    open_ = [name for name, claim in published.items() if claim.undecided]
    assert sorted(open_) == [
        "S10-6: the bars of savings and excess look as published",
        "S10-6: the front of ev-MOGA is ahead of that of NSGA-II, in a picture",
    ]
    assert published[NO_READING].cause == "these do: ev-moga"
    parts = {name.split(":")[0] for name in published if name.startswith("S10")}
    assert parts == {f"S10-{number}" for number in range(1, 7)}
    assert sum(claim.of_row for claim in published.values()) == 3 * 9


def test_methods_the_other_way_round_do_not_hold() -> None:
    other = {"ev-moga": "nsga2", "nsga2": "ev-moga"}
    found = claims_of(as_published(lambda day, method, trial: covers_of(day, other[method], trial)))
    wrong = [name for name, claim in found.items() if not claim.holds and not claim.undecided]
    assert found[NO_READING].holds
    assert any(name.startswith("S10-1") for name in wrong)
    assert any(name.startswith("S10-2") for name in wrong)
    assert "On average ev-MOGA covers about 18 points more" in wrong
    cause = next(claim.cause for name, claim in found.items() if name.startswith("S10-1"))
    assert "Of 6 other readings (table A)" in cause
    assert "0.24 against 0.67 as here and 0.87 by NSGA-II" in cause


def test_a_difference_that_is_sure_where_none_was_published_does_not_hold() -> None:
    found = claims_of(as_published(lambda _, method, trial: COVERS[method][trial]))
    rows = [claim for claim in found.values() if "but not significantly" in claim.claim]
    assert [claim.holds for claim in rows] == [False, False]
    assert [claim.undecided for claim in rows] == [False, False]


def test_few_runs_leave_it_open() -> None:
    """Three days a cell are too few for the level of the publication."""
    runs = as_published(trials=range(1))
    few = [day for day in DAYS if day.target == "A"]
    runs = DayRuns(
        {day: runs.days[day] for day in few},
        {run: found for run, found in runs.fronts.items() if run.day in few},
        1,
    )
    found = claims_of(runs)
    assert next(claim for name, claim in found.items() if name.startswith("S10-1")).undecided
    rows = [claim for claim in found.values() if claim.of_row and "significantly" in claim.claim]
    assert sum(claim.undecided for claim in rows) == 9 + 7


def test_savings_far_from_the_published_do_not_hold() -> None:
    found = claims_of(as_published(more_saved=-0.11))
    wrong = [name for name, claim in found.items() if not claim.holds and claim.of_row]
    assert len(wrong) == 9
    assert not found["S10-4: about 68 % is saved with green power"].holds
    worth = found["S10-4: green power is worth about 22 points"]
    assert worth.holds
    assert worth.here == "22.2 %"
    assert found["S10-3: in each size, most is saved under g2, then g1, then g3"].holds


def test_the_most_that_can_be_stands_beside_each_saving() -> None:
    runs = as_published()
    table = savings_tables.figures(runs)[0].table
    assert table is not None
    at = table.head.index("most that any plan saves")
    for row, (cell, printed) in zip(table.rows, TABLE_34.items(), strict=True):
        assert tuple(row[:2]) == cell
        assert row[at] == f"**{100 * (printed.saved[0] + 0.1 + 0.01 / USUAL):.1f} %**"
        assert row[table.head.index("saved, NSGA-II")].startswith(f"{100 * printed.saved[0]:.1f}")
    said = claims_of(runs)["S10-4: about 60 % is saved over all"].difference
    assert said == "+0.4 percentage points; 60.4 % by NSGA-II, at most 70.6 %"


def test_our_plans_are_held_against_every_run(published: dict[str, Claim]) -> None:
    beaten = "No plan of an evolution that is on time costs less than ours on its day"
    near = "Our plans are above the bound by at most 0.5 % on average, and 1 % at most"
    sound = "The judge has no problem with any plan, of evolutions, too, and ours are on time"
    assert all(published[name].ours and published[name].holds for name in (beaten, near, sound))
    runs = as_published()
    dear = claims_of(with_days(runs, cost=USUAL * 0.6))
    assert not dear[beaten].holds
    assert not dear[near].holds
    assert not claims_of(with_days(runs, faulty=1))[sound].holds
    assert not claims_of(with_days(runs, late=0.051))[sound].holds
    first = next(iter(runs.fronts))
    spoilt = runs.fronts | {first: runs.fronts[first]._replace(faulty=2)}
    assert claims_of(replace(runs, fronts=spoilt))[sound].here.startswith("2 plans")
    one_day = runs.days | {DAYS[5]: runs.days[DAYS[5]]._replace(cost=USUAL * 0.45)}
    assert claims_of(replace(runs, days=one_day))[beaten].here == "6 of 486 runs do"


def test_runs_without_a_plan_on_time_are_counted_and_left_out() -> None:
    runs = as_published()
    late = front_of(0.5, 0.9, 0.5)
    late[:, 2] = 1e4
    run = next(run for run in runs.fronts if run.method == "ev-moga" and run.day == DAYS[0])
    spoilt = replace(runs, fronts=runs.fronts | {run: FrontFound(late, late, 0, 1.0)})
    name = "S10-5: ev-MOGA has plans with an on-time share of 95 % or more for each day"
    assert claims_of(spoilt)[name].here == "in 242 of 243 runs"
    cell = savings_of(spoilt, ("small", "g1"))
    assert np.isnan(cell.saved["ev-moga"]).sum() == 1
    assert np.nanmean(cell.saved["ev-moga"]) == pytest.approx(0.76, abs=1e-3)


def test_the_cheapest_on_time_is_taken() -> None:
    found = np.array([[9, 3.0, 11, 0.3], [9, 5.0, 0, 0.1], [9, 4.0, 10, 0.2]])
    front = FrontFound(found[:1], found, 0, 1.0)
    assert on_time(front, 10, 8.0) == (0.5, 0.2)
    assert cheapest_on_time(found, 10, 8.0) == 4.0
    assert cheapest_on_time(found, -1, 8.0) == 8.0


def test_what_is_covered_by_hand() -> None:
    """Up to (4, 8, 2), from (0, 0, 0): (2, 4, 1) dominates an eighth, (0, 0, 1) a half."""
    one = np.array([[2.0, 4, 1, 9], [4, 8, 0, 9]])
    other = np.array([[0.0, 0, 1, 9], [4, 8, 2, 9]])
    share = Covered([one, other])
    assert share(one) == pytest.approx(1 / 4)
    assert share(other) == pytest.approx(1)
    assert share(one[:0]) == 0
    assert together([one, other]).tolist() == [[4, 8, 0], [0, 0, 1]]


def test_a_day_has_its_runs_and_their_union() -> None:
    runs = as_published()
    days = covered_days(runs)
    some = of_cell(days, ("small", "g2"))
    assert some.ev_moga.tolist() == pytest.approx([1.0, 0.85, 0.75] * 9, abs=0.01)
    assert some.chance < 1e-6
    assert days[DAYS[0]].aggregated == pytest.approx((1.0, 0.75), abs=0.01)


def test_contradictions_are_those_of_the_tables_themselves() -> None:
    figure = contradictions.figure()
    found = {claim.claim: claim for claim in figure.claims}
    assert not any(claim.holds for claim in found.values())
    assert all(claim.cause for claim in found.values())
    assert "4 of 9" in found["For all scenarios, the dispersion of ev-MOGA is lower"].here
    assert (
        found["It improves the accuracy by about 18 %"].here == "18.8 points by table 3.2, or 28 %"
    )
    assert "large g1 and large g3" in str(found)
    first = found["First plans in the upper 20 % of the range of all genes are feasible more often"]
    assert first.here.startswith("0.0 % are as printed, 100.0 %")
