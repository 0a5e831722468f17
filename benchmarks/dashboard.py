"""Case 9: the dashboard in a browser: how fast it loads, and how fast it answers."""

import gzip
import re
import shutil
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, Final

import numpy as np
from playwright.sync_api import Browser, Page, expect

from benchmarks.case import Case, Part, Section, Target
from benchmarks.in_browser import (
    CHROMIUM,
    IDLE,
    PATIENCE,
    RATIO,
    Watched,
    in_chromium,
    leave,
    newcomer,
    open_page,
)
from benchmarks.logs import write_log
from benchmarks.report import duration, megabytes, table, whole
from benchmarks.server import Server, dashboard, one_chart
from benchmarks.timing import timed
from benchmarks.visitor import SETTLED, Visitor
from core import load_sample

FIRST_SECONDS: Final = 4.0
REPAINT_SECONDS: Final = 0.3
MEDIAN_SECONDS: Final = 0.15
CROWDED_SECONDS: Final = 2.0
LARGE_SECONDS: Final = 3.0
ANSWER_SECONDS: Final = 2.0
SHAPES: Final = 5_000
LOG_SECONDS: Final = {27_000: 10.0, 5_000_000: 60.0}
"""By the rows of a log: how long it may take from its drop to a front with *You are here* (s)."""
PEAK_SHARES: Final = (0.4, 0.6, 0.8)
"""Caps, as shares of the watts between all machines idle and all at work."""
OTHERS: Final = 9
CROWDS: Final = 5
BREATH: Final = 1_000.0
"""Time between two moves (ms). The schedules of the move before are still being polished."""
PAUSES: Final = (1.0, 3.0)
"""Time between two moves of each other visitor (s): least and most."""
BEGIN: Final = 5
"""Percent of idle power."""
PLAIN: Final = f"sample=nine&idle={BEGIN / 100}"
EIGHTH: Final = 8
"""Idle powers (%) that only the browser uses, so that no answer is cached for it."""

FRONT: Final = ".st-key-front path.js-line"
# Selectors of what a page shows once it can be used.
PAGES: Final = {
    "": FRONT,
    "schedule": ".st-key-schedule_chart .main-svg",
    "profit": ".st-key-profit_plane .main-svg",
    "what_if": ".st-key-compare-fronts .main-svg",
    "system": ".st-key-pairs .main-svg",
    "about": "[data-testid=stTab]",
}
HEADLINE: Final = "[data-testid=stMain] h2"
ANSWERED: Final = {
    name: ready for name, ready in PAGES.items() if name not in ("system", "about")
} | dict.fromkeys(("arrivals", "fair_shares", "provision", "switch_off"), HEADLINE)
"""Selectors of the first answer of a page."""
SYSTEMS: Final = {name: f"sample={name}" for name in ("university", "nine", "two-by-two", "ten")}
LARGE_SYSTEM: Final = "task_types=30&machine_types=9&apc=machine-levels&idle=0.2&polish=0"
SHAPES_THERE: Final = (
    "document.querySelectorAll('svg :is(path, rect, circle, line, polygon)').length"
)
RECTANGLE: Final = "element => element.getBoundingClientRect().toJSON()"
BELOW: Final = 8
"""Pixels from the value of a slider down to its handle."""
FIRST, NEXT, PLAIN_FIRST, PLAIN_NEXT = "first", "next", "plain first", "plain next"
START, WARM, SLIDER, PROFIT = "Start", "Pages", "Slider", "Profit slider"
CROWD, LARGE, ANSWERS = "Ten sessions", "Large", "First answers"
DROP, PEAK = "A log", "Peak cap"


