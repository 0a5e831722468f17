"""Each line of the section on profit, each figure held against what it rounds.

Of the 2 x 2 instance with 20 and 10 idle watts: recovered, the fastest schedule takes 12 s and
1,400 J; in parts of tasks a batch takes 10.8 s and 1,404 J. Idle machines draw 30 W.
"""

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from core.capabilities.profit import report
from core.capabilities.profit.report import section
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.study_block import as_block
from core.engines.front.study import Study, study
from core.engines.recover import assign
from core.shells.studies import Choice, StudySettings
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System

PUBLISHED = ProfitSettings(ratio=1.2, electricity="joule")
ALL = ProfitSettings(
    by="bag",
    price=0.005,
    energy_price=0.7,
    carbon=0.5,
    carbon_price=0.1,
    pue=1.25,
    overhead=0.001,
    wear=(("A", 0.5),),
    depreciation=(("B", 0.25),),
    cap_kw=0.2,
    day_tariff=((20.0, 0.2), (7.0, 0.4)),
)


@pytest.fixture(scope="module")
def two(two_by_two: Callable[..., System]) -> Study:
    return study(two_by_two(20, 10), effort=Effort(0))


def told(study: Study, profit: ProfitSettings, choice: Choice | None = None) -> str:
    settings = StudySettings("it", blocks=as_block(profit))
    return re.sub("<svg.*</svg>", "", section(study, settings, choice))


def plain(html: str) -> str:
    return re.sub("<[^>]*>", "", html)


def rows(html: str) -> dict[str, str]:
    """What stands in the second column of tables, by the first."""
    found = re.findall('<th scope="row">(.*?)</th><td>(.*?)</td>', html)
    return {plain(label): plain(value) for label, value in found}


def paragraphs(html: str) -> list[str]:
    return [plain(each) for each in re.findall("<(?:p|li|figcaption)(?: .*?)?>(.*?)</", html)]


def test_every_row_of_all_that_can_be_asked(two: Study) -> None:
    html = told(two, ALL)
    assert rows(html) == {
        # 0.7 + 0.5 x 0.1 a kWh, x 1.25; A wears 0.5 an hour off in its 10.8 s, and in 10 of 12 s.
        "At most, by any schedule (proven)": "0.4615 EUR/h",
        "Found": "0.4239 EUR/h",
        "Gap, at most": "0.03751 EUR/h",
        "Running nothing, machines on": "−0.2781 EUR/h",
        "All machines switched off": "−0.25 EUR/h",
        "Price of a batch": "0.005 EUR a batch (ratio 17.39)",
        "It breaks even at": "0.003443 EUR a batch (ratio 11.97)",
        "The thriftiest schedule is best from": "0.003396 EUR a batch (ratio 11.81)",
        "The fastest schedule is best from": "0.003875 EUR a batch (ratio 13.48)",
        "Time from batch to batch": "12 s",
        "Energy of a batch": "1.4 kJ",
        "Average power of the site": "145.9 W",
        "Peak power of the site": "162.5 W",
        "Cheapest start of one batch": "at 00:00: electricity for 0.0001216 EUR, the batch earns "
        "0.001656 EUR",
        "Dearest start": "at 07:00: electricity for 0.0002188 EUR, the batch earns 0.001559 EUR",
        "A batch is paid": "0.005 EUR",
        "Electricity": "0.7 EUR a kWh",
        "Carbon": "0.5 kg CO₂ a kWh, 0.1 EUR a kg, which makes 0.75 EUR a kWh in all",
        "Over the day": "0.4 from 07:00, 0.2 from 20:00 (EUR a kWh)",
        "PUE": "1.25",
        "Overhead": "0.001 EUR a batch",
        "Power cap": "0.2 kW for the site, on average",
        "Wear": "A 0.5 EUR a busy hour, of one machine",
        "Depreciation": "B 0.25 EUR an hour, of one machine",
        "1 EUR more a batch": "333.3",
        "1 EUR more overhead a batch": "−333.3",
        "0.01 EUR more a kWh": "−0.001625",
        "0.1 more PUE": "−0.00975",
        "1 kW more power cap": "0",
        "One more B, of now 1": "0.2552",
        "One more A, of now 1": "0.2062",
    }
    assert paragraphs(html) == [
        "At 0.005 EUR a batch (17.39 times the cost of the least energy) the best you can earn is "
        "0.4615 EUR/h; the schedule found earns 0.4239 EUR/h (8.2 % less). Its power never exceeds "
        "the cap of 200 W.",
        "No schedule, not even one that splits tasks, earns more than the line. Where it breaks "
        "even and where the thriftiest and the fastest schedule become the best is exact, but "
        "without the power cap.",
        "For small changes, of what can be earned at most.",
    ]
    assert re.findall('<th scope="col">(.*?)</th>', html) == [
        *("Figure", "Value", "Setting", "Value", "One more", "Changes the most, EUR/h")
    ]
    assert re.findall("<h[23]>(.*?)</h", html) == [
        *("Profit", "Prices and costs", "What small changes are worth")
    ]


