"""No figure of the report is better than what was found, or more than what is proven."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from marked import marked
from markup import EVIL, checked
from strategies import names, schedules, systems
from studied import on_the_wasteful, study_of, uneven

from core.capabilities.makespan.solve import solve
from core.engines.front.study import Study, pick, study
from core.engines.front.wish import Deadline, PowerCap
from core.files.samples.generate import Generation, MachineLevels, generate
from core.shells.report import report_html, write_report
from core.shells.report.gantt_picture import shows_all
from core.shells.report.tables import machines_table
from core.shells.studies import Choice, StudySettings
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.prices.site import Site
from core.vocabulary.problems import InvalidInput
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System


@pytest.fixture(scope="module")
def found() -> Study:
    return study(uneven(), effort=Effort(0))


def said_of(found: Study, choice: Choice | None = None) -> str:
    settings = StudySettings("uneven", site=Site())
    return checked(report_html(found, settings, choice, {})).said


def test_the_answer_rounds_what_schedules_take_up_and_what_waiting_saves_down(found: Study) -> None:
    """100.04 s and 200.0883 Wh, or 200.04 s and 100.02 Wh, which is 0.50012 less."""
    said = said_of(found)
    assert "Fastest: 100 s. 100 s longer saves 50 % of the energy." in said


def test_without_powers_nothing_is_said_of_a_front(found: Study) -> None:
    system, settings = replace(found.system, apc=None), StudySettings("uneven")
    page = report_html(system, settings, None, {"wattfront": "0.1.0"})
    said = checked(page).said
    assert "uneven: energy against time" not in said
    for part in ("The powers of this system are unknown", "wattfront 0.1.0", "fingerprint "):
        assert part in said
    choice = Choice(found.schedules[0], "As soon as possible")
    assert report_html(system, settings, choice, {"wattfront": "0.1.0"}) == page


def test_each_section_is_told_before_it_is_made(found: Study) -> None:
    told: list[str] = []
    report_html(found, StudySettings("uneven"), None, {}, report=told.append)
    assert told == ["front", "profit", "provision", "replay", "fair-shares", "centre"]


def test_bounds_are_rounded_down(found: Study) -> None:
    proven = "o schedule is done before 100 s, and none needs less than 100 Wh."
    assert f"Proven: n{proven}" in said_of(found)
    bound = said_of(study(uneven(), method="bound"))
    assert f"Proven: n{proven}" in bound
    assert "Not before100 s" in bound
    assert "Not below100 Wh" in bound


def test_figures_of_the_chosen_schedule_are_rounded_up_gaps_included(found: Study) -> None:
    chosen = on_the_wasteful()
    for label, figure in {
        "Makespan": "100.1 s",
        "Energy": "400.4 Wh",
        "Energy above the bound": "at most 101 %",
        "Time above the bound": "at most 0.04 %",
        "Cost": "0.1201 EUR",
        "Carbon": "0.1402 kg CO₂",
    }.items():
        assert f"{label}{figure}" in said_of(found, Choice(chosen, "wasteful"))


def test_of_a_power_cap_the_first_lines_say_the_peak(found: Study) -> None:
    """Issue 33, point 17: the cap limits the average."""
    chosen = on_the_wasteful()
    title = "At most 15 kW on average"
    for wish, told in (
        (PowerCap(15_000.0), "; its power never exceeds the cap of 15 kW."),
        (
            PowerCap(14_000.0),
            "; the cap of 14 kW limits only its average power: the peak is 14.41 kW.",
        ),
        (Deadline(200.0), "."),
        (None, "."),
    ):
        said = said_of(found, Choice(chosen, title, wish))
        assert f"The chosen schedule: {title}{told}" in said


def test_the_end_of_the_last_machine_is_rounded_up() -> None:
    cells = checked(machines_table(on_the_wasteful())).text
    assert cells[cells.index("wasteful") :][:5] == ["wasteful", "1", "1", "100.1 s", "100 %"]


def test_the_report_says_how_many_pairs_are_estimates(found: Study) -> None:
    assert "estimate" not in said_of(found)
    some = study(marked(uneven(), (0, 0)), method="bound")
    pairs = some.system.etc.size
    assert f"1 of {pairs} pairs is an estimate, not a measurement." in said_of(some)


def of(schedule: Schedule, name: str, title: str) -> str:
    found = study_of(schedule)
    asked = StudySettings(name, site=Site(currency=name))
    return report_html(found, asked, Choice(schedule, title), {name: title}, f"{name}.json")


@examples(5)
@given(
    schedule=schedules(systems(with_apc=True)),
    name=names() | st.just(EVIL),
    title=names() | st.just(EVIL),
)
def test_whatever_names_are_they_are_text(schedule: Schedule, name: str, title: str) -> None:
    page = checked(of(schedule, name, title))
    flat = " ".join(name.split())
    assert f"{flat}: energy against time" in page.said
    for machine in schedule.system.machine_types:
        assert " ".join(machine.name.split()) in page.said


def test_it_is_small_and_says_what_was_asked_found_and_proven(nine: Study) -> None:
    wish = Deadline(4000.0)
    picked = pick(nine, wish)
    asked = StudySettings("nine", "nine", seconds=0.0, site=Site(pue=1.4))
    choice = Choice(picked.schedule, "Done within 66 min", wish)
    html = report_html(nine, asked, choice, {"wattfront": "0.1.0"})
    page = checked(html)
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
        "PUE1.4",
        f"fingerprint {nine.system.fingerprint[:16]}",
    ):
        assert part in page.said, part
    assert page.tags.count("svg") == 2
    assert page.tags.count("circle") >= len(nine.front) + len(nine.achieved)


def test_without_a_choice_the_fastest_is_looked_at(nine: Study) -> None:
    page = checked(report_html(nine, StudySettings("nine"), None, {}))
    assert "The schedule: As soon as possible" in page.said


def test_a_study_without_schedules_has_its_bound(nine: Study) -> None:
    bound = study(nine.system, method="bound", front=nine.front)
    page = checked(report_html(bound, StudySettings("nine", method="bound"), None, {}))
    assert page.tags.count("svg") == 1
    assert "no schedule is done before 43 min 17 s" in page.said


def test_schedules_that_are_not_verified_are_not_praised(nine: Study) -> None:
    page = checked(report_html(replace(nine, verified=False), StudySettings("nine"), None, {}))
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
    assert "such groups the last of each machine type" in checked(html).said


def test_it_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    write_report("<p>", tmp_path / "r.html")
    assert (tmp_path / "r.html").read_text() == "<p>"
    with pytest.raises(InvalidInput, match=r"name a \.html file"):
        write_report("<p>", tmp_path / "r.pdf")
    with pytest.raises(InvalidInput, match="cannot be written"):
        write_report("<p>", tmp_path / "missing" / "r.html")
    assert [path.name for path in tmp_path.iterdir()] == ["r.html"]


@pytest.mark.parametrize(
    ("counts", "etc", "apc", "idle", "asleep"),
    [
        ([2], [[1.5]], [[5e-324]], [300.0], [None]),
        ([1, 1], [[29.0], [1.0]], [[11.0], [0.0]], [1.1e-308], [None]),
        ([1], [[1.0, math.inf]], [[1e-310, math.nan]], [0.0, 1.0], [None, 0.0]),
        (
            [2, 2],
            [[1e6, 1.0], [1e12, 1e6]],
            [[300.0, 0.0], [1e9, 1.1e-308]],
            [1e-310, 1e-200],
            [300.0, 5e-324],
        ),
        (
            [2],
            [[1.5, 1e12, 1e-9]],
            [[3e-300, 1e9, 3e-300]],
            [1.1e-308, 0.0, 1e-200],
            [1e-150, 1e-9, 0],
        ),
    ],
)
def test_powers_next_to_nothing_are_told_without_a_complaint(
    counts: list[int],
    etc: list[list[float]],
    apc: list[list[float]],
    idle: list[float],
    asleep: list[float | None],
) -> None:
    tasks = tuple(TaskType(f"t{k}", count) for k, count in enumerate(counts))
    machines = tuple(
        MachineType(f"m{k}", k + 1, *watts)
        for k, watts in enumerate(zip(idle, asleep, strict=True))
    )
    found = study(System(tasks, machines, np.array(etc), np.array(apc)), effort=Effort(0))
    chosen = Choice(found.schedules[0], "chosen")
    assert "chosen" in checked(report_html(found, StudySettings("x"), chosen, {}, "x.json")).said
