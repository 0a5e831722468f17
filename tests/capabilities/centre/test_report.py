"""The report tells the day of a centre, with its power and temperature, and what more is worth."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from markup import checked

from core import study
from core.capabilities.centre import CAPABILITY
from core.capabilities.centre.answer import CentreAnswer, answered
from core.capabilities.centre.asked import AskedCentre
from core.capabilities.centre.files.centre_reader import inspect_centre
from core.capabilities.centre.report import day_picture
from core.capabilities.centre.settings import DaySettings, PlanningSettings
from core.capabilities.centre.told import WORTH, told, worth_bars
from core.engines.front.study import Study
from core.files.samples.named import centre_folder, load_sample
from core.shells.report import report_html
from core.shells.studies import StudySettings

ASKED = DaySettings(seconds=0.0)
ALONE = PlanningSettings(())


@pytest.fixture(scope="module")
def front() -> Study:
    return study(load_sample("two-by-two"), method="bound")


@pytest.fixture(scope="module")
def found() -> CentreAnswer:
    """The answer on a centre that green power and a warmer room help."""
    return answered(inspect_centre(centre_folder("parasol")).require(), ASKED)


def page_of(front: Study, asked: AskedCentre | None) -> str:
    page = report_html(front, StudySettings("mine", blocks=CAPABILITY.block(asked)), None, {})
    checked(page)
    return page


def test_without_a_centre_there_is_no_section(front: Study) -> None:
    assert "<h2>A day of the centre</h2>" not in page_of(front, None)


def test_what_was_found_is_told_with_its_pictures(front: Study, found: CentreAnswer) -> None:
    page = page_of(front, AskedCentre(found.file, "mine", ASKED, ALONE, found))
    said = told(found)
    assert "<h2>A day of the centre</h2>" in page
    assert f'<p class="lead">{said.lead}</p>' in page
    assert f"<h3>{WORTH}</h3>" in page
    for text in ("Power (kW)", "Inside (°C)", "limit 27 °C", "21 June 2026, UTC"):
        assert f">{text}</text>" in page
    assert "Cost saved at most (EUR)</text>" in page


def test_what_is_not_known_is_computed(front: Study, found: CentreAnswer) -> None:
    page = page_of(front, AskedCentre(found.file, "mine", ASKED, ALONE))
    assert told(found).lead in page


def test_what_no_plan_keeps_is_said(front: Study, found: CentreAnswer) -> None:
    asked = replace(ASKED, most_peak=0.1)
    page = page_of(front, AskedCentre(found.file, "mine", asked, ALONE))
    assert "No plan keeps all that is asked." in page
    assert "<li>no plan" in page


def areas(found: CentreAnswer, style: str) -> list[float]:
    """The pixels that bands of a style cover, below their key."""
    assert found.ours.measures is not None
    picture = str(day_picture(found.file, found.ours.measures))
    bands = re.findall(rf'<path class="{style}" d="M([^"]+)Z"', picture)
    corners = [[tuple(map(float, one.split())) for one in band.split("L")] for band in bands]
    return [
        abs(sum(x * w - z * y for (x, y), (z, w) in zip(one, one[1:] + one[:1], strict=True))) / 2
        for one in corners
    ]


def test_bands_are_as_large_as_the_energy_that_they_show(found: CentreAnswer) -> None:
    measures = found.ours.measures
    assert measures is not None
    styles = {"t0": measures.busy, "impossible": measures.asleep, "others": measures.idle}
    shown = {style: sum(areas(found, style)) for style in styles}
    whole = sum(float(watts.sum()) for watts in styles.values())
    for style, watts in styles.items():
        share = float(watts.sum()) / whole
        assert shown[style] / sum(shown.values()) == pytest.approx(share, abs=0.01)


def test_each_band_stands_on_the_one_below(found: CentreAnswer) -> None:
    assert found.ours.measures is not None
    picture = str(day_picture(found.file, found.ours.measures))
    bands = re.findall(r'<path class="[a-z0-9]+" d="M([^"]+)Z"', picture)
    heights = [[float(one.split()[1]) for one in band.split("L")] for band in bands]
    assert len(heights) > 2
    for below, above in pairwise(heights):
        half = len(below) // 2
        assert above[half:] == below[:half][::-1]


def test_bars_say_by_how_much_the_bound_falls_the_most_first(found: CentreAnswer) -> None:
    bars = worth_bars(found)
    assert bars is not None
    shown = [bar.value.mean for bar in bars.bars]
    assert shown == sorted(shown, reverse=True)
    noticed = {name: saved for name, saved in found.worth.items() if saved > 1e-3}
    assert shown == pytest.approx(sorted(noticed.values(), reverse=True))
    table = told(found).tables[-1]
    assert len(table.rows) == len(found.worth)
    assert [row[0] for row in table.rows][: len(shown)] == [bar.label for bar in bars.bars]
    assert all(row[1] == "nothing" for row in table.rows[len(shown) :])


@pytest.mark.parametrize(
    ("aim", "axis", "size"),
    [
        ("carbon", "CO₂ saved at most (kg)", 1000.0),
        ("energy", "Energy saved at most (kWh)", 1.0),
        ("lateness", "Lateness saved at most (h)", 60.0),
    ],
)
def test_bars_have_the_unit_of_the_aim(
    found: CentreAnswer, aim: str, axis: str, size: float
) -> None:
    asked = replace(found.asked, minimise=aim)  # type: ignore[arg-type]
    saved = {"hour": 8.0 * abs(found.bound.value) + 8.0}
    bars = worth_bars(replace(found, asked=asked, worth=saved))
    assert bars is not None
    assert bars.axis == axis
    assert bars.bars[0].value.mean == saved["hour"] / size


def test_what_is_worth_nothing_has_no_bar(found: CentreAnswer) -> None:
    assert worth_bars(replace(found, worth={"hour": 0.0})) is None
    assert told(replace(found, worth={"hour": 0.0})).tables[-1].rows == (
        ("An hour more for each job", "nothing"),
    )
