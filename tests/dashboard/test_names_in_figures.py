"""In every figure a name that a stranger chose is read as text, wherever it stands."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from plan_page import answer_of
from shown_days import shown_plan, small_answer, small_slices

import dashboard
from core.capabilities.arrivals.policies import policy_named
from core.capabilities.fair_shares.day_clock import USUAL_CLOCK
from core.capabilities.fair_shares.shares import FairShares
from core.capabilities.fair_shares.tasks.outcome import TaskOutcome
from core.capabilities.makespan.solve import solve
from core.capabilities.profit.day import day_of
from core.capabilities.profit.earn import Profit, earn
from core.capabilities.profit.region import feasible_region
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.sweep import curve
from core.capabilities.provision.files.plan_file import ScenarioSettings
from core.capabilities.sweep.axes import SweptAxis
from core.capabilities.sweep.question import SweepQuestion, figures_of
from core.engines.front.axis import axis_for
from core.engines.logs.pairs.measuring import Estimate, PairMeasurements
from core.engines.relaxed import Front, trace_front
from core.engines.replay.clock import replay
from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.workload import ArrivingJobs, Options, Pools, Workload
from core.engines.signals.kinds import CARBON, PRICE
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.prices.site import Site
from core.vocabulary.prices.tariff import Tariff
from core.vocabulary.say.colours import leading_task_types
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from dashboard.parts.charts.gantt import gantt, overview
from dashboard.parts.charts.heat_map import QUANTITIES, TIME, heat_map
from dashboard.parts.charts.timeline import occupancy, timeline, utilisation
from dashboard.parts.machines.insight import insight
from dashboard.parts.replays.gantt_chart import lane_figure, pool_gantt, pool_rows
from dashboard.screens.arrivals.amounts_chart import amounts_figure
from dashboard.screens.arrivals.curves_chart import (
    busy_figure,
    earned_figure,
    energy_figure,
    pools_figure,
    waiting_figure,
)
from dashboard.screens.arrivals.curves_chart import power_figure as watts_figure
from dashboard.screens.arrivals.prices_chart import prices_figure
from dashboard.screens.arrivals.value_charts import hours_figure, sizes_figure
from dashboard.screens.centre.day_chart import day_figure
from dashboard.screens.centre.front_chart import front_figure
from dashboard.screens.fair_shares.answer import policy_found, shares_found
from dashboard.screens.fair_shares.dates_chart import PromisedDates, dates_figure, plan_figure
from dashboard.screens.fair_shares.inputs import BagsInputs
from dashboard.screens.fair_shares.state import without_network
from dashboard.screens.fair_shares.tasks_chart import task_rows, tasks_figure
from dashboard.screens.importing.log_preview import pairs_chart, types_chart, values_chart
from dashboard.screens.machines.strengths_chart import best_counts, strengths
from dashboard.screens.profit.line_charts import curve_figure, start_figure
from dashboard.screens.profit.plane_chart import (
    Contours,
    ProfitPlane,
    contours_figure,
    plane_figure,
)
from dashboard.screens.profit.sweeps import TITLES, sweep_figure, swept
from dashboard.screens.provision.answer import ProvisionAnswer
from dashboard.screens.provision.charts import (
    budget_figure,
    more_figure,
    purchases_figure,
    shopping_figure,
    value_figure,
    violins_figure,
)
from dashboard.screens.provision.examples import with_examples
from dashboard.screens.provision.front_view import two_figure
from dashboard.screens.provision.inputs import PlanInputs
from dashboard.screens.provision.sweeps import one_more, over_budget, over_spread, two_objectives
from dashboard.screens.provision.words import violins
from dashboard.screens.schedule.energy_chart import energy_split, task_energy, task_split
from dashboard.screens.schedule.power_chart import power_chart, power_curve, power_of_tasks
from dashboard.screens.schedule.utilisation_chart import utilisation_map
from dashboard.screens.what_if.compare.fronts_chart import compare_fronts
from dashboard.screens.what_if.compare.outcome import axes, outcome
from dashboard.screens.what_if.compare.what_ifs import WhatIf
from dashboard.screens.what_if.sweeps.map_chart import sweep_lines, sweep_map
from dashboard.screens.what_if.sweeps.view import view_of
from dashboard.screens.work.arrivals_chart import arrivals_figure

# A tag, an entity, a colour of the theme, what a template fills in, quotes, and right to left.
HOSTILE = ("<i>a</i>", "&lt;u&gt;", "c#000012d", "%{z}{x}", "\"'$e$", "\u202eright")
CURRENCY = "<i>&lt;u&gt;c#000012d%{z}"
OURS = {"<b>", "</b>", "<br>", "<extra>", "</extra>", "</span>"}
COLOURED = re.compile(r'<span style="color:#0000\d\d">')
TEMPLATES = ("hovertemplate", "texttemplate")
# Figures of a purchase, and whether names of machine types or a currency are in them.
PROVISION_FIGURES: dict[str, tuple[Callable[[ProvisionAnswer], go.Figure], str]] = {
    "charts": (shopping_figure, "name currency"),
    "charts, value": (value_figure, "currency"),
    "charts, violins": (lambda it: violins_figure(violins(it), it.asked.inputs), "currency"),
    "charts, budget": (
        lambda it: budget_figure(
            over_budget(it.file, it.asked.inputs), it.asked.inputs, it.file.limits.budget
        ),
        "currency",
    ),
    "charts, purchases": (
        lambda it: purchases_figure(over_spread(it.file, it.asked.inputs), it.plan),
        "name",
    ),
    "charts, more": (
        lambda it: more_figure(one_more(it.file, it.best.purchase), it.plan, it.asked.inputs),
        "name currency",
    ),
    "front_view": (
        lambda it: two_figure(two_objectives(it.file, ("reward", "cost")), it, 0),
        "name currency",
    ),
}
# What these draw has no name in it that anybody but us chose.
NAMELESS = {
    "screens.centre.front_chart",
    "screens.centre.week_chart",
    "parts.charts.bars",
    "screens.trade_offs.front_chart",
    "screens.trade_offs.idle_powers_chart",
    "screens.schedule.comparison",
    "screens.arrivals.comparison_chart",
    "screens.arrivals.stops_chart",
    "screens.arrivals.amounts_chart",
    "screens.late.boxes_chart",
    "screens.site.day_chart",
    "screens.switch_off.front_chart",
    "screens.switch_off.week_chart",
}


def strings(part: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every string of a figure, with what it is of."""
    if isinstance(part, str):
        yield key, part
    elif isinstance(part, dict):
        for name, inner in part.items():
            yield from strings(inner, name)
    elif isinstance(part, (list, tuple)) or (isinstance(part, np.ndarray) and part.dtype == object):
        for inner in part:
            yield from strings(inner, key)


