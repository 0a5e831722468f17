"""The report is one file that loads nothing, shows names as text, and says what it should."""

import math
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import names, schedules, systems

from core.front.points import non_dominated
from core.front.recovery import NO_PROGRESSION, points_of
from core.front.wish import Deadline, Tariff
from core.generate import Generation, MachineLevels, generate
from core.pick import pick
from core.problems import InvalidInput
from core.profit.conditions import Conditions
from core.profit.earn import earn
from core.profit.prices import price_steps
from core.profit.words import sentence
from core.relaxed import trace_front
from core.report import report_html, write_report
from core.report.gantt_picture import MOST_BARS, MOST_ROWS, gantt_picture, shows_all
from core.report.svg import Scale
from core.report.units import digits
from core.samples import load_sample
from core.schedule import Schedule
from core.solve import solve
from core.studies import Choice, Settings
from core.study import Study, study

VOID = {"meta", "br", "img", "link", "input", "hr"}
LOADING = {"src", "href", "srcset", "data", "action", "background", "poster", "xlink:href"}
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "header", "section", "h1", "h2", "h3"),
    *("p", "dl", "div", "dt", "dd", "ul", "li", "pre", "code", "bdi", "figure", "figcaption"),
    *("svg", "g", "clippath", "rect", "path", "circle", "text"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)> & ]]> ' \" </style></title>"


