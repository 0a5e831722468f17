"""No figure of the report is better than what was found, or more than what is proven."""

import pytest
from marked import marked
from markup import checked
from studied import on_the_wasteful, uneven

from core.engines.front.study import Study, study
from core.engines.front.tariff import Tariff
from core.engines.front.wish import Deadline, PowerCap
from core.shells.report import report_html
from core.shells.report.tables import machines_table
from core.shells.studies import Choice, StudySettings
from core.vocabulary.budget import Effort


@pytest.fixture(scope="module")
def found() -> Study:
    return study(uneven(), effort=Effort(0))


def said_of(found: Study, choice: Choice | None = None) -> str:
    settings = StudySettings("uneven", tariff=Tariff(0.3, 0.35))
    return checked(report_html(found, settings, choice, {})).said


def test_the_answer_rounds_what_schedules_take_up_and_what_waiting_saves_down(found: Study) -> None:
    """100.04 s and 200.0883 Wh, or 200.04 s and 100.02 Wh, which is 0.50012 less."""
    assert (
        "The fastest schedule is done in 100.1 s with 200.1 Wh, the thriftiest done in 3 min 21 s "
        "with 100.1 Wh: waiting saves up to 50 % of the energy." in said_of(found)
    )


def test_each_section_is_told_before_it_is_made(found: Study) -> None:
    told: list[str] = []
    report_html(found, StudySettings("uneven"), None, {}, report=told.append)
    assert told == ["front", "profit", "provision", "replay", "fair-shares"]


def test_bounds_are_rounded_down(found: Study) -> None:
    proven = "o schedule is done before 100 s, and none needs less than 100 Wh."
    assert f"Proven: n{proven}" in said_of(found)
    assert f"N{proven}" in said_of(study(uneven(), method="bound"))


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
