"""Each line of the section on profit, each figure held against what it rounds.

Of the 2 x 2 instance with 20 and 10 idle watts: recovered, the fastest schedule takes 12 s and
1,400 J; in parts of tasks a batch takes 10.8 s and 1,404 J. Idle machines draw 30 W.
"""

import re
from dataclasses import replace

import numpy as np
import pytest
from bags import EVERYTHING, published
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from markup import EVIL, checked
from strategies import names, schedules, systems
from studied import study_of

from core.capabilities.profit import CAPABILITY, report
from core.capabilities.profit.report import section
from core.capabilities.profit.settings import ProfitSettings
from core.engines.front.study import study
from core.engines.recover import assign
from core.shells.report import report_html
from core.shells.studies import Choice, StudySettings
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.prices.site import Site
from core.vocabulary.system import System

PUBLISHED = published(1.2)


@pytest.fixture(scope="module")
def two(two_by_two):
    return study(two_by_two(20, 10), effort=Effort(0))


def told(study, profit, choice=None):
    settings = StudySettings("it", blocks=CAPABILITY.block(profit))
    return re.sub("<svg.*</svg>", "", section(study, settings, choice))


def plain(html):
    return re.sub("<[^>]*>", "", html)


def rows(html):
    """What stands in the second column of tables, by the first."""
    found = re.findall('<th scope="row">(.*?)</th><td>(.*?)</td>', html)
    return {plain(label): plain(value) for label, value in found}


def paragraphs(html):
    return [plain(each) for each in re.findall("<(?:p|li|figcaption)(?: .*?)?>(.*?)</", html)]


def figures(html):
    return dict(re.findall("<dt>(.*?)</dt><dd>(.*?)</dd>", html))


def test_all_that_can_be_asked(two):
    """The figures and tables themselves are those of `test_told.py`."""
    html = told(two, EVERYTHING)
    assert (
        rows(html).items()
        >= {
            "now": "0.005 EUR",
            "1 EUR more a batch": "333.3",
            "A batch is paid": "0.005 EUR",
            "Electricity": "0.7 EUR/kWh",
            "Carbon": "0.5 kg/kWh at 0.1 EUR/kg",
            "Over the day": "0.4 from 07:00, 0.2 from 20:00 (EUR a kWh)",
            "PUE": "1.25",
            "Overhead": "0.001 EUR per batch",
            "Power cap": "200 W on average",
            "Wear": "A 0.5 EUR a busy hour, of one machine",
            "Depreciation": "B 0.25 EUR an hour, of one machine",
        }.items()
    )
    assert figures(html)["Found"] == "0.4239 EUR/h"
    assert paragraphs(html) == [
        "At 0.005 EUR a batch (17.39 times the cost of the least energy at PUE 1) you can earn "
        "0.42 EUR/h, at most 10 % below the best possible. Its power never exceeds the cap of "
        "200 W.",
        "Start at 00:00: electricity then costs 0.0001216 EUR, and the batch earns 0.001656 EUR. "
        "A start at 07:00 would cost 0.00009722 EUR more.",
        "No schedule, not even one that splits tasks, earns more than the line. Where it breaks "
        "even and where the thriftiest and the fastest schedule become the best is exact; "
        "the last two are without the power cap.",
        "The last two are without the power cap.",
    ]
    assert re.findall("<h[23]>(.*?)</h", html) == [
        *("Profit", "Prices and costs", "Prices that change what is best"),
        "What small changes are worth",
    ]


def test_what_is_published_costs_by_the_second(two):
    asked = replace(PUBLISHED, ratio=0.3, wear=(("A", 0.5),), depreciation=(("B", 0.25),))
    html = told(two, asked)
    assert (
        rows(html).items()
        >= {
            "A batch is paid": "0.3 times the cost of the least energy",
            "Electricity": "1 ¤/J, as published",
            "Wear": "A 0.5 ¤ a busy second, of one machine",
            "Depreciation": "B 0.25 ¤ a second, of one machine",
        }.items()
    )
    assert not {"PUE", "Power cap"} & rows(html).keys()
    _, remark, caption = paragraphs(html)
    assert remark.startswith("Running nothing loses 30.25 ¤/s")
    assert caption.endswith("become the best is exact.")


