"""Charts of fair shares: rows are never more than full, marks are where they belong, and whole
tasks keep their time.
"""

from dataclasses import replace

import numpy as np
import pytest
from capabilities.fair_shares.made import UNLIKE, f12, random_bags

from core.capabilities.fair_shares.day_clock import USUAL_CLOCK, DayClock
from core.capabilities.fair_shares.optimum import least_stretch
from core.capabilities.fair_shares.shares import AskedBags, FairShares, promises_of
from core.capabilities.fair_shares.tasks.policies import PolicyRun, scores_of
from core.capabilities.fair_shares.told import SCORE_TITLES, means_table
from core.capabilities.fair_shares.trials import TaskTrials
from core.shells.told.bars import ToldBar
from core.vocabulary.budget import Effort
from core.vocabulary.intervals import Interval
from core.vocabulary.say.colours import leading_task_types
from dashboard.parts.charts.palette import paint_task
from dashboard.parts.charts.timeline import SEVERAL
from dashboard.screens.fair_shares.answer import policy_found
from dashboard.screens.fair_shares.dates_chart import (
    PromisedDates,
    dates_figure,
    paints_of_bags,
    plan_rows,
)
from dashboard.screens.fair_shares.state import sample_bags
from dashboard.screens.fair_shares.tasks_chart import (
    MOST_BARS,
    MOST_ROWS,
    Moment,
    means_figure,
    scores_figure,
    task_rows,
    tasks_figure,
)
from dashboard.screens.fair_shares.whole_panel import policies_figure


@pytest.fixture(scope="module")
def found() -> FairShares:
    return promises_of(AskedBags(sample_bags()))


@pytest.fixture(scope="module")
def whole(found: FairShares) -> PolicyRun:
    return policy_found(found.now, "fifo-dd", Effort(0))


@pytest.mark.parametrize("seed", range(12))
def test_a_row_is_at_most_full_and_all_work_is_in_the_rows(seed: int) -> None:
    plan = least_stretch(random_bags(seed)).plan
    rows, lengths = plan_rows(plan), np.diff(plan.dates)
    for row in rows:
        assert (row.shares >= 0).all()
        assert row.shares.sum(axis=0).max() <= 1 + 1e-6
    work = plan.bags.work
    for u, types in enumerate(work.machine_types):
        of_machines = next(
            row
            for row in rows
            if row.name.endswith(f"× {plan.bags.system.machine_names[types[0]]}")
            or f"× {plan.bags.system.machine_names[types[0]]} and" in row.name
        )
        seconds = np.where(np.isfinite(work.seconds[:, u]), work.seconds[:, u], 0.0)
        busy = plan.computed[:, u, lengths > 0].sum(axis=1) * seconds
        assert of_machines.shares @ lengths == pytest.approx(busy, abs=1e-6)


def test_links_without_limit_have_no_row(found: FairShares) -> None:
    names = [row.name for row in plan_rows(found.now.plan)]
    assert names[0] == "master"
    assert "links, lab computers" in names
    assert "links, new nodes" not in names, "they are hardly used"
    free = replace(
        found.now.bags,
        network=replace(found.now.bags.network, bandwidth=np.inf, links=np.full(4, np.inf)),
    )
    assert [row.name for row in plan_rows(least_stretch(free).plan)] == [
        "8 × new nodes",
        "16 × old nodes",
        "3 × GPU nodes",
        "20 × lab computers",
    ]


def test_marks_are_at_releases_and_promises(found: FairShares) -> None:
    now = found.now
    promised = PromisedDates(now.deadlines, True, now.baseline, now.deadlines + 60)
    figure = dates_figure(now.bags, promised, USUAL_CLOCK)
    marks = {trace.name: trace for trace in figure.data if trace.type == "scatter"}
    assert [*marks["promise"].x] == pytest.approx(now.deadlines)
    assert [*marks["promise before the change"].x] == pytest.approx(now.deadlines + 60)
    assert [*marks["release"].x] == pytest.approx(now.bags.release)
    assert "whole tasks end" not in marks
    whole = dates_figure(now.bags, promised._replace(whole=now.deadlines + 9_000), USUAL_CLOCK)
    (ends,) = (trace for trace in whole.data if trace.name == "whole tasks end")
    assert [*ends.x] == pytest.approx(now.deadlines + 9_000)
    assert whole.layout.xaxis.range[1] > figure.layout.xaxis.range[1]
    assert whole.data[0].customdata[0][1].endswith("<br>as whole tasks by 13:25")
    alone = [trace for trace in figure.data if trace.name == "alone"]
    assert [trace.x[0] for trace in alone] == pytest.approx(now.baseline)
    broken = dates_figure(now.bags, promised._replace(can_be_kept=False), USUAL_CLOCK)
    assert any(trace.name == "promise that cannot be kept" for trace in broken.data)


@pytest.mark.parametrize("span", [5.0, 400.0, 30_000.0, 4e6, 1e10])
def test_an_axis_has_a_few_times_of_day(span: float) -> None:
    bags = f12()
    release = np.array([0.0, span / 3, span / 2])
    later = replace(bags, release=release)
    promised = PromisedDates(release + span / 2, True, bags.ideal)
    axis = dates_figure(later, promised, DayClock(3600.0)).layout.xaxis
    assert 1 <= len(axis.tickvals) <= 9
    assert len(set(axis.ticktext)) == len(axis.ticktext)


