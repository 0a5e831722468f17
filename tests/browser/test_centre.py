"""Journey 17: a day of a centre. What runs when, what it saves, and the most that could be."""

import re
from pathlib import Path

from grids import type_over
from playwright.sync_api import Locator, Page, expect
from visits import bring_into_view, close_popover, go_to, headline, taken_with, wait_until_drawn

from core.capabilities.centre.asked import AskedCentre
from core.capabilities.centre.files.centre_reader import inspect_centre
from core.capabilities.centre.files.day_plan_file import inspect_day_plan
from core.files.samples.named import centre_folder
from core.shells.studies import inspect_study


def share(text: str) -> float:
    found = re.search(r"no plan saves more than ([0-9.]+) %", text)
    assert found is not None
    return float(found[1])


def test_a_day_of_the_centre(page: Page, address: str, tmp_path: Path) -> None:
    page.goto(f"{address}/centre")
    main = page.get_by_test_id("stMain")
    expect(headline(page)).to_contain_text("less than as usual; no plan saves more than")
    most = share(headline(page).inner_text())
    expect(main.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    for panel in ("Power (kW)", "Price", "Inside temperature", "cpu, 24 servers", "gpu, 6 servers"):
        expect(main.locator(".js-plotly-plot").first).to_contain_text(panel)

    slider = page.get_by_role("slider").first
    slider.press("ArrowLeft")
    slider.press("ArrowLeft")
    expect(page).to_have_url(re.compile("late"))
    expect(main.get_by_text("Asked for: a lateness of at most 0 s.")).to_be_visible()
    wait_until_drawn(page)
    assert share(headline(page).inner_text()) < most, "what is late saves no more"

    page.get_by_role("button", name="Export").click()
    taken = taken_with(page, page.get_by_role("button", name="Plan (ZIP)"))
    path = tmp_path / "plan.zip"
    taken.save_as(path)
    close_popover(page)
    file = inspect_centre(centre_folder("london")).require()
    verdict = inspect_day_plan(path, file).require().judged()
    assert verdict.ok
    assert verdict.lateness == 0

    page.reload()
    nothing_late = main.get_by_text("Asked for: a lateness of at most 0 s.")
    expect(nothing_late).to_be_visible()
    page.get_by_role("slider").first.press("ArrowRight")
    expect(main.get_by_text(re.compile("Asked for: a lateness of at most [1-9]"))).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(nothing_late).to_be_visible()


LINE = """level => {
  const chart = document.querySelector(".st-key-centre-day .js-plotly-plot");
  const axis = chart._fullLayout.yaxis;
  return chart.getBoundingClientRect().top + axis._offset + axis.d2p(level);
}"""


def off_the_line(page: Page, grip: Locator) -> float:
    """How far a handle is above or below its level in the chart, in pixels."""
    box, level = grip.bounding_box(), grip.get_attribute("aria-valuenow")
    assert box is not None
    assert level is not None
    middle = box["y"] + box["height"] / 2
    return abs(float(page.evaluate(LINE, float(level))) - middle)


def test_a_target_is_moved_and_the_day_planned_anew(page: Page, address: str) -> None:
    """Its handles stay on their line when the page above the chart changes."""
    asked = "centre_seconds=0&centre_methods=none&centre_forecast=yes&centre_replan=21600"
    page.goto(f"{address}/centre?{asked}")
    main = page.get_by_test_id("stMain")
    expect(main.get_by_role("heading", name="What it costs not to know")).to_be_visible()
    drawn = main.locator(".st-key-centre-actual .js-plotly-plot").last
    expect(drawn).to_contain_text("Cost more than if all were known, so far (GBP)")
    wait_until_drawn(page)
    grip = main.get_by_role("slider", name="Target power").first
    assert off_the_line(page, grip) < 1.5
    grip.press("ArrowUp")
    expect(page).to_have_url(re.compile("centre_target=1%3A15[.]"))
    wait_until_drawn(page)
    assert off_the_line(page, grip) < 1.5
    page.get_by_role("button", name="Undo").click()
    expect(page).not_to_have_url(re.compile("centre_target"))


def test_an_edited_centre_comes_back_from_its_study(
    page: Page, address: str, tmp_path: Path
) -> None:
    """It is saved as a file, opened anew, and the command answers the same."""
    asked = "centre_seconds=0&centre_methods=none&centre_most_excess=60&centre_closer=worth"
    page.goto(f"{address}/centre?{asked}")
    main = page.get_by_test_id("stMain")
    expect(headline(page)).to_contain_text("less than as usual; no plan saves more than")
    wait_until_drawn(page)
    before = headline(page).inner_text()
    expect(page.get_by_role("button", name="In this address")).to_be_visible()

    grid = main.locator(".dvn-scroller").last
    bring_into_view(grid)
    box = grid.bounding_box()
    assert box is not None
    grid.click(position={"x": 0.2 * box["width"], "y": 52})  # how many of the first kind
    type_over(page, "40")
    expect(page.get_by_role("button", name="Not saved")).to_be_visible()
    chart = main.locator(".js-plotly-plot").first
    expect(chart).to_contain_text("cpu, 40 servers")
    wait_until_drawn(page)
    edited = headline(page).inner_text()
    assert edited != before

    page.reload()
    expect(chart).to_contain_text("cpu, 40 servers")
    page.get_by_role("button", name="Export").click()
    taken = taken_with(page, page.get_by_role("button", name="Study file (JSON)"))
    path = tmp_path / "study.json"
    taken.save_as(path)
    close_popover(page)
    study = inspect_study(path).require().settings.block(AskedCentre)
    assert study is not None
    assert study.file.centre.kinds[0].count == 40

    page.goto(f"{address}/importing?sample=nine")
    page.get_by_role("button", name="Open files").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("input[type=file]").set_input_files(path)
    dialog.get_by_role("button", name="Open it on Import").click()
    expect(dialog).to_have_count(0)
    go_to(page, "Centre")
    expect(chart).to_contain_text("cpu, 40 servers")
    expect(headline(page)).to_have_text(edited)
    expect(page.get_by_role("button", name="Saved")).to_be_visible()
