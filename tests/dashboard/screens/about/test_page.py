"""The page about the numbers explains every chart and every term, on any system."""

from importlib import import_module

import pytest
from pages import Open, button, press, run, spoken, visit

from dashboard.pages import PAGES, HowToRead
from dashboard.parts.frame.help import CERTAINTIES, DEFINITIONS

READINGS: dict[str, tuple[HowToRead, ...]] = {
    page.title: import_module(f"dashboard.screens.{page.folder}").READINGS
    for page in PAGES
    if page.folder != "about"
}


@pytest.mark.parametrize("sample", ["nine", "e1"])
def test_everything_is_explained(open_page: Open, sample: str) -> None:
    page = open_page("about", sample=sample)
    spoken = "\n".join(text.value for text in page.markdown)
    for chart in (chart for charts in READINGS.values() for chart in charts):
        assert chart.name in spoken
        assert chart.how in spoken
    for definition in DEFINITIONS:
        assert definition.meaning in spoken
    assert len(page.latex) == sum(bool(definition.formula) for definition in DEFINITIONS)
    assert len(page.table[0].value) == len(CERTAINTIES)


def test_every_page_has_a_drawer_that_explains_its_own_charts(open_page: Open) -> None:
    """Issue 35: it stays open while the page is drawn again, and closes with the page."""
    page = open_page("switch_off", sample="two-by-two")
    own, other = READINGS["What to switch off"][0], READINGS["Trade-offs"][0]
    assert own.how not in "\n".join(spoken(page))
    for drawn in (press(page, "Help"), run(page)):
        said = "\n".join(spoken(drawn))
        assert own.how in said
        assert other.how not in said
        assert DEFINITIONS[0].meaning in said
    visit(page, "about")
    assert not any(one.label == "Help" for one in page.button), "which says all of it"
    visit(page, "switch_off")
    assert own.how not in "\n".join(spoken(page))
    assert button(page, "Help")


def test_every_page_that_draws_is_explained() -> None:
    assert all(READINGS.values())


def test_formulas_close_what_they_open() -> None:
    for definition in DEFINITIONS:
        formula = definition.formula
        assert formula.count("{") == formula.count("}"), definition.term
        assert formula.count(r"\left") == formula.count(r"\right"), definition.term
        assert formula.count(r"\begin") == formula.count(r"\end"), definition.term
        assert definition.meaning.count("$") % 2 == 0, definition.term