def test_nothing_is_said_where_nothing_was_asked(two):
    assert section(two, StudySettings("it"), None) == ""


def test_a_cap_that_is_too_low_is_said_with_what_was_asked(two):
    html = told(two, replace(PUBLISHED, site=Site(cap_kw=0.02)))
    assert paragraphs(html) == [
        "on average the machines draw at least 30 W, above the cap of 20 W at the machines; raise "
        "the cap or switch machines off."
    ]
    assert rows(html) == {
        "A batch is paid": "1.2 times the cost of the least energy",
        "Electricity": "1 ¤/J, as published",
        "Power cap": "20 W on average",
    }


def test_a_schedule_that_fails_the_check_is_not_to_be_used(two, monkeypatch):
    earn = report.earn
    monkeypatch.setattr(
        report, "earn", lambda *args, **how: replace(earn(*args, **how), verified=False)
    )
    _, warning, *_ = paragraphs(told(two, PUBLISHED))
    assert warning == "NOT verified: an independent check disagrees; do not use this schedule."


def test_the_schedules_of_the_study_and_the_chosen_one_are_candidates(two):
    """Recovered for a price of 2,070, a batch takes 1,400 J in 12 s; another takes 1,430 in 11."""
    better = assign(two.system, np.array([[5, 1], [3, 3]]))
    assert (better.makespan, better.energy) == (11, 1430)
    alone, asked = replace(two, schedules=()), replace(PUBLISHED, ratio=1.5)
    assert figures(told(alone, asked))["Found"] == "55.83 ¤/s"
    for html in (
        told(alone, asked, Choice(better, "it")),
        told(replace(two, schedules=(better,)), asked),
    ):
        assert figures(html)["Found"] == "58.18 ¤/s"


@pytest.mark.parametrize(("types", "more"), [(20, ""), (21, " and 1 more:")])
def test_the_wear_of_twenty_machine_types_is_listed(types, more):
    names = [f"<M{k}>" for k in range(types)]
    system = System(
        (TaskType("1", 100),),
        tuple(MachineType(name, 1_000, 1.0) for name in names),
        np.ones((1, types)),
        np.full((1, types), 2.0),
    )
    asked = replace(PUBLISHED, wear=tuple((name, 1.0) for name in names))
    html = told(study(system, effort=Effort(0)), asked)
    listed = ", ".join(f"&lt;M{k}&gt; 1" for k in range(20))
    assert rows(html)["Wear"] == f"{listed}{more} ¤ a busy second, of one machine"


def profitable(study, settings, choice=None):
    asked = StudySettings("nine", "nine", blocks=CAPABILITY.block(settings))
    return checked(report_html(study, asked, choice, {}))


def test_profit_has_a_section_where_it_was_asked_about(nine):
    page = profitable(nine, ProfitSettings(ratio=1.5))
    assert "wattfront profit nine --ratio 1.5" in page.said
    assert page.tags.count("svg") == 3
    assert "Profit" not in checked(report_html(nine, StudySettings("nine"), None, {})).said


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (ProfitSettings(site=Site(cap_kw=0.0)), "above the cap of 0 W"),
        (ProfitSettings(ratio=0.2), "running nothing is best"),
        (ProfitSettings(by="bag", price=0.0, site=Site(price=0.0)), "A batch is paid0 EUR"),
        (ProfitSettings(electricity="joule", ratio=0.9), "every batch loses money"),
    ],
)
def test_a_profit_that_is_none_has_a_section_too(nine, settings, said):
    system = nine.system.with_idle_fraction(0.2)
    assert said in profitable(study(system, effort=Effort(0)), settings).said


@examples(3)
@given(
    schedule=schedules(systems(with_apc=True, dyadic=True)),
    currency=names() | st.just(EVIL),
    data=st.data(),
)
def test_a_profit_section_of_anything_is_sound(schedule, currency, data):
    machine = schedule.system.machine_types[0].name
    settings = ProfitSettings(
        ratio=data.draw(st.floats(0, 4)),
        site=Site(
            currency=currency,
            cap_kw=data.draw(st.none() | st.floats(0, 1e3)),
            day_tariff=((7.0, 0.4),),
        ),
        wear=((machine, 0.5),),
    )
    profitable(study_of(schedule), settings, Choice(schedule, "it"))
