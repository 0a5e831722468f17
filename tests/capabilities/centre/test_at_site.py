"""Price and carbon of the site count where a centre says none, by the hour of its clock."""

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from capabilities.centre.files.centre_files import TOML, read

from core.capabilities.centre.asked import AskedCentre
from core.capabilities.centre.at_site import at_site, unsaid
from core.capabilities.centre.files.centre_file import DayGrid
from core.engines.signals.kinds import CARBON, PRICE
from core.vocabulary.prices.site import ASSUMED, Site

BY_HOUR = Site(
    price=0.25,
    carbon=0.4,
    carbon_price=0.1,
    pue=1.5,
    currency="CHF",
    day_tariff=((6.0, 0.5), (0.0, 0.2)),
    day_carbon=((12.0, 0.3), (0.0, 0.1)),
)


def test_what_the_files_say_holds() -> None:
    said = read(
        centre__toml=TOML + "[all_day]\nprice = 0.1\ncarbon = 5\n",
        signals_carbon__csv=None,
        signals_carbon_forecast__csv=None,
    )
    assert unsaid(said) == ()
    assert at_site(said, BY_HOUR) is said
    assert unsaid(read()) == (PRICE,), "its carbon is a curve"


def test_without_hours_the_site_has_one_price_all_day() -> None:
    day = at_site(read(), ASSUMED)
    assert day.signals.all_day[PRICE] == ASSUMED.price
    assert CARBON not in day.signals.all_day
    assert day.currency == ASSUMED.currency
    dear = at_site(read(), replace(ASSUMED, carbon=0.5, carbon_price=0.2, pue=1.9))
    assert dear.signals.all_day[PRICE] == pytest.approx(ASSUMED.price + 0.5 * 0.2), "no PUE"


def test_hours_are_those_of_the_clock_of_the_centre() -> None:
    file = read(signals_carbon__csv=None, signals_carbon_forecast__csv=None)
    begins = datetime(2026, 8, 1, 4, tzinfo=ZoneInfo("Europe/London")).timestamp()
    file = replace(file, grid=DayGrid(begins, 3600.0, 12, "Europe/London"))
    day = at_site(file, BY_HOUR)
    curves = day.day().curves
    carbon = [100.0] * 8 + [300.0] * 4
    assert curves.carbon.tolist() == carbon
    # From 4 to 16 by the clock: the tariff, and 0.1 CHF for each kg.
    money = [0.2] * 2 + [0.5] * 10
    expected = [price + 0.1 * grams / 1000 for price, grams in zip(money, carbon, strict=True)]
    assert curves.price.tolist() == pytest.approx(expected, abs=1e-12)
    assert day.currency == "CHF"


def test_a_study_answers_at_its_site() -> None:
    asked = AskedCentre(read(), site=BY_HOUR)
    assert asked.here.fingerprint == at_site(read(), BY_HOUR).fingerprint
    assert asked.here.fingerprint != asked.file.fingerprint
    assert AskedCentre(read()).here.fingerprint == read().fingerprint


def test_equal_centres_have_equal_fingerprints_and_others_do_not() -> None:
    file = read()
    carbon = file.signals.came[CARBON]
    dearer = replace(carbon, values=carbon.values + 1)
    others = [
        replace(file, feed_in=0.1),
        replace(file, currency="USD"),
        replace(file, grid=file.grid.with_step(60.0)),
        replace(file, centre=replace(file.centre, limit=28.0)),
        replace(file, jobs=replace(file.jobs, seconds=file.jobs.seconds + 1)),
        replace(file, jobs=replace(file.jobs, names=("a", "b", "c"))),
        replace(file, signals=replace(file.signals, forecast={})),
        replace(file, signals=replace(file.signals, came={CARBON: dearer})),
        replace(file, signals=replace(file.signals, came=file.signals.forecast)),
        replace(file, signals=replace(file.signals, all_day={PRICE: 2.0})),
    ]
    digests = [one.fingerprint for one in (file, *others)]
    assert len({*digests}) == len(digests)
    assert read().fingerprint == file.fingerprint
