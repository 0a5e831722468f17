"""Draws the pictures of the documentation anew, from a dashboard of its own: `make pictures`."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, expect, sync_playwright

from benchmarks.dashboard import OPTIONS, chromium
from benchmarks.server import dashboard

HERE: Final = Path(__file__).parent
DESK: Final = (1440, 900)
PHONE: Final = (390, 844)
SETTLED_MS: Final = 2_500
expect.set_options(timeout=60_000)


@dataclass(frozen=True, slots=True)
class Picture:
    """`ready` does what is to be seen on the page at `path`, and waits for it."""

    name: str
    path: str
    ready: Callable[[Page], None]
    size: tuple[int, int] = DESK


def polished(page: Page) -> None:
    expect(page.locator(".st-key-status")).to_contain_text("polished for")


def knee(page: Page) -> None:
    page.get_by_role("button", name="Knee of the front", exact=True).click()
    expect(page.locator(".st-key-schedule_utilisation .main-svg").first).to_be_visible()


def without_old_machines(page: Page) -> None:
    page.get_by_role("button", name="What if …").click()
    name = page.locator(".st-key-compare-name-2 input")
    name.fill("without M1")
    name.press("Enter")
    counts = page.locator("[class*=st-key-compare-machines-2-] .dvn-scroller")
    expect(counts).to_be_visible()
    counts.click(position={"x": counts.evaluate("grid => grid.clientWidth") - 60, "y": 52})
    for key in ("0", "Enter"):
        page.wait_for_timeout(150)  # the grid opens its cell editor at the first key
        page.keyboard.press(key)
    expect(page.locator(".wf-items")).to_contain_text("M1 switched off")
    page.mouse.move(0, 0)


def pairs(page: Page) -> None:
    expect(page.get_by_text("valid and in force.")).to_be_visible()


PICTURES: Final = (
    Picture("trade-offs", "/?sample=nine&idle=0.1", polished),
    Picture("schedule", "/schedule?sample=nine&idle=0.1", knee),
    Picture("profit", "/profit?sample=nine&idle=0.1&profit_ratio=1.5", polished),
    Picture("compare", "/compare?sample=nine&idle=0.1", without_old_machines),
    Picture("system", "/system?sample=testbed", pairs),
    Picture("trade-offs-phone", "/?sample=nine&idle=0.1", polished, PHONE),
)


def main() -> None:
    with sync_playwright() as playwright, dashboard() as server:
        browser = playwright.chromium.launch(executable_path=chromium(), args=OPTIONS)
        for picture in PICTURES:
            width, height = picture.size
            for scheme in ("light", "dark"):
                page = browser.new_page(
                    viewport={"width": width, "height": height}, color_scheme=scheme
                )
                page.goto(server.address + picture.path)
                picture.ready(page)
                expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
                page.wait_for_timeout(SETTLED_MS)
                page.screenshot(path=HERE / f"{picture.name}-{scheme}.png")
                page.close()
        browser.close()


if __name__ == "__main__":
    main()