def faults(figure: go.Figure) -> list[str]:
    """The strings of a figure of which some would be read as anything but text."""
    found = []
    for key, text in strings(figure.to_plotly_json()):
        rest = COLOURED.sub("", text)
        if (
            set(re.findall(r"<[^>]*>?", rest)) - OURS
            or re.search(r"&(?!amp;|lt;|gt;|#35;)|&lt;u|.#0000|#0000\d*\D", rest)
            or (
                key in TEMPLATES
                and re.search(r"%\{(?!customdata|y[:}]|text\})|right|\$e|\{x", rest)
            )
        ):
            found.append(f"{key}: {text}")
    return found


def read(figure: go.Figure) -> str:
    """All that is said, as a person reads it."""
    return "\n".join(unescape(text) for _, text in strings(figure.to_plotly_json()))


@pytest.fixture(scope="module")
def system() -> System:
    """Every name is hostile, every machine type has work, and some of it waits."""
    most = len(HOSTILE)
    etc = np.where(np.eye(most) > 0, 10.0, 40.0) + np.arange(most)
    etc[0, -1] = np.inf
    return System(
        tuple(TaskType(f"{name}t", 5) for name in HOSTILE),
        tuple(MachineType(f"{name}m", 2, 3.0) for name in HOSTILE),
        etc,
        np.where(np.isfinite(etc), 100.0 + np.arange(most), np.nan),
    )


