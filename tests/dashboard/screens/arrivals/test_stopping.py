"""Jobs that are stopped for others: the popover, the closer look, and its pictures."""

from dataclasses import replace

import numpy as np
import pytest
from arriving_days import HOUR, tried, two_nodes
from pages import Open, charts, field, parameter, press, put, settled, spoken
from streamlit.testing.v1 import AppTest

from core.capabilities.arrivals.asked import ArrivalsSettings
from core.capabilities.arrivals.made.bursts import in_bursts
from core.capabilities.arrivals.policies import STOPPING, USUAL_STOPPERS, StopName, stops_jobs
from core.capabilities.arrivals.question import TrialPart
from core.capabilities.arrivals.trials import PolicyTrial, ReplayComparison
from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.outcome import ReplayOutcome, ReplayScore
from core.engines.replay.stopping.rules import NOTHING, Stopping
from core.engines.replay.stopping.score import Stops, StopScore, UrgentWaits
from core.engines.replay.workload import StopRights
from dashboard.parts.replays.gantt_chart import pool_gantt, pool_rows
from dashboard.parts.replays.replaying import ArrivalsFound
from dashboard.screens.arrivals.curves_chart import lost_figure
from dashboard.screens.arrivals.stopping import most_stopped, stopped_said, stopped_table
from dashboard.screens.arrivals.stops import SIZES, StopsFound, StopWay, burst_score
from dashboard.screens.arrivals.stops_chart import (
    bursts_figure,
    bursts_said,
    points_of,
    stops_figure,
    ways_table,
)
from dashboard.screens.arrivals.sweeping import score_of


@pytest.fixture(scope="module")
def outcome() -> ReplayOutcome:
    """Two jobs begin at 0 and at 0:30 on one node each, the third stops the first, and waits."""
    workload = two_nodes(jobs=3)
    rights = StopRights.of(3, [False, False, True], [True, True, False], [0, 0, 1])
    jobs = replace(workload.jobs, rights=rights, arrival=np.array([0.0, 1800.0, 2400.0]))
    stopping = Stopping(checkpoints=NOTHING, whom="oldest")
    settings = ReplaySettings(stopping=stopping)
    policy = STOPPING["easy-tiers"].policy
    return replay(replace(workload, jobs=jobs), policy, settings=settings)


def test_who_was_stopped_for_whom_is_listed(outcome: ReplayOutcome) -> None:
    stops = Stops.of(outcome)
    said = stopped_said(stops, 2400.0)
    assert said == "1 job stopped for 1 other job; 0.6667 core-hours lost."
    assert stopped_table(outcome, stops, 2400.0).iloc[0].tolist() == [
        *("3 (even)", "1", "1 (even)", "1", "40 min", "0.6667", "1")
    ]
    assert stopped_table(outcome, stops, 60.0).empty


def test_the_jobs_that_were_stopped_most_come_first(outcome: ReplayOutcome) -> None:
    table = most_stopped(outcome)
    assert table.iloc[0].tolist() == ["1", "even", 1, "0.6667", "0 s", "2 h 30 min"]
    assert most_stopped(replace(outcome, broken=None)).empty


def test_the_work_that_was_lost_rises_with_each_stop(outcome: ReplayOutcome) -> None:
    line = lost_figure(outcome).data[0]
    assert line.y[-1] == pytest.approx(2 / 3)
    assert line.x[list(line.y).index(line.y[-1])] == pytest.approx(2400 / HOUR)


def test_a_thin_line_joins_the_parts_of_a_job_and_the_pointer_lists_them(
    outcome: ReplayOutcome,
) -> None:
    figure = pool_gantt(outcome, pool_rows(outcome, 0))
    line = next(trace for trace in figure.data if trace.type == "scatter")
    assert [round(x * HOUR) for x in line.x[:2]] == [2400, 5400]
    assert line.line.dash == "dot"
    said = [text for trace in figure.data if trace.type == "bar" for text in trace.customdata]
    assert sum("in parts:<br>0 s to 40 min<br>1 h 30 min to 2 h 30 min" in one for one in said) == 2


def trial(worth: float, lost: float = 0.0, wait: float = 0.0, jobs: int = 100) -> PolicyTrial:
    score = ReplayScore(worth, 0.0, 0.0, jobs, 0, HOUR, 1.0, HOUR, 0.1, 10)
    urgent = UrgentWaits(9, 0, wait, wait, np.inf)
    stops = StopScore(round(lost), lost * HOUR, lost / 100, urgent, HOUR)
    return PolicyTrial(score, 200.0, np.inf, True, jobs, stops=stops)