class Page(HTMLParser):
    """What a browser would make of it: tags that match, and the text between them."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.text: list[str] = []
        self.loads: list[str] = []
        self.handlers: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name in LOADING or "url(" in (value or "").replace("url(#box)", ""):
                self.loads.append(f"{tag} {name}={value}")
            if name.startswith("on"):
                self.handlers.append(name)
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open[-1:] == ["style"]:
            assert "url(" not in data
            assert "@import" not in data
        self.text.append(data)

    @property
    def said(self) -> str:
        return " ".join("".join(self.text).split())


def check(html: str) -> Page:
    page = Page(html)
    assert set(page.tags) <= TAGS
    assert page.loads == []
    assert page.handlers == []
    return page


def of(schedule: Schedule, name: str, title: str) -> str:
    points = points_of([schedule])
    front = trace_front(schedule.system)
    found = Study(
        "lp", front, [schedule], points, non_dominated(points), NO_PROGRESSION, True, {"bound": 1.0}
    )
    asked = Settings(name, tariff=Tariff(0.3, 0.35), currency=name)
    return report_html(found, asked, Choice(schedule, title), {name: title}, f"{name}.json")


@pytest.fixture(scope="module")
def nine() -> Study:
    return study(load_sample("nine"), seconds=0)


@settings(max_examples=25)
@given(
    schedule=schedules(systems(with_apc=True)),
    name=names() | st.just(EVIL),
    title=names() | st.just(EVIL),
)
def test_whatever_names_are_they_are_text(schedule: Schedule, name: str, title: str) -> None:
    page = check(of(schedule, name, title))
    flat = " ".join(name.split())
    assert f"{flat}: energy against time" in page.said
    for machine in schedule.system.machine_types:
        assert " ".join(machine.name.split()) in page.said


def test_it_is_small_and_says_what_was_asked_found_and_proven(nine: Study) -> None:
    wish = Deadline(4000.0)
    picked = pick(nine, wish)
    asked = Settings("nine", "nine", seconds=0.0, tariff=Tariff(0.3, 0.35, pue=1.4))
    choice = Choice(picked.schedule, "Done within 66 min", wish)
    html = report_html(nine, asked, choice, {"wattfront": "0.1.0"})
    page = check(html)
    assert len(html.encode()) < 300_000
    for part in (
        "1,100 tasks are to run on 36 machines",
        "The schedule: Done within 66 min",
        "wattfront front nine --method lp",
        "wattfront solve nine --deadline 4000",
        "wattfront 0.1.0",
        "Proven: no schedule is done before 43 min 17 s",
        "it is exact",
        "Cost (EUR)",
        "Carbon (kg CO₂)",
        "PUE 1.4",
        f"fingerprint {nine.system.fingerprint[:16]}",
    ):
        assert part in page.said, part
    assert page.tags.count("svg") == 2
    assert page.tags.count("circle") >= len(nine.front) + len(nine.achieved)


def test_without_a_choice_the_fastest_is_looked_at(nine: Study) -> None:
    page = check(report_html(nine, Settings("nine"), None, {}))
    assert "The schedule: As soon as possible" in page.said


def test_a_study_without_schedules_has_its_bound(nine: Study) -> None:
    bound = study(nine.system, method="bound", front=nine.front)
    page = check(report_html(bound, Settings("nine", method="bound"), None, {}))
    assert page.tags.count("svg") == 1
    assert "No schedule is done before 43 min 17 s" in page.said


def test_schedules_that_are_not_verified_are_not_praised(nine: Study) -> None:
    page = check(report_html(replace(nine, verified=False), Settings("nine"), None, {}))
    assert "do not use these schedules" in page.said
    assert "Checked" not in page.said


def test_large_systems_give_small_reports() -> None:
    system = generate(
        Generation(
            task_types=60,
            machine_types=80,
            tasks=200_000,
            machines=3_600,
            apc=MachineLevels(),
            seed=1,
        )
    )
    schedule = solve(system, method="paper").schedule
    assert not shows_all(schedule)
    html = of(schedule, "large", "as soon as possible")
    assert len(html.encode()) < 300_000
    assert "such groups the last of each machine type" in check(html).said


class TestGantt:
    @settings(max_examples=20)
    @given(schedule=schedules(systems(with_apc=True, dyadic=True)))
    def test_bars_cover_the_busy_time_of_every_group(self, schedule: Schedule) -> None:
        drawing = gantt_picture(schedule)
        scale = Scale(0.0, schedule.makespan or 1.0, 150.0, 744.0)
        widths = sum(
            float(part.split("h")[1].split("v")[0])
            for path in drawing.parts
            if 'class="bar' in path and "h14v11" not in path
            for part in path.split('d="')[1].split("M")[1:]
        )
        expected = sum(scale(load) - 150.0 for load in schedule.load.tolist())
        assert widths == pytest.approx(expected, abs=0.2 * (len(schedule.load) * 12 + 1))

    def test_however_large_rows_and_bars_are_few(self) -> None:
        system = generate(Generation(task_types=400, machine_types=60, tasks=90_000, machines=900))
        drawing = gantt_picture(solve(system, method="paper").schedule)
        bars = sum(part.count("M") for part in drawing.parts if 'class="bar' in part)
        rows = sum('class="end"' in part for part in drawing.parts)
        assert rows == MOST_ROWS
        assert rows <= bars <= 2 * MOST_BARS


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.0, "0"),
        (1234567.0, "1,234,567"),
        (12.3456, "12.35"),
        (0.00123456, "0.001235"),
        (1e-9, "1.000e-09"),
        (float("inf"), "–"),
        (float("nan"), "–"),
    ],
)
def test_four_digits_or_all_before_the_point(value: float, said: str) -> None:
    assert digits(value) == said


@given(low=st.floats(0, 1e12), extent=st.floats(1e-3, 1e12), about=st.integers(2, 12))
def test_ticks_are_round_and_within(low: float, extent: float, about: int) -> None:
    scale = Scale(low, low + max(extent, 1e-6 * low), 0.0, 100.0)
    ticks = scale.ticks(about)
    assert 1 <= len(ticks) <= 2 * about + 1
    assert all(-0.1 <= scale(tick) <= 100.1 for tick in ticks)


def profitable(study: Study, conditions: Conditions, choice: Choice | None = None) -> Page:
    asked = Settings("nine", "nine", profit=conditions)
    return check(report_html(study, asked, choice, {}))


def test_profit_has_a_section_where_it_was_asked_about(nine: Study) -> None:
    conditions = Conditions(
        ratio=1.5,
        cap_kw=4.5,
        wear=(("M1", 0.5),),
        carbon=0.4,
        carbon_price=0.1,
        day_tariff=((7.0, 0.4), (20.0, 0.2)),
    )
    page = profitable(nine, conditions)
    profit = earn(nine.system, conditions.terms(nine.front), seconds=0, known=nine.schedules)
    steps = price_steps(nine.system, conditions.terms(nine.front))
    money = conditions.money
    for said in (
        sentence(profit, conditions, nine.front),
        f"Gap, at most{money.say_rate(profit.gap, math.ceil)}",
        f"It breaks even at{money.say(steps.break_even)}",
        f"The fastest is best from{money.say(steps.fastest_from)}",
        "1.5 times the cost of the least energy",
        "4.5 kW for the site",
        "M1 0.5 EUR a busy hour",
        "0.34 EUR a kWh in all",
        "0.4 from 07:00, 0.2 from 20:00",
        "One bag is cheapest begunat 00:00",
        "1 kW more power cap",
        "One more M1, of now 4",
        "wattfront profit nine --ratio 1.5",
    ):
        assert said in page.said, said
    assert page.tags.count("svg") == 3
    assert "Profit" not in check(report_html(nine, Settings("nine"), None, {})).said


def test_the_schedule_chosen_counts_if_it_earns_more(nine: Study) -> None:
    conditions = Conditions(ratio=1.5)
    terms = conditions.terms(nine.front)
    best = earn(nine.system, terms, seconds=0.3)
    assert best.earnings is not None
    page = profitable(nine, conditions, Choice(best.earnings.schedule, "Earns most"))
    found = earn(nine.system, terms, seconds=0, known=[*nine.schedules, best.earnings.schedule])
    assert found.value >= best.value
    assert f"Found{conditions.money.say_rate(found.value, math.floor)}" in page.said


@pytest.mark.parametrize(
    ("conditions", "said"),
    [
        (Conditions(cap_kw=0.0), "above the cap of 0 W"),
        (Conditions(ratio=0.2), "running nothing is best"),
        (Conditions(by="bag", price=0.0, energy_price=0.0), "Price of a bag0 EUR a bag"),
        (Conditions(electricity="joule", ratio=0.9), "every bag loses money"),
    ],
)
def test_a_profit_that_is_none_has_a_section_too(
    nine: Study, conditions: Conditions, said: str
) -> None:
    system = nine.system.with_idle_fraction(0.2)
    assert said in profitable(study(system, seconds=0), conditions).said


@settings(max_examples=15)
@given(
    schedule=schedules(systems(with_apc=True, dyadic=True)),
    currency=names() | st.just(EVIL),
    data=st.data(),
)
def test_a_profit_section_of_anything_is_sound(
    schedule: Schedule, currency: str, data: st.DataObject
) -> None:
    machine = schedule.system.machine_types[0].name
    conditions = Conditions(
        ratio=data.draw(st.floats(0, 4)),
        currency=currency,
        cap_kw=data.draw(st.none() | st.floats(0, 1e3)),
        wear=((machine, 0.5),),
        day_tariff=((7.0, 0.4),),
    )
    points = points_of([schedule])
    front = trace_front(schedule.system)
    found = Study(
        "lp", front, [schedule], points, non_dominated(points), NO_PROGRESSION, True, {"bound": 1.0}
    )
    profitable(found, conditions, Choice(schedule, "it"))


def test_it_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    write_report("<p>", tmp_path / "r.html")
    assert (tmp_path / "r.html").read_text() == "<p>"
    with pytest.raises(InvalidInput, match=r"name a \.html file"):
        write_report("<p>", tmp_path / "r.pdf")
    with pytest.raises(InvalidInput, match="cannot be written"):
        write_report("<p>", tmp_path / "missing" / "r.html")
    assert [path.name for path in tmp_path.iterdir()] == ["r.html"]