@pytest.fixture(scope="module")
def schedule(system: System) -> Schedule:
    return solve(system, method="paper").schedule


@pytest.fixture(scope="module")
def front(system: System) -> Front:
    return trace_front(system)


SCHEDULE_FIGURES: dict[str, tuple[Callable[[Schedule], go.Figure], str]] = {
    "parts.charts.gantt, types": (
        lambda it: overview(
            it, occupancy(it, leading_task_types(it.system)), leading_task_types(it.system)
        ),
        "tm",
    ),
    "parts.charts.gantt": (lambda it: gantt(it, timeline(it), 1.0), "tm"),
    "parts.charts.gantt, the last first": (
        lambda it: gantt(it, timeline(it, by_finish=True), 1.0),
        "tm",
    ),
    "screens.schedule.utilisation_chart": (lambda it: utilisation_map(it, utilisation(it)), "m"),
    "screens.schedule.utilisation_chart, by machine": (
        lambda it: utilisation_map(it, utilisation(it, timeline(it))),
        "m",
    ),
    "screens.schedule.power_chart": (lambda it: power_chart(it.system, power_curve(it)), "m"),
    "screens.schedule.power_chart, by task": (
        lambda it: power_chart(it.system, power_of_tasks(it, it.machines)),
        "t",
    ),
    "screens.schedule.energy_chart": (energy_split, "m"),
    "screens.schedule.energy_chart, by task": (
        lambda it: task_split(it.system, task_energy(it, it.machines)),
        "t",
    ),
    "screens.machines.strengths_chart": (lambda it: strengths(it.system, insight(it.system)), "m"),
    "screens.machines.strengths_chart, bars": (
        lambda it: best_counts(it.system, insight(it.system)),
        "m",
    ),
    **{
        f"parts.charts.heat_map, {quantity.word}": (
            lambda it, quantity=quantity: heat_map(it.system, quantity),
            "tm",
        )
        for quantity in QUANTITIES
    },
}
DAY_FIGURES: dict[str, tuple[Callable[[ReplayOutcome], go.Figure], str]] = {
    "screens.arrivals.curves_chart": (busy_figure, "p"),
    "screens.arrivals.curves_chart, energy": (energy_figure, ""),
    "screens.arrivals.curves_chart, queue": (waiting_figure, ""),
    "screens.arrivals.curves_chart, worth": (earned_figure, ""),
    "screens.arrivals.curves_chart, power": (watts_figure, ""),
    "parts.replays.gantt_chart": (lambda it: pool_gantt(it, pool_rows(it, 0)), "t"),
    "screens.arrivals.curves_chart, pools": (
        lambda it: pools_figure([(name, 1, 2) for name in it.workload.pools.names]),
        "p",
    ),
    "screens.arrivals.prices_chart": (
        lambda it: prices_figure(
            {f"core-hour of {name}": np.ones(24) for name in it.workload.pools.names}
        ),
        "p",
    ),
    "screens.arrivals.value_charts": (
        lambda it: hours_figure(np.ones((len(HOSTILE), 24)), it.workload.pools.names),
        "p",
    ),
}
SHARES_FIGURES: dict[str, tuple[Callable[[FairShares], go.Figure], str]] = {
    "screens.fair_shares.dates_chart": (
        lambda it: dates_figure(
            it.now.bags, PromisedDates(it.promises(), True, it.now.baseline), USUAL_CLOCK
        ),
        "t",
    ),
    "screens.fair_shares.dates_chart, plan": (
        lambda it: plan_figure(it.now.plan, USUAL_CLOCK),
        "tm",
    ),
    "screens.fair_shares.tasks_chart": (
        lambda it: tasks_figure_of(policy_found(it.now, "fifo-dd", Effort(0)).outcome),
        "tm",
    ),
}