def measure_start(browser: Browser, quick: bool) -> dict[str, list[float]]:
    """The time (s) from the command to the first front in an open browser, and for the next
    visitor; the same for Streamlit with one chart, in turns with ours.
    """
    found: dict[str, list[float]] = {name: [] for name in (FIRST, NEXT, PLAIN_FIRST, PLAIN_NEXT)}

    def visit(server: Server) -> None:
        open_page(page, server.address, FRONT)

    for _ in range(1 if quick else 5):
        for began, first, then in ((dashboard, FIRST, NEXT), (one_chart, PLAIN_FIRST, PLAIN_NEXT)):
            page, begun = newcomer(browser), time.perf_counter()
            with began() as server:
                visit(server)
                found[first].append(time.perf_counter() - begun)
                page.wait_for_timeout(1e3 * SETTLED)
                leave(page)
                page = newcomer(browser)
                found[then].append(timed(partial(visit, server))[0])
                leave(page)
    return found


def measure_pages(browser: Browser, quick: bool) -> dict[str, list[float]]:
    """The time to load each page again (s), after one load to warm up."""
    seconds: dict[str, list[float]] = {name: [] for name in PAGES}
    with dashboard() as server:
        for repetition in range(2 if quick else 4):
            for name, ready in PAGES.items():
                page = newcomer(browser)
                url = f"{server.address}/{name}?sample=nine&idle=0.1"
                took, _ = timed(partial(open_page, page, url, ready))
                leave(page)
                if repetition:
                    seconds[name].append(took)
    return seconds


def measure_answers(browser: Browser, quick: bool) -> dict[str, list[float]]:
    """The time (s) until each page has its first answer about a system that nobody has opened
    before, for somebody whose browser has the scripts. The server has computed for another.
    """
    seconds: dict[str, list[float]] = {}
    with dashboard() as server:
        page = newcomer(browser)
        open_page(page, f"{server.address}/?sample=six", FRONT)
        for system, said in list(SYSTEMS.items())[: 1 if quick else None]:
            for name, ready in ANSWERED.items():
                page.wait_for_timeout(1e3 * SETTLED)
                url = f"{server.address}/{name}?{said}"
                took, _ = timed(partial(open_page, page, url, ready))
                seconds[f"{name or 'trade_offs'}, {system}"] = [took]
        leave(page)
    return seconds


def let_go(page: Page, percent: int, watched: Watched = IDLE) -> None:
    """Drags the slider to about so many percent; again if the page has moved meanwhile."""
    track = page.get_by_test_id("stSlider").filter(has_text=re.compile(f"^{watched.slider}"))
    value = track.get_by_test_id("stSliderThumbValue")
    before = value.text_content() or ""
    while value.text_content() == before:
        edges, handle = track.evaluate(RECTANGLE), value.evaluate(RECTANGLE)
        height = handle["bottom"] + BELOW
        page.mouse.move((handle["left"] + handle["right"]) / 2, height)
        page.mouse.down()
        page.mouse.move(edges["left"] + edges["width"] * percent / 100, height)
        page.mouse.up()
        with suppress(AssertionError):
            expect(value).not_to_have_text(before, timeout=PATIENCE / 10)


def repainted(page: Page) -> dict[str, float]:
    """The times (s) from the release of the slider until the message was sent, the answer received,
    and the page drawn.
    """
    page.wait_for_function("seen.released && seen.painted")
    seen = page.evaluate("seen")
    return {name: (seen[name] - seen["released"]) / 1e3 for name in ("told", "answered", "painted")}


def measure_slider(
    watched: Watched, name: str, browser: Browser, quick: bool
) -> list[dict[str, float]]:
    """The times of `repainted` for the moves of a person who does not wait for the polish."""
    with dashboard() as server:
        page = newcomer(browser, watched)
        open_page(page, f"{server.address}/{name}?{PLAIN}", PAGES[name])
        moves = []
        for percent in range(10, 35 if quick else 90, 5):
            page.wait_for_timeout(BREATH)
            let_go(page, percent, watched)
            moves.append(repainted(page))
        return moves


