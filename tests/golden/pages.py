"""What is recorded of the dashboard: how addresses are read and written again, and what is taken
away from pages. Nothing of it needs a browser.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final
from urllib.parse import parse_qsl, urlencode

from golden.transcript import Transcript

from core.capabilities.profit.earn import earn
from core.capabilities.profit.sweep import curve, price_range
from core.capabilities.profit.told import told
from core.engines.front.axis import QUANTITIES
from core.engines.relaxed import trace_front
from core.files import inspect_system_bytes
from core.files.samples.named import load_sample
from core.shells.studies import inspect_study_bytes
from core.vocabulary.budget import Effort
from core.vocabulary.system import System
from dashboard.parts.frame.frame import facts
from dashboard.parts.machines import scope as schedule_address
from dashboard.parts.taking.take_away import report_bytes, study_bytes
from dashboard.screens.profit import state as profit_state
from dashboard.screens.profit.take_away import curve_csv, worth_csv
from dashboard.screens.what_if.compare.file import inspect_what_ifs_bytes, what_ifs_bytes
from dashboard.screens.what_if.compare.outcome import axes, conclusion, outcome, table
from dashboard.screens.what_if.compare.state import what_if_shelf
from dashboard.screens.what_if.compare.take_away import comparison_csv, fronts_csv
from dashboard.workspace import address, trade_off_settings
from dashboard.workspace.chosen import Chosen, schedule_shelf, system_shelf
from dashboard.workspace.export import (
    FORMATS,
    SYSTEM_FORMATS,
    file_name,
    schedule_bytes,
    system_bytes,
    template,
)
from dashboard.workspace.page_state import all_parameters
from dashboard.workspace.workspace import begin

OF_SYSTEMS: Final = (
    "",
    *("sample=nine", "sample=testbed&idle=0.25&chosen=abc", "kept=0123456789abcdef&what_ifs=f00"),
    *("sample=nine&kept=abc&task_types=3", "sample=nin", "idle=1.5", "idle=nan", "colour=<b>"),
    *("task_types=7&seed=12", "task_types=7&seed=9007199254740992&etc=guess&tasks=1.5"),
    *("machines=3&machine_types=5", "etc=uniform&etc_low=5&etc_high=2"),
    *("price=0.25&currency=CHF&pue=1.3", "carbon=0.05", "price=-1&carbon=nan&pue=999&currency=BTC"),
    "profit_energy_price=0.2&profit_currency=USD&profit_carbon=0.4&profit_carbon_price=0.1"
    "&profit_pue=1.5",
    "etc=range-based&etc_task_range=50&consistency=consistent&spread=equal&apc=machine-levels"
    "&apc_low=90&idle_fraction=0.2&tasks=1000000000000",
)
OF_TRADE_OFFS: Final = (
    *("", "axis=money", "axis=carbon"),
    *("spacing=0.05&polish=3&show=vertices idle&rivals=min-min nsga2", "show=all vertices"),
    *("deadline=3600", "budget=1e7&deadline=5", "cap=900", "money=3.5", "rate=250.5"),
    *("axis=euro&spacing=7&polish=x&deadline=0", "rivals=magic"),
)
OF_PROFIT: Final = (
    *("", "profit_ratio=2", "profit_price=1", "profit_price=1&profit_ratio=2", "profit_ratio=5"),
    "profit_overhead=0.3&profit_cap_kw=2.5&profit_electricity=kWh",
    *("profit_electricity=joule&profit_wear=1:0.5 3:2", "profit_wear=9:1&profit_depreciation=2:1"),
    *("profit_deadline=3600&profit_rewards=1:0.05 4:2&profit_show=part", "profit_deadline=0"),
    *("profit_day_tariff=0:0.2 7.5:0.35&profit_show=start lines", "profit_day_tariff=24:1"),
    *("profit_over=energy-price", "profit_over=time&profit_show=all", "profit_wear=1:1 1:2"),
)
OF_SCHEDULES: Final = (
    *("", "machines_at=5.2", "machines_at=5", "machines_rows=types", "machines_rows=machines"),
    *("machines_tasks=3 1 30&machines_order=finish&machines_page=4", "machines_at=10"),
    *("machines_at=5.9", "machines_at=1e1", "machines_tasks=31", "machines_page=0"),
    *("machines_rows=<b>&machines_order=up", "machines_at=2.1&machines_rows=types"),
)
WHAT_IFS: Final[tuple[dict[str, object], ...]] = (
    {},
    {"name": "½ <b>off</b>", "idle_power": 0.3, "machines": [0, 1, 1, 1]},
    {"tasks": [7, 9, 0, 36], "tariff": {"price_per_kwh": 0.6, "carbon_per_kwh": 0.1, "pue": 1.5}},
    {"machines": [0, 0, 0, 5], "origin": "mine.csv (edited)"},
    {"machines": [2, 2, 2, 2], "number": 9},
)


def addresses(it: Transcript) -> None:
    """Each as it is read and written again, and what is said of what was ignored."""
    nine = load_sample("nine")
    for query in OF_SYSTEMS:
        settings, notes = address.read(_parsed(query))
        _say(it, "any page", query, address.written(settings), notes)
    for query in OF_TRADE_OFFS:
        chosen, notes = trade_off_settings.read(_parsed(query))
        _say(it, "trade-offs", query, trade_off_settings.written(chosen), notes)
    testbed = load_sample("testbed")
    for query in OF_PROFIT:
        view, notes = profit_state.read(_parsed(query), testbed)
        _say(it, "profit", query, profit_state.written(view, testbed), notes)
    for query in OF_SCHEDULES:
        scope, notes = schedule_address.read_scope(_parsed(query), nine)
        _say(it, "machines", query, schedule_address.written_scope(scope, nine), notes)
    known = (*sorted(address.SYSTEM), *sorted(all_parameters()))
    it.say("parameters of addresses", "\n".join(known))


def _parsed(query: str) -> dict[str, str]:
    return dict(parse_qsl(query, keep_blank_values=True))


def _say(
    it: Transcript, page: str, query: str, written: Mapping[str, str], notes: Iterable[str]
) -> None:
    again = urlencode(written, safe=":")
    it.say(f"{page}: {query}", "\n".join([f"> {again}", *(f"! {note}" for note in notes)]))


def files(it: Transcript) -> None:
    """What is taken away from the pages System and Schedule, and keys that addresses hold."""
    version = begin("testbed").version
    it.say("the key of a system", system_shelf().put(version))
    for name, system in (("testbed", version.system), ("template", template())):
        it.say(f"facts of {name}", "\n".join(facts(system)))
        for form in SYSTEM_FORMATS:
            content = system_bytes(system, form.suffix)
            it.tell(file_name(name, form.suffix, "system"), content)
    study = ("--spacing", 0.3, "--work", 0.05, "--threads", 1, "--study", "study.json")
    it.run("front", "two-by-two", *study)
    saved = inspect_study_bytes("study.json", it.read("study.json")).require()
    chosen = Chosen.of(saved.schedules[0], "Thriftiest")
    it.say("the key of a schedule", schedule_shelf().put(chosen))
    for form in FORMATS:
        name = file_name("<b>計算</b> two", form.suffix)
        it.tell(name, schedule_bytes(chosen.schedule, form.suffix))
    found = saved.study()
    it.tell("report.html", report_bytes(found, chosen, saved.settings))
    it.tell("study.json", study_bytes(found, chosen, saved.settings))


def earnings(it: Transcript) -> None:
    """What the page Profit says and gives away."""
    system = load_sample("testbed").with_idle_fraction(0.1)
    front = trace_front(system)
    for query in (
        "profit_ratio=1.5&price=0.3",
        "profit_price=9&price=0.2&profit_cap_kw=1.5&profit_wear=1:0.05&pue=1.2",
        "profit_ratio=0.5&currency=CHF&profit_depreciation=2:0.1",
    ):
        site = address.read(_parsed(query))[0].site
        now = replace(profit_state.read(_parsed(query), system)[0].profit, site=site)
        terms, unit = now.terms(front), now.unit_price(front)
        profit = earn(system, terms, effort=Effort(0))
        found = curve(system, terms, front, price_range(unit, terms.price))
        said = [
            f"{one.label}: {one.value} ({one.meaning})"
            for one in told(profit, found.steps, now, front).figures
        ]
        it.say(f"figures of {query}", "\n".join(said))
        it.tell("worth.csv", worth_csv(profit, now))
        it.tell("curve.csv", curve_csv(found, unit, now))


def comparisons(it: Transcript) -> None:
    """What the page What if says and gives away."""
    testbed = load_sample("testbed")
    opened = inspect_what_ifs_bytes("what-ifs.json", _what_ifs(testbed))
    it.say("what was ignored", "\n".join(map(str, opened.problems)))
    it.tell("what-ifs.json", what_ifs_bytes(opened.require()))
    it.say("the key of what is compared", what_if_shelf().put(opened.require()))
    outcomes = [outcome(one, trace_front) for one in opened.require()]
    for quantity in QUANTITIES:
        along = axes(outcomes, quantity, "EUR")
        told_of = [
            f"{one.title}: {conclusion(one, axis, outcomes[0], along[0])}"
            for one, axis in zip(outcomes, along, strict=True)
        ]
        it.say(f"conclusions, {quantity}", "\n".join(told_of))
        it.say("table", table(outcomes, along).to_csv(index=False, lineterminator="\n"))
        it.tell("comparison.csv", comparison_csv(outcomes, along))
    it.tell("fronts.csv", fronts_csv(outcomes))
    for wrong in (b"{", b"[1]", _what_ifs(testbed).replace(b'"system": 1', b'"system": 3')):
        refused = inspect_what_ifs_bytes("mine.json", wrong)
        it.say("refused", "\n".join(map(str, refused.problems)))
    refused_elsewhere = inspect_system_bytes("mine.json", _what_ifs(testbed))
    it.say("opened as a system", "\n".join(map(str, refused_elsewhere.problems)))


def _what_ifs(system: System) -> bytes:
    usual = {
        "name": "",
        "origin": "testbed",
        "system": 1,
        "machines": [1, 1, 1, 1],
        "tasks": [36, 9, 9, 36],
        "idle_power": None,
        "tariff": {"price_per_kwh": 0.3, "carbon_per_kwh": 0.35, "pue": 1.0},
    }
    document = {
        "format": "wattfront-what-ifs",
        "version": 1,
        "what_ifs": [{"number": k, **usual, **one} for k, one in enumerate(WHAT_IFS, 1)],
        "systems": [json.loads(system_bytes(system, ".json"))],
    }
    return json.dumps(document).encode()