def coming(system: System) -> HourlyArrivals:
    """One task of each type an hour."""
    return HourlyArrivals(system.task_names, np.ones((24, len(system.task_types))), 0.0)


SYSTEM_FIGURES: dict[str, tuple[Callable[[System], go.Figure], str]] = {
    "screens.work.arrivals_chart": (lambda it: arrivals_figure(coming(it)), "t"),
}
# What a figure is drawn from, a fixture, and whose names are in it: of tasks, machines, pools.
FIGURES: dict[str, dict[str, tuple[Callable[[Any], go.Figure], str]]] = {
    "schedule": SCHEDULE_FIGURES,
    "day": DAY_FIGURES,
    "shares": SHARES_FIGURES,
    "system": SYSTEM_FIGURES,
}


def tasks_figure_of(outcome: TaskOutcome) -> go.Figure:
    return tasks_figure(outcome, task_rows(outcome), USUAL_CLOCK)


@pytest.mark.parametrize(
    ("source", "chart"), [(source, chart) for source, each in FIGURES.items() for chart in each]
)
def test_names_are_text(source: str, chart: str, request: pytest.FixtureRequest) -> None:
    draw, kinds = FIGURES[source][chart]
    figure = draw(request.getfixturevalue(source))
    assert faults(figure) == []
    said = read(figure)
    assert [name + kind for kind in kinds for name in HOSTILE if name + kind not in said] == []


@pytest.mark.thorough
def test_names_of_groups_and_of_what_has_no_colour_of_its_own_are_text() -> None:
    many = 160
    system = System(
        tuple(TaskType(f"{HOSTILE[k % 6]}{k}", 1) for k in range(many)),
        tuple(MachineType(f"{HOSTILE[k % 6]}{k}", 1, 3.0) for k in range(12)),
        np.random.default_rng(1).uniform(1.0, 9.0, (many, 12)),
        np.full((many, 12), 100.0),
    )
    schedule = solve(system, method="paper").schedule
    assert faults(heat_map(system, TIME)) == []
    assert "<i>a</i>0 … &lt;u&gt;1" in read(heat_map(system, TIME))
    for draw, _ in SCHEDULE_FIGURES.values():
        assert faults(draw(schedule)) == []


def test_names_from_a_log_are_text(system: System) -> None:
    measured = np.eye(len(HOSTILE)) > 0
    estimate = Estimate(9, 10.0, 9.0, 11.0, 8.0, 9.0, 11.0, 12.0)
    known = {(k, k): estimate for k in range(len(HOSTILE))}
    runs = PairMeasurements(known, known)
    derived: Any = SimpleNamespace(system=system, measured=measured, misfits={}, runs=runs)
    pairs = pairs_chart(derived)
    assert faults(pairs) == []
    for name in HOSTILE:
        assert f"{name}t" in read(pairs)
        assert f"{name}m" in read(pairs)
    types = types_chart(system.task_names, [1] * len(HOSTILE), "Task type")
    assert faults(types) == []
    assert all(name in read(types) for name in system.task_names)
    for of_power in (False, True):
        values = values_chart(derived, 0, of_power=of_power)
        assert faults(values) == []
        assert f"{HOSTILE[1]}m" in read(values)