def found_of(stop: StopName = "tiers", **trials: PolicyTrial) -> StopsFound:
    settings = ArrivalsSettings(workload="urgent", policies=("easy",), stop=stop)
    question = replace(settings.question(None), bounded=False)
    named = {name.replace("_", "-"): [one] for name, one in trials.items()}
    compared = tried(replace(question, policies=tuple(named)), named)
    assert isinstance(compared, ReplayComparison)
    return StopsFound.begun(ArrivalsFound(settings, None, compared))


STOPS = found_of(easy=trial(50.0, wait=600.0), easy_tiers=trial(80.0, 10.0))


def test_each_technique_is_tried_with_each_rule_and_pairs_with_few_jobs() -> None:
    few = {way.policy for way in STOPS.ways}
    assert few == set(USUAL_STOPPERS.values()) - {"upt-now"}
    assert len(STOPS.ways) == 4 * len(few)
    many = found_of(easy=trial(50.0, jobs=5_000))
    assert {way.policy for way in many.ways} == few - {"upt-pair"}
    assert (many.plain, many.stopper) == ("easy", "easy-tiers")
    assert (STOPS.plain, STOPS.stopper) == ("easy", "easy-tiers")
    assert found_of(upt_greedy=trial(1.0)).plain is None
    assert stops_jobs("upt-greedy")
    assert not stops_jobs("upt-now")
    assert not stops_jobs("easy")


def test_what_looks_at_what_can_start_now_alone_stops_nobody() -> None:
    now = found_of("now", max_upt=trial(50.0), upt_now=trial(60.0))
    assert (now.plain, now.stopper) == ("upt-now", "upt-greedy")
    for way in now.left:
        now = now.with_trial(way, trial(1.0))
    assert now.left == [], "no way is left for ever"


def test_what_the_answer_says_is_not_replayed_again() -> None:
    known = {StopWay("easy", "measure"), StopWay("easy-tiers", "measure")}
    assert {*STOPS.trials} == known
    assert {*STOPS.left} == {*STOPS.ways, *STOPS.bursts} - known
    assert len(STOPS.left) == len({*STOPS.left})


def test_jobs_that_come_as_they_do_are_the_burst_of_one() -> None:
    question = found_of().found.settings.question(None)
    question = replace(question, source="budget-100", policies=("easy",))
    part = TrialPart(0, "easy", 1e9)
    one, same = burst_score(question, part, 1), in_bursts(question.file(0), 1)
    again = score_of(replace(question, source=same), part)
    assert (one.score.worth, one.score.joules) == (again.score.worth, again.score.joules)
    jobs, before = same.workload.jobs, question.file(0).workload.jobs
    names = [*map(before.name, range(len(before)))]
    assert [*map(jobs.name, range(len(jobs)))] == names
    assert burst_score(question, part, 16).score.worth != one.score.worth


def test_bursts_are_no_larger_than_a_quarter_of_the_jobs() -> None:
    assert {way.burst for way in STOPS.bursts} == {1, 4, 16}
    assert [way.policy for way in STOPS.bursts[:2]] == ["easy-tiers", "easy"]


def test_ways_that_come_to_the_same_have_one_mark() -> None:
    same, other = trial(80.0, 10.0), trial(85.0, 5.0)
    stops = STOPS.with_trial(StopWay("easy-tiers", "oldest"), same)
    stops = stops.with_trial(StopWay("easy-tiers", "least-lost"), other)
    points = points_of(stops.with_trial(StopWay("easy-tiers", "measure", 4), other))
    assert [point.said for point in points] == [
        "EASY backfilling",
        "EASY backfilling, stops lower tiers; least measure",
        "EASY backfilling, stops lower tiers; least lost",
    ]
    assert ways_table(points)["Lost (core-hours)"].tolist() == ["0", "5", "10"]
    none, tiers, ring = stops_figure(points, "wait", None).data
    assert (list(none.x), list(none.y)) == ([0.0], [10.0])
    assert (list(tiers.x), list(tiers.y)) == ([10.0, 5.0], [0.0, 0.0])
    assert list(tiers.marker.symbol) == ["circle", "diamond"]
    assert list(ring.x) == [10.0]
    worth = stops_figure(points, "worth", 120.0)
    assert list(worth.data[1].y) == [80.0, 85.0]
    assert worth.layout.shapes[0].y0 == 120.0


