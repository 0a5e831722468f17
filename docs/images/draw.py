"""Draws the pictures of the documentation anew, from a dashboard of its own: `make pictures`. Names
of pictures as arguments draw only these.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Final

from playwright.sync_api import Page, expect, sync_playwright

from benchmarks.in_browser import OPTIONS, chromium
from benchmarks.server import dashboard

HERE: Final = Path(__file__).parent
DESK: Final = (1440, 900)
PHONE: Final = (390, 844)
SETTLED_MS: Final = 2_500
expect.set_options(timeout=240_000)


@dataclass(frozen=True, slots=True)
class Picture:
    """`ready` does what is to be seen on the page at `path`, and waits for it."""

    name: str
    path: str
    ready: Callable[[Page], None]
    size: tuple[int, int] = DESK


def polished(page: Page) -> None:
    expect(page.locator(".st-key-status")).to_contain_text("polished for")


def all_charts(page: Page) -> None:
    expect(page.locator(".st-key-running").get_by_role("progressbar")).to_have_count(0)
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


def drawn(page: Page) -> None:
    """There is a chart, and nothing is computed any more."""
    expect(page.locator(".main-svg").first).to_be_visible()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)
    page.mouse.move(0, 0)


def replayed(page: Page) -> None:
    expect(page.locator(".st-key-arrivals_worth .main-svg").first).to_be_visible()
    drawn(page)


def swept(page: Page) -> None:
    expect(page.locator(".st-key-sweeps-chart-0-map .main-svg").first).to_be_visible()
    drawn(page)


def explained(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_contain_text("About the numbers")


def named(page: Page) -> None:
    field = page.locator(".st-key-studies-open").get_by_label("Name of this study")
    field.fill("Winter term")
    field.press("Enter")
    expect(page.locator(".wf-context strong")).to_have_text("Winter term")
    page.get_by_role("button", name="Save in this browser").click()
    expect(page.get_by_role("button", name="Open Winter term")).to_be_visible()
    page.mouse.move(0, 0)


def pairs(page: Page) -> None:
    expect(page.get_by_text("valid and in force.")).to_be_visible()


def planned(page: Page) -> None:
    """A day with our plan, the front and rivals, all of them found."""
    expect(page.locator(".st-key-centre-front .main-svg").first).to_be_visible()
    drawn(page)


def asleep(page: Page) -> None:
    expect(page.locator(".st-key-switch-off-front .main-svg").first).to_be_visible()
    page.mouse.move(0, 0)


def accounting_log(page: Page) -> None:
    """A log in the second step of its import."""
    page.get_by_role("button", name="Open files").click()
    dialog = page.get_by_role("dialog")
    log = {"name": "march.txt", "mimeType": "text/plain", "buffer": march().encode()}
    dialog.locator("input[type=file]").set_input_files(log)
    dialog.get_by_role("button", name="Derive a system from it").click()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("radio", name="Replayed").click()
    expect(page.locator(".st-key-log-replay .main-svg").first).to_be_visible()
    page.mouse.move(0, 0)


def valued(page: Page) -> None:
    """What more cores and memory would earn, with all bounds, and what jobs are worth."""
    expect(page.get_by_text("cores more earn")).to_be_visible(timeout=120_000)
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0, timeout=120_000)
    page.get_by_text("A closer look", exact=True).evaluate("shown => shown.scrollIntoView()")
    page.mouse.move(0, 0)


def march() -> str:
    """A dump of a week of a small cluster: four task types on three kinds of nodes."""
    random = Random(3)  # noqa: S311  # the same picture each time
    rows = ["JobID|JobName|State|Start|Elapsed|AllocCPUS|NNodes|NodeList|ConsumedEnergyRaw"]
    begin = datetime(2024, 3, 4, tzinfo=UTC)
    seconds = {"align": 900, "call": 2_500, "train": 7_000, "plot": 240}
    factor = {"cpu": (1.0, 350, 12), "gpu": (0.3, 1_100, 3), "old": (2.1, 260, 6)}
    for number in range(1, 1_500):
        task, kind = random.choice([*seconds]), random.choice([*factor])
        if (task, kind) in (("plot", "gpu"), ("train", "old")):
            continue
        slowness, watts, nodes = factor[kind]
        took = int(seconds[task] * slowness * random.lognormvariate(0, 0.2)) + 1
        start = (begin + timedelta(seconds=random.randrange(604_800))).isoformat()[:19]
        state = "COMPLETED" if random.random() < 0.93 else "FAILED"
        rows.append(
            f"{number}|{task}_{number}|{state}|{start}|{timedelta(seconds=took)!s:0>8}|32|1|"
            f"{kind}{random.randint(1, nodes):02d}|{took * watts}"
        )
    return "\n".join(rows) + "\n"


SITE: Final = "pue=1.3&day_tariff=0:0.2+7:0.35+20:0.2&day_carbon=0:0.42+9:0.21+17:0.42"
VALUE: Final = "/arrivals?sample=nine&arrivals_workload=value&arrivals_look_view=value"
PICTURES: Final = (
    Picture("trade-offs", "/", polished),
    Picture("schedule", "/schedule", all_charts),
    Picture("profit", "/profit?sample=nine&idle=0.1&profit_ratio=1.5", polished),
    Picture("what-if", "/what_if?sample=nine&idle=0.1", without_old_machines),
    Picture("machines", "/machines", drawn),
    Picture("work", "/work", pairs),
    Picture("site", f"/site?{SITE}", drawn),
    Picture("accounting-log", "/importing?sample=nine", accounting_log, (1440, 1100)),
    Picture("what-to-buy", "/provision?sample=e1&provision_scenarios=640", drawn),
    Picture("policies", "/arrivals?sample=nine&arrivals_jobs=300&arrivals_days=8", replayed),
    Picture("value-of-service", VALUE, valued, (1440, 1560)),
    Picture("late", "/late", drawn),
    Picture("fair-shares", "/fair_shares?sample=nine", drawn),
    Picture("centre", "/centre", planned, (1440, 1500)),
    Picture("what-to-switch-off", "/switch_off", asleep),
    Picture(
        "what-if-map",
        "/what_if?what_if_view=map&sample=nine&sweep=idle:0:100:10+machines.1:0:8:1",
        swept,
    ),
    Picture("studies", "/studies", named),
    Picture("about-the-numbers", "/about?sample=nine", explained),
    Picture("trade-offs-phone", "/", polished, PHONE),
)


def main(names: Sequence[str]) -> None:
    """Draw the pictures of these names, or all."""
    pictures = [one for one in PICTURES if one.name in names or not names]
    with sync_playwright() as playwright, dashboard() as server:
        browser = playwright.chromium.launch(executable_path=chromium(), args=OPTIONS)
        for picture in pictures:
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
    main(sys.argv[1:])