@pytest.mark.parametrize("name", HOSTILE)
def test_names_of_resources_are_text(day: ReplayOutcome, name: str) -> None:
    workload = day.workload
    pools = replace(workload.pools, resources=(name,), further=np.ones((len(workload.pools), 1)))
    options = replace(workload.options, further=np.ones((len(workload.options.pool), 1)))
    outcome = replace(day, workload=replace(workload, pools=pools, options=options))
    swept: Any = SimpleNamespace(
        policies=("easy",),
        line=lambda *_: [(1.0, 2.0)],
        found=SimpleNamespace(records={"easy": outcome}),
    )
    for figure in (
        sizes_figure({(1.0, 2.0): 3.0}, ("cores", name)),
        lane_figure(outcome, 0, 0),
        amounts_figure(swept, name, "worth"),
    ):
        assert faults(figure) == []
        assert name in read(figure)


def test_names_of_what_ifs_are_text(system: System) -> None:
    one = WhatIf.of(1, "nine", system)
    outcomes = [outcome(replace(one, name=f"{name}w"), trace_front) for name in HOSTILE]
    figure = compare_fronts(outcomes, axes(outcomes, "kWh", "EUR"))
    assert figure is not None
    assert faults(figure) == []
    hovers = [trace.customdata[0] for trace in figure.data if trace.customdata is not None]
    labels = [note.text.split("</span> ")[1] for note in figure.layout.annotations]
    assert [unescape(text) for text in labels] == [f"{name}w" for name in HOSTILE]
    for name, hover in zip(HOSTILE, hovers, strict=True):
        assert unescape(hover).startswith(f"<b>{name}w</b><br>")


def test_names_of_axes_are_text(system: System) -> None:
    for name in HOSTILE:
        counts = (f"machines.{name}m", f"tasks.{name}t", f"tasks.{HOSTILE[0]}t")
        axes_ = tuple(SweptAxis(each, (1.0, 2.0)) for each in dict.fromkeys(counts))
        question = SweepQuestion(system, axes_)
        view = view_of(question, {}, figures_of(question)[0])
        for figure in (sweep_map(view, 0, 1), sweep_lines(view, 0, 1)):
            assert faults(figure) == []
            assert f"{name}m" in read(figure)
            assert f"{name}t" in read(figure)


@pytest.mark.parametrize("name", HOSTILE)
def test_names_of_a_centre_are_text(name: str) -> None:
    """Its kinds, jobs and currency, which files may call anything."""
    answer = small_answer()
    kinds = tuple(replace(one, name=f"{name}{one.name}") for one in answer.file.centre.kinds)
    signals = answer.file.signals
    price = {PRICE: replace(signals.came[CARBON], kind=PRICE)}
    file = replace(
        answer.file,
        centre=replace(answer.file.centre, kinds=kinds),
        jobs=replace(answer.file.jobs, names=tuple(f"{name}{k}" for k in range(3))),
        signals=replace(signals, came={**signals.came, **price}),
        currency=CURRENCY,
    )
    usual = shown_plan(answer.usual)
    figure = day_figure(file, [usual, usual])
    assert faults(figure) == []
    said = read(figure)
    assert all(part in said for part in (CURRENCY, f"{name}cpu", f"{name}0"))
    front = front_figure(replace(answer, file=file), small_slices(), "cost")
    assert faults(front) == []
    assert CURRENCY in read(front)


@pytest.fixture(scope="module")
def settings() -> ProfitSettings:
    """A study file may call money anything."""
    return ProfitSettings(
        by="bag", price=5.0, site=Site(currency=CURRENCY, day_tariff=((7.0, 0.4), (20.0, 0.2)))
    )


@pytest.fixture(scope="module")
def profit(system: System, front: Front, settings: ProfitSettings) -> Profit:
    return earn(system, settings.terms(front), effort=Effort(0))


