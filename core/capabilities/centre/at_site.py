"""Price and carbon of the site of a study, for a centre whose files say neither."""

from dataclasses import replace
from typing import Final
from zoneinfo import ZoneInfo

import numpy as np

from core.capabilities.centre.files.centre_file import CentreFile
from core.engines.signals.kinds import CARBON, PRICE, SignalKind
from core.engines.signals.signal import Signal
from core.vocabulary.prices.day import DayTariff
from core.vocabulary.prices.site import Site
from core.vocabulary.say.words import JOULES_PER_KWH

_GRAMS: Final = 1000.0
_DIGITS: Final = 9


def unsaid(file: CentreFile) -> tuple[SignalKind, ...]:
    """Which of price and carbon the files of a centre do not say."""
    said = {*file.signals.came, *file.signals.forecast, *file.signals.all_day}
    return tuple(kind for kind in (PRICE, CARBON) if kind not in said)


def at_site(file: CentreFile, site: Site | None) -> CentreFile:
    """The centre with the price of the site, that of carbon included, and its currency, where the
    files say no price; and with its carbon where they say none. The power usage effectiveness does
    not count, since the centre has its cooling itself.
    """
    missing = () if site is None else unsaid(file)
    if site is None or not missing:
        return file
    came, all_day = dict(file.signals.came), dict(file.signals.all_day)
    currency = file.currency
    if PRICE in missing:
        currency, plain = site.currency, replace(site, pue=1.0)
        if plain.day is None:
            all_day[PRICE] = round(plain.tariff.per_joule * JOULES_PER_KWH, _DIGITS)
        else:
            came[PRICE] = _signal(file, plain.day, PRICE)
    if CARBON in missing:
        if site.day_carbon:
            steps = ((hour, kg * _GRAMS / JOULES_PER_KWH) for hour, kg in site.day_carbon)
            came[CARBON] = _signal(file, DayTariff.of_day(steps), CARBON)
        else:
            all_day[CARBON] = site.carbon * _GRAMS
    signals = replace(file.signals, came=came, all_day=all_day)
    return replace(file, signals=signals, currency=currency)


def _signal(file: CentreFile, day: DayTariff, kind: SignalKind) -> Signal:
    """What a kWh has by the hour of the clock of the centre."""
    grid = file.grid
    steps = Signal.of_day(day, grid.begins, grid.ends, ZoneInfo(grid.zone))
    # Without the digits that only the way over joules has.
    return replace(steps, kind=kind, values=np.round(steps.values, _DIGITS))