def measure_crowd(browser: Browser, quick: bool) -> dict[str, Any]:
    """The times for a person with a browser while others work on computers of their own. Repeated,
    each time with a new server.
    """
    crowds = [one_crowd(browser, quick) for _ in range(1 if quick else CROWDS)]
    lists = ("loads", "moves", "answers")
    return {name: [each for crowd in crowds for each in crowd[name]] for name in lists} | {
        "worst": [max(*crowd["moves"], *crowd["answers"]) for crowd in crowds],
        "others": crowds[0]["others"],
        **{name: max(crowd[name] for crowd in crowds) for name in ("memory", "before")},
    }


def one_crowd(browser: Browser, quick: bool) -> dict[str, Any]:
    number, turns = (2, 4) if quick else (OTHERS, 12)
    percents = [percent for percent in range(BEGIN + 1, 100) if percent % EIGHTH]
    over = Event()
    with dashboard() as server, ExitStack() as leaving, ThreadPoolExecutor(number) as threads:
        page = newcomer(browser)
        open_page(page, server.address, FRONT)
        page.wait_for_timeout(1e3 * SETTLED)
        before = server.memory
        others = [leaving.enter_context(Visitor(server.address, PLAIN)) for _ in range(number)]
        loading = [threads.submit(other.load) for other in others]
        page.goto(f"{server.address}/?{PLAIN}", wait_until="commit")
        page.wait_for_function("seen.there")
        loads = [page.evaluate("seen.there") / 1e3, *(load.result() for load in loading)]
        working = [
            threads.submit(other.keep_moving, percents[place::number], over, PAUSES)
            for place, other in enumerate(others)
        ]
        moves = []
        try:
            for turn in range(1, turns + 1):
                page.wait_for_timeout(BREATH)
                let_go(page, EIGHTH * turn)
                moves.append(repainted(page)["painted"])
        finally:
            over.set()
        answers = [seconds for work in working for seconds in work.result()]
        memory = (server.memory - before) / number
        leave(page)
        return {
            "loads": loads,
            "moves": moves,
            "answers": answers,
            "memory": memory,
            "before": before,
            "others": number,
        }


def measure_large(browser: Browser, quick: bool) -> dict[str, list[float]]:
    """The time to open fronts and schedules of thousands of machines (s), and the shapes drawn.

    Fronts are opened by a new visitor, whose browser must load all scripts, and by the same person
    again with another system of the same size.
    """
    found: dict[str, list[float]] = {name: [] for name in ("front", "schedule", "again", "shapes")}
    size = "tasks=100000&machines=360" if quick else "tasks=10000000&machines=3600"
    with dashboard() as server:
        open_page(warm := newcomer(browser), server.address, FRONT)
        leave(warm)
        url = f"{server.address}/?{LARGE_SYSTEM}&{size}&seed="
        for seed in range(1 if quick else 5):
            page = newcomer(browser)
            found["front"].append(timed(partial(open_page, page, f"{url}{seed}", FRONT))[0])
            page.get_by_text("not polished").wait_for()
            shapes = page.evaluate(SHAPES_THERE)
            page.get_by_test_id("stTopNavSection").filter(has_text="Plan").click()
            page.get_by_role("menuitem", name="Schedule", exact=True).click()
            charts = page.locator(".st-key-schedule_utilisation .main-svg").first
            found["schedule"].append(timed(partial(charts.wait_for, state="attached"))[0])
            found["shapes"].append(max(shapes, page.evaluate(SHAPES_THERE)))
            found["again"].append(timed(partial(open_page, page, f"{url}{seed + 100}", FRONT))[0])
            leave(page)
    return found


def measure_drop(browser: Browser, quick: bool) -> dict[str, list[float]]:
    """The time (s) from the drop of a log to a front with *You are here*, by a person who looks at
    no step of the import, on a new server; the log is drawn and packed before.
    """
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for rows in [2_000] if quick else LOG_SECONDS:
            text, log = Path(folder, "jobs.txt"), Path(folder, "jobs.txt.gz")
            write_log(text, rows)
            with text.open("rb") as stream, gzip.open(log, "wb", compresslevel=1) as packed:
                shutil.copyfileobj(stream, packed)
            for _ in range(1 if quick else 3):
                with dashboard() as server:
                    page = newcomer(browser)
                    open_page(page, f"{server.address}/?sample=six", FRONT)
                    page.wait_for_timeout(1e3 * SETTLED)
                    page.get_by_role("button", name="Open files").click()
                    chosen = page.get_by_role("dialog").locator("input[type=file]")
                    chosen.wait_for(state="attached")
                    took, _ = timed(partial(_dropped, page, log))
                    found.setdefault(f"{rows:,} rows", []).append(took)
                    leave(page)
    return found