def test_each_task_of_a_machine_that_is_shown_is_in_a_bar(whole: PolicyRun) -> None:
    rows = task_rows(whole.outcome)
    assert len(rows.machines) == MOST_ROWS
    assert max(len(rows.run), len(rows.sent)) <= MOST_BARS
    shown = [
        (whole.outcome.machine_type == j) & (whole.outcome.machine == number)
        for j, number in rows.machines
    ]
    for row, on in enumerate(shown):
        bars = rows.run.chosen(rows.run.row == row)
        assert bars.count.sum() == on.sum()
        assert bars.start.min() == whole.outcome.start[on].min()
        assert bars.end.max() == whole.outcome.end[on].max()
        assert (bars.start[1:] >= bars.end[:-1] - 1e-6).all()
        kinds = set(bars.task_type.tolist()) - {SEVERAL}
        assert kinds <= set(whole.outcome.bag[on].tolist())


def test_bars_of_a_gantt_chart_are_where_tasks_are(whole: PolicyRun) -> None:
    rows = task_rows(whole.outcome)
    figure = tasks_figure(whole.outcome, rows, USUAL_CLOCK)
    bars = [bar for trace in figure.data for bar in zip(trace.base, trace.x, strict=True)]
    assert len(bars) == len(rows.run) + len(rows.sent)
    assert max(begin + length for begin, length in bars) == pytest.approx(whole.outcome.end.max())
    assert sum(bool(trace.showlegend) for trace in figure.data) == 8


def test_bags_of_task_types_of_a_study_have_its_colours_in_all_charts(whole: PolicyRun) -> None:
    bags = whole.outcome.bags
    assert [one.fill for one in paints_of_bags(bags, None)] == [
        paint_task(k).fill for k in range(len(bags.names))
    ]
    study = bags.system.with_counts(bags.system.task_counts[::-1] ** 2, bags.system.machine_counts)
    lead = leading_task_types(study)
    wanted = {bags.system.task_names[i]: paint_task(int(lead.rank[i])).fill for i in bags.present}
    figure = tasks_figure(whole.outcome, task_rows(whole.outcome), USUAL_CLOCK, study=study)
    shown = {trace.name: trace.marker.color for trace in figure.data}
    assert shown.items() <= wanted.items()
    assert len(set(shown.values())) == len(shown) == len(bags.names)


def test_what_comes_after_a_moment_is_pale_and_the_rest_is_solid(whole: PolicyRun) -> None:
    outcome, rows = whole.outcome, task_rows(whole.outcome)
    first, last = float(outcome.sent.min()), float(outcome.end.max())
    now = (first + last) / 2
    figure = tasks_figure(outcome, rows, USUAL_CLOCK, Moment(now, first, last + 100))
    pale = [trace for trace in figure.data if trace.opacity < 1]
    solid = [trace for trace in figure.data if trace.opacity == 1]
    assert pale
    assert all(begin >= now for trace in pale for begin in trace.base)
    assert all(
        begin + length <= now + 1e-6
        for trace in solid
        for begin, length in zip(trace.base, trace.x, strict=True)
    )
    drawn = sum(sum(trace.x) for trace in figure.data)
    assert drawn == pytest.approx(
        sum((bars.end - bars.start).sum() for bars in (rows.run, rows.sent))
    )
    assert figure.layout.shapes[0].x0 == now
    assert figure.layout.xaxis.range[1] > last + 100


@pytest.mark.parametrize("score", SCORE_TITLES)
def test_policies_come_by_their_score(found: FairShares, whole: PolicyRun, score: str) -> None:
    runs = [policy_found(found.now, "fifo-rr", Effort(0)), whole]
    figure = policies_figure(found, scores_of(runs), score)
    (bars,) = figure.data
    assert [*bars.x] == sorted(bars.x)
    assert bars.y[0] == min(runs, key=lambda one: one.scores.as_dict()[score]).policy.label
    lines = [found.now.proven] if score == "max_stretch" else []
    assert [line.x0 for line in figure.layout.shapes] == lines, "nothing else is proven"


def test_means_have_their_intervals() -> None:
    """In hours; the axis has room for the widest interval."""
    given = [ToldBar("B", Interval(10_800.0, 7_200.0)), ToldBar("A", Interval(7_200.0, 3_600.0))]
    figure = scores_figure(given, "makespan", None, "")
    bars, *marks = figure.data
    assert [*bars.x] == [2.0, 3.0]
    assert [[*one.error_x.array] for one in marks] == [[1.0, 2.0]] * 2, "on paper, and in ink"
    assert figure.layout.xaxis.range[1] > 5.0
    assert figure.layout.xaxis.title.text == "Makespan (h)"


def test_stretches_of_whole_tasks_are_not_below_the_bound(
    found: FairShares, whole: PolicyRun
) -> None:
    assert not whole.faults
    assert whole.scores.max_stretch >= found.now.proven


@pytest.fixture
def means() -> TaskTrials:
    """FIFO RR is far worse in each trial; MWMA MS is sometimes better, sometimes worse."""
    return TaskTrials.of(UNLIKE)


def test_bars_have_intervals_and_the_table_is_sorted_alike(means: TaskTrials) -> None:
    bars, marks, _ = means_figure(means, "max_flow").data
    assert [*bars.y] == ["SPT DD", "MWMA MS", "FIFO RR"]
    assert [*bars.x] == pytest.approx([4.3667, 4.8, 8.3667], abs=1e-4)
    assert marks.error_x.array[0] == pytest.approx(1.3682, abs=1e-4)
    table = means_table(means, "max_flow")
    assert table.head[:3] == ("Policy", "Longest time (h)", "More than the best")
    assert [row[2] for row in table.rows] == ["best", "0.4333 ± 3.8", "4 ± 0"]


def test_the_best_possible_is_a_line_where_it_is_known(means: TaskTrials) -> None:
    assert means_figure(means, "max_stretch").layout.shapes[0].x0 == 2.0
    assert means_figure(means, "makespan").layout.shapes == ()
