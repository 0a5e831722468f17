"""Profit has a section where it was asked about, whatever comes of it."""

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from markup import EVIL, Markup, checked
from strategies import names, schedules, systems
from studied import study_of

from core.capabilities.profit.earn import earn
from core.capabilities.profit.prices import price_steps
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.study_block import as_block
from core.capabilities.profit.words import sentence
from core.engines.front.study import Study, study
from core.shells.report import report_html
from core.shells.studies import Choice, StudySettings
from core.vocabulary.budget import Effort
from core.vocabulary.say.words import Sense
from core.vocabulary.schedule import Schedule


def profitable(study: Study, settings: ProfitSettings, choice: Choice | None = None) -> Markup:
    asked = StudySettings("nine", "nine", blocks=as_block(settings))
    return checked(report_html(study, asked, choice, {}))


def test_profit_has_a_section_where_it_was_asked_about(nine: Study) -> None:
    settings = ProfitSettings(
        ratio=1.5,
        cap_kw=4.5,
        wear=(("M1", 0.5),),
        carbon=0.4,
        carbon_price=0.1,
        day_tariff=((7.0, 0.4), (20.0, 0.2)),
    )
    page = profitable(nine, settings)
    profit = earn(nine.system, settings.terms(nine.front), effort=Effort(0), known=nine.schedules)
    steps = price_steps(nine.system, settings.terms(nine.front))
    money = settings.money
    for said in (
        sentence(profit, settings, nine.front),
        f"Gap, at most{money.say_rate(profit.gap, Sense.UPPER_BOUND)}",
        f"It breaks even at{money.say(steps.break_even, Sense.PLAIN)}",
        f"The fastest schedule is best from{money.say(steps.fastest_from, Sense.PLAIN)}",
        "1.5 times the cost of the least energy",
        "4.5 kW for the site",
        "M1 0.5 EUR a busy hour",
        "0.34 EUR a kWh in all",
        "0.4 from 07:00, 0.2 from 20:00",
        "Cheapest start of one batchat 00:00",
        "1 kW more power cap",
        "One more M1, of now 4",
        "wattfront profit nine --ratio 1.5",
    ):
        assert said in page.said, said
    assert page.tags.count("svg") == 3
    assert "Profit" not in checked(report_html(nine, StudySettings("nine"), None, {})).said


def test_the_schedule_chosen_counts_if_it_earns_more(nine: Study) -> None:
    settings = ProfitSettings(ratio=1.5)
    terms = settings.terms(nine.front)
    best = earn(nine.system, terms, effort=Effort(0.3))
    assert best.earnings is not None
    page = profitable(nine, settings, Choice(best.earnings.schedule, "Earns most"))
    found = earn(
        nine.system,
        terms,
        effort=Effort(0),
        known=[*nine.schedules, best.earnings.schedule],
    )
    assert found.value >= best.value
    assert f"Found{settings.money.say_rate(found.value, Sense.EARNED)}" in page.said


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (ProfitSettings(cap_kw=0.0), "above the cap of 0 W"),
        (ProfitSettings(ratio=0.2), "running nothing is best"),
        (ProfitSettings(by="bag", price=0.0, energy_price=0.0), "Price of a batch0 EUR a batch"),
        (ProfitSettings(electricity="joule", ratio=0.9), "every batch loses money"),
    ],
)
def test_a_profit_that_is_none_has_a_section_too(
    nine: Study, settings: ProfitSettings, said: str
) -> None:
    system = nine.system.with_idle_fraction(0.2)
    assert said in profitable(study(system, effort=Effort(0)), settings).said


@examples(8)
@given(
    schedule=schedules(systems(with_apc=True, dyadic=True)),
    currency=names() | st.just(EVIL),
    data=st.data(),
)
def test_a_profit_section_of_anything_is_sound(
    schedule: Schedule, currency: str, data: st.DataObject
) -> None:
    machine = schedule.system.machine_types[0].name
    settings = ProfitSettings(
        ratio=data.draw(st.floats(0, 4)),
        currency=currency,
        cap_kw=data.draw(st.none() | st.floats(0, 1e3)),
        wear=((machine, 0.5),),
        day_tariff=((7.0, 0.4),),
    )
    profitable(study_of(schedule), settings, Choice(schedule, "it"))