def test_every_row_where_nothing_is_run(two: Study) -> None:
    asked = replace(PUBLISHED, ratio=0.3, wear=(("A", 0.5),), depreciation=(("B", 0.25),))
    html = told(two, asked)
    assert rows(html) == {
        "At most, by any schedule (proven)": "−30.24 ¤/s",
        "Found": "−30.25 ¤/s",
        "Gap, at most": "0 ¤/s",
        "Running nothing, machines on": "−30.25 ¤/s",
        "All machines switched off": "−0.25 ¤/s",
        "Price of a batch": "414 ¤ a batch (ratio 0.3)",
        "It breaks even at": "1,388 ¤ a batch (ratio 1.005)",
        "The thriftiest schedule is best from": "1,208 ¤ a batch (ratio 0.875)",
        "The fastest schedule is best from": "1,449 ¤ a batch (ratio 1.05)",
        "A batch is paid": "0.3 times the cost of the least energy",
        "Electricity": "1 a joule, as published",
        "PUE": "1",
        "Power cap": "none",
        "Wear": "A 0.5 ¤ a busy second, of one machine",
        "Depreciation": "B 0.25 ¤ a second, of one machine",
        "1 ¤ more a batch": "0",
        "1 ¤ more overhead a batch": "0",
        "1 % more a joule": "−0.3",
        "0.1 more PUE": "−3",
        "1 kW more power cap": "0",
        "One more B, of now 1": "−10.25",
        "One more A, of now 1": "−20",
    }
    _, remark, caption, _ = paragraphs(html)
    assert remark.startswith("Running nothing loses 30.25 ¤/s")
    assert caption.endswith("become the best is exact.")


def test_figures_are_rounded_by_what_they_are(two_by_two: Callable[..., System]) -> None:
    """All on B, of which a batch takes 600 J above idle power; the cap leaves 7 W of it."""
    profit = replace(PUBLISHED, cap_kw=0.037)
    figures = rows(told(study(two_by_two(20, 10), effort=Effort(0)), profit))
    assert figures["Time from batch to batch"] == "85.72 s"  # 600 / 7 = 85.7143
    assert figures["Energy of a batch"] == "3.172 kJ"  # 3,171.43
    assert figures["Average power of the site"] == "37 W"
    assert figures["Found"] == "−17.68 ¤/s"  # -17.68 = (1,656 - 600) x 7 / 600 - 30
    assert figures["At most, by any schedule (proven)"] == "−17.67 ¤/s"
    assert figures["1 kW more power cap"] == "1,760"


def test_nothing_is_said_where_nothing_was_asked(two: Study) -> None:
    assert section(two, StudySettings("it"), None) == ""


def test_a_cap_that_is_too_low_is_said_with_what_was_asked(two: Study) -> None:
    html = told(two, replace(PUBLISHED, cap_kw=0.02))
    assert paragraphs(html) == [
        "on average the machines draw at least 30 W, above the cap of 20 W at the machines; raise "
        "the cap or switch machines off."
    ]
    assert rows(html) == {
        "A batch is paid": "1.2 times the cost of the least energy",
        "Electricity": "1 a joule, as published",
        "PUE": "1",
        "Power cap": "0.02 kW for the site, on average",
    }


def test_carbon_counts_where_it_has_a_price(two: Study) -> None:
    for profit in (ProfitSettings(carbon=0.5), ProfitSettings(carbon_price=0.5)):
        html = told(two, profit)
        assert "Carbon" not in rows(html)
        assert "Overhead" not in rows(html)


def test_a_schedule_that_fails_the_check_is_not_to_be_used(
    two: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    earn = report.earn
    monkeypatch.setattr(
        report, "earn", lambda *args, **how: replace(earn(*args, **how), verified=False)
    )
    _, warning, *_ = paragraphs(told(two, PUBLISHED))
    assert warning == "NOT verified: an independent check disagrees; do not use this schedule."


def test_the_schedules_of_the_study_and_the_chosen_one_are_candidates(two: Study) -> None:
    """Recovered for a price of 2,070, a batch takes 1,400 J in 12 s; another takes 1,430 in 11."""
    better = assign(two.system, np.array([[5, 1], [3, 3]]))
    assert (better.makespan, better.energy) == (11, 1430)
    alone, asked = replace(two, schedules=()), replace(PUBLISHED, ratio=1.5)
    assert rows(told(alone, asked))["Found"] == "55.83 ¤/s"
    for html in (
        told(alone, asked, Choice(better, "it")),
        told(replace(two, schedules=(better,)), asked),
    ):
        assert rows(html)["Found"] == "58.18 ¤/s"


@pytest.mark.parametrize(
    ("types", "more", "left_out"),
    [(20, "", ""), (21, " and 1 more:", " Left out: 1 more machine type.")],
)
def test_twenty_machine_types_are_listed(types: int, more: str, left_out: str) -> None:
    names = [f"<M{k}>" for k in range(types)]
    system = System(
        (TaskType("1", 100),),
        tuple(MachineType(name, 1_000, 1.0) for name in names),
        np.ones((1, types)),
        np.full((1, types), 2.0),
    )
    asked = replace(PUBLISHED, wear=tuple((name, 1.0) for name in names))
    html = told(study(system, effort=Effort(0)), asked)
    assert html.count("<bdi>&lt;M") == 2 * 20
    listed = ", ".join(f"&lt;M{k}&gt; 1" for k in range(20))
    assert rows(html)["Wear"] == f"{listed}{more} ¤ a busy second, of one machine"
    assert paragraphs(html)[-1] == f"For small changes, of what can be earned at most.{left_out}"
    assert any(label.endswith(", of now 1,000") for label in rows(html))