@pytest.mark.parametrize(
    "chart", ["plane_chart", "contours_chart", "curve_chart", "start_chart", "sweep_chart"]
)
def test_a_currency_is_text(
    chart: str, system: System, front: Front, settings: ProfitSettings, profit: Profit
) -> None:
    terms, money = settings.terms(front), settings.money
    axis = axis_for("kWh", Tariff(1.0), CURRENCY, float(front.energy.max()))
    region = feasible_region(system, 2 * float(front.makespan[0]))
    assert profit.earnings is not None
    tariff = settings.site.day
    assert tariff is not None
    figures = {
        "plane_chart": lambda: [
            plane_figure(ProfitPlane(front, region, terms, profit, axis, money))
        ],
        "contours_chart": lambda: [
            contours_figure(Contours(region, terms, 0.0, None, axis, money))
        ],
        "curve_chart": lambda: [
            curve_figure(
                curve(system, terms, front, (1.0, 9.0)), 0.0, terms.overhead, profit, money
            )
        ],
        "start_chart": lambda: [
            start_figure(day_of(profit.earnings.schedule, terms, tariff), money)
        ],
        "sweep_chart": lambda: [
            sweep_figure(swept(system, terms, front, settings, quantity), money)
            for quantity in TITLES
        ],
    }
    for figure in figures[chart]():
        assert faults(figure) == []
        assert CURRENCY in read(figure)


@pytest.fixture(scope="module")
def bought(system: System) -> ProvisionAnswer:
    """What to buy of these types, for money that a plan file may call anything."""
    filled = with_examples(system, replace(PlanInputs.of(system), by_work=False))
    few = replace(filled, currency=CURRENCY, scenarios=ScenarioSettings(4))
    return answer_of(system, few)


@pytest.mark.thorough
@pytest.mark.parametrize("chart", PROVISION_FIGURES)
def test_names_in_a_shopping_list_are_text(chart: str, bought: ProvisionAnswer) -> None:
    draw, parts = PROVISION_FIGURES[chart]
    figure = draw(bought)
    assert faults(figure) == []
    if "name" in parts:
        assert any(offer.name in read(figure) for offer in bought.plan.offers)
    assert (CURRENCY in read(figure)) == ("currency" in parts)


@pytest.fixture(scope="module")
def day() -> ReplayOutcome:
    """A job of each type on each pool; all names are hostile."""
    most = len(HOSTILE)
    jobs = most * most
    every = np.arange(jobs)
    workload = Workload(
        Pools.of([f"{name}p" for name in HOSTILE], [1] * most),
        replace(
            ArrivingJobs.plain(np.zeros(jobs), every % most, tuple(f"{name}t" for name in HOSTILE)),
            names=[f"{HOSTILE[k % most]}j{k}" for k in range(jobs)],
        ),
        Options.of(jobs, every // most, 1, 100.0, 5.0),
    )
    return replay(workload, policy_named("easy").policy)


@pytest.fixture(scope="module")
def shares(system: System) -> FairShares:
    inputs = BagsInputs.of(without_network(system))
    workers = tuple(replace(one, link=1e6) for one in inputs.workers)
    bags = tuple(replace(one, data=1e5) for one in inputs.bags)
    given = replace(inputs, bags=bags, workers=workers, bandwidth=1.0)
    return shares_found(system, given)


def test_no_module_that_draws_is_left_out() -> None:
    root = Path(dashboard.__file__).parent
    drawn = {
        ".".join(path.relative_to(root).with_suffix("").parts)
        for path in root.rglob("*.py")
        if "= Drawing()" in path.read_text()
    }
    asked = {chart.partition(",")[0] for each in FIGURES.values() for chart in each}
    asked |= {f"screens.provision.{chart.partition(',')[0]}" for chart in PROVISION_FIGURES}
    asked |= {f"screens.profit.{module}" for module in ("plane_chart", "line_charts", "sweeps")}
    asked |= {
        f"screens.{it}" for it in ("what_if.compare.fronts_chart", "what_if.sweeps.map_chart")
    }
    asked |= {"screens.centre.day_panels", "screens.centre.front_chart"}
    assert drawn == asked | {"screens.importing.log_preview"} | NAMELESS