def _dropped(page: Page, log: Path) -> None:
    """From a file that was chosen, through all steps of the import, to the front."""
    dialog = page.get_by_role("dialog")
    dialog.locator("input[type=file]").set_input_files(log)
    dialog.get_by_role("button", name="Derive a system from it").click()
    main = page.get_by_test_id("stMain")
    for step in ("More choices", "Nodes", "Nothing has changed so far"):
        page.get_by_role("button", name="Next").press("Enter")
        main.get_by_text(step).first.wait_for(state="attached")
    page.get_by_role("button", name="Use this system and go on").click()
    main.get_by_text("You are here: ").first.wait_for(state="attached")
    page.locator(FRONT).first.wait_for(state="attached")


def measure_peak(browser: Browser, quick: bool) -> dict[str, list[float]]:
    """The time (s) until Trade-offs answers a cap on the power at every moment, for the university
    sample: each cap for the first time.
    """
    system = load_sample("university")
    low = system.total_idle_power
    apc = np.array(system.apc, float)
    most = float(np.nanmax(apc, axis=0) @ system.machine_counts)
    found: dict[str, list[float]] = {"a cap on the peak": []}
    with dashboard() as server:
        page = newcomer(browser)
        open_page(page, f"{server.address}/?sample=university", FRONT)
        for share in PEAK_SHARES[: 1 if quick else None]:
            page.wait_for_timeout(1e3 * SETTLED)
            watts = low + share * (most - low)
            url = f"{server.address}/?sample=university&peak={watts:g}"
            took, _ = timed(partial(open_page, page, url, ".st-key-chosen"))
            found["a cap on the peak"].append(took)
        leave(page)
    return found