def test_ways_in_which_no_urgent_job_starts_have_no_mark() -> None:
    bare = trial(80.0)
    assert bare.stops is not None
    for urgent in (None, UrgentWaits(9, 9, None, None, np.inf)):
        one = bare._replace(stops=bare.stops._replace(urgent=urgent, other_flow=None))
        assert points_of(found_of(easy=one)) == []
    alone = found_of(easy=bare._replace(stops=bare.stops._replace(other_flow=None)))
    assert ways_table(points_of(alone))["Time of the others to the end"].tolist() == ["–"]


def test_a_hover_counts_one_stop_as_one() -> None:
    plain, one = stops_figure(
        points_of(found_of(easy=trial(1.0), easy_tiers=trial(2.0, 1.0))), "wait", None
    ).data[:2]
    assert "<br>0 stops, 0 core-hours lost<br>" in plain.customdata[0]
    assert "<br>1 stop, 1 core-hour lost<br>" in one.customdata[0]


def test_a_burst_says_what_stopping_gains() -> None:
    assert bursts_figure(STOPS) is None
    assert bursts_said(STOPS) == ""
    assert found_of(upt_greedy=trial(1.0)).bursts == [], "there is nothing to hold it against"
    stops = STOPS
    for size, worth in ((1, 55.0), (16, 75.0)):
        stops = stops.with_trial(StopWay("easy-tiers", "measure", size), trial(worth))
        stops = stops.with_trial(StopWay("easy", "measure", size), trial(50.0))
    figure = bursts_figure(stops)
    assert figure is not None
    assert [list(line.x) for line in figure.data] == [[1, 16], [1, 16]]
    assert bursts_said(stops) == (
        "If jobs come one by one, EASY backfilling, stops lower tiers earns 10 % more than EASY "
        "backfilling; if they come 16 at once, 50 % more."
    )
    assert SIZES[0] == 1
    same = stops.with_trial(StopWay("easy-tiers", "measure", 1), trial(50.0))
    assert "one by one, EASY backfilling, stops lower tiers earns as much as EASY" in bursts_said(
        same
    )
    same = stops.with_trial(StopWay("easy-tiers", "measure", 16), trial(50.0))
    assert bursts_said(same).endswith("if they come 16 at once, as much.")


@pytest.fixture
def page(open_page: Open) -> AppTest:
    said = {"arrivals_workload": "urgent", "arrivals_jobs": 100, "arrivals_policies": "easy"}
    return open_page("arrivals", sample="two-by-two", arrivals_look_view="stopping", **said)


def test_jobs_are_stopped_as_the_popover_says(page: AppTest) -> None:
    put(page, "Which jobs are stopped", "tiers")
    assert field(page, "What is kept").value == "nothing"
    put(page, "What is kept", "checkpoint")
    put(page, "Whom first", "least-lost")
    put(page, "A checkpoint every (s)", 600.0)
    asked = {name: parameter(page, f"arrivals_{name}") for name in ("stop", "checkpoints", "whom")}
    assert asked == {"stop": "tiers", "checkpoints": "600", "whom": "least-lost"}
    settled(press(page, "Replay"))
    while any(one.label == "Stop" for one in page.button):
        settled(page)
    assert any("stops lower tiers: urgent jobs wait" in said for said in html_items(page))
    assert len(charts(page)) == 3
    costs, ways, *_ = (set(one.value.iloc[:, 0]) for one in page.dataframe[1:])
    assert "Prices, stops others (Wattfront)" in ways - costs
    assert any(said.startswith("If jobs come one by one") for said in spoken(page))


def html_items(page: AppTest) -> list[str]:
    return [element.proto.body for element in page.get("html")]


def test_where_no_job_may_stop_others_it_is_said_how_to_let_them(open_page: Open) -> None:
    said = {"arrivals_jobs": 100, "arrivals_policies": "easy", "arrivals_budget": ""}
    page = open_page("arrivals", sample="two-by-two", arrivals_look_view="stopping", **said)
    while any(one.label == "Stop" for one in page.button):
        settled(page)
    assert any(
        "No job of this workload may stop others. Choose the workload “A day with urgent" in one
        for one in spoken(page)
    )


@pytest.mark.parametrize("seconds", [0.5, 2e9])
def test_checkpoints_may_be_as_near_and_as_far_as_an_address_says(
    open_page: Open, seconds: float
) -> None:
    said = {"arrivals_policies": "none", "arrivals_stop": "tiers", "arrivals_checkpoints": seconds}
    assert field(open_page("arrivals", **said), "A checkpoint every (s)").value == seconds