def tell(measured: Mapping[str, Any]) -> Section:
    if None in measured.values():
        return Section(
            [Target("browsers to measure with", 0, 1, whole, at_least=True)],
            f"No Chromium was found, so nothing was measured; looked for {', '.join(CHROMIUM)}.",
        )
    start, slides, crowd = measured[START], measured[SLIDER], measured[CROWD]
    large, others, answers = measured[LARGE], crowd["others"], measured.get(ANSWERS, {})
    dropped, capped = measured.get(DROP, {}), measured.get(PEAK, {})
    painted = [move["painted"] for move in slides]
    earned = [move["painted"] for move in measured[PROFIT]]
    targets = [
        *(
            Target("first answer of a page, worst", max(took), ANSWER_SECONDS, duration)
            for took in [[one for each in answers.values() for one in each]]
            if took
        ),
        Target("command to first front", max(start[FIRST]), FIRST_SECONDS, duration),
        *(
            Target(f"drop of {rows:,} rows to a front", max(took), limit, duration)
            for rows, limit in LOG_SECONDS.items()
            if (took := dropped.get(f"{rows:,} rows"))
        ),
        Target("slider to repaint, median", statistics.median(painted), MEDIAN_SECONDS, duration),
        Target("slider to repaint, worst", max(painted), REPAINT_SECONDS, duration),
        Target(
            "profit ratio to repaint, median", statistics.median(earned), REPAINT_SECONDS, duration
        ),
        Target("profit ratio to repaint, worst", max(earned), REPAINT_SECONDS, duration),
        Target(
            f"slider to repaint, worst with {others} others at work",
            max(crowd["moves"]),
            CROWDED_SECONDS,
            duration,
        ),
        Target(
            f"answer to the {others} others, worst",
            max(crowd["answers"]),
            CROWDED_SECONDS,
            duration,
        ),
        Target(
            "front of 10 million tasks, somebody new", max(large["front"]), LARGE_SECONDS, duration
        ),
        Target("front of 10 million tasks, again", max(large["again"]), LARGE_SECONDS, duration),
        Target("schedule of 10 million tasks", max(large["schedule"]), LARGE_SECONDS, duration),
        Target("shapes in the browser", max(large["shapes"]), SHAPES, whole),
    ]
    waits = {
        "`wattfront dashboard` to the first front": start[FIRST],
        "- Streamlit with one chart, to that": start[PLAIN_FIRST],
        "front for somebody new who comes next": start[NEXT],
        "- Streamlit with one chart, that": start[PLAIN_NEXT],
        **{
            f"load of {name or 'trade_offs'}, warm": seconds
            for name, seconds in measured[WARM].items()
        },
        **{f"first answer of {name}": took for name, took in answers.items()},
        **{
            f"drop of {name} to a front with *You are here*": took for name, took in dropped.items()
        },
        **{f"{name}, university": took for name, took in capped.items()},
        "slider to repaint": painted,
        "- until the server is told": [move["told"] for move in slides],
        "- until its answer is there": [move["answered"] - move["told"] for move in slides],
        "- until it is drawn": [move["painted"] - move["answered"] for move in slides],
        "profit ratio to repaint": earned,
        f"load, {others + 1} sessions at once": crowd["loads"],
        f"slider to repaint in a browser, {others} others at work": crowd["moves"],
        f"answers to the {others} others": crowd["answers"],
        "10 million tasks: front, somebody new": large["front"],
        "10 million tasks: front, again": large["again"],
        "10 million tasks: schedule": large["schedule"],
    }
    return Section(
        targets,
        "\n\n".join(
            [
                "In Chromium on the same machine, which takes its share of the cores. Sample "
                "nine (30 task types, 9 machine types), schedules polished in the background as "
                "usual. Repainted: another proven bound is drawn, or on the Profit page what was "
                "found at another ratio.",
                table(["", "Times", "Median", "Worst"], list(map(_row, waits.items()))),
                "Beside Streamlit itself, whose page has a chart of one line and nothing else, the "
                f"first front takes {_times(start, FIRST, PLAIN_FIRST)} as long, and that of "
                f"somebody new who comes next {_times(start, NEXT, PLAIN_NEXT)}.",
                f"{others + 1} sessions: one in a browser, and {others} clients that speak its "
                "protocol but draw nothing, as if on computers of their own. Each of these moves "
                "its slider about every two seconds; an answer is a run that drew another "
                f"proven bound, to its end. {len(crowd['worst'])} times, each with a new server; "
                f"the worst of each: {', '.join(map(duration, crowd['worst']))}.",
                f"The server holds {megabytes(crowd['before'])} with one session, and "
                f"{megabytes(crowd['memory'])} more for each of {others} others. "
                f"3,600 machines and 10 million tasks are at most {whole(max(large['shapes']))} "
                "shapes.",
            ]
        ),
    )


def _times(start: Mapping[str, list[float]], ours: str, plain: str) -> str:
    return f"{statistics.median(start[ours]) / statistics.median(start[plain]):.2f} times"


def _row(wait: tuple[str, Sequence[float]]) -> list[str]:
    what, seconds = wait
    return [what, whole(len(seconds)), duration(statistics.median(seconds)), duration(max(seconds))]


CASE: Final = Case(
    "The dashboard in a browser",
    {
        START: Part(in_chromium(measure_start)),
        WARM: Part(in_chromium(measure_pages)),
        ANSWERS: Part(in_chromium(measure_answers)),
        DROP: Part(in_chromium(measure_drop), ours=False),
        PEAK: Part(in_chromium(measure_peak)),
        SLIDER: Part(in_chromium(partial(measure_slider, IDLE, ""))),
        PROFIT: Part(in_chromium(partial(measure_slider, RATIO, "profit"))),
        CROWD: Part(in_chromium(measure_crowd)),
        LARGE: Part(in_chromium(measure_large)),
    },
    tell,
)
