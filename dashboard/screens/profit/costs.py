"""What a batch is, and the costs in force, each in a few words."""

from core import System
from core.capabilities.profit.settings import WATTS_PER_KW, ProfitSettings
from core.vocabulary.say.words import Sense, amount, counted, power


def meaning(system: System) -> str:
    """What a batch of this system is."""
    every = f"all {system.tasks:,} tasks" if system.tasks > 1 else counted(system.tasks, "task")
    return f"A **batch** is {every} of this system, run once. One batch follows the other."


def in_force(settings: ProfitSettings, system: System) -> list[str]:
    """The price of electricity, and every other cost or cap that is set."""
    now, money = settings.of(system), settings.money
    said = ["Electricity 1 ¤/J, as published"]
    if now.electricity == "kWh":
        said = [f"Electricity {_typed(now.energy_price, f'{now.currency}/kWh')}"]
        if now.carbon and now.carbon_price:
            said.append(
                f"Carbon {_typed(now.carbon, 'kg/kWh')} at "
                f"{_typed(now.carbon_price, f'{now.currency}/kg')}"
            )
    if now.pue != 1:
        said.append(f"PUE {amount(now.pue, Sense.TYPED)}")
    if now.overhead:
        said.append(f"Overhead {money.say(now.overhead, Sense.TYPED)} per batch")
    if now.cap_kw is not None:
        cap = power(now.cap_kw * WATTS_PER_KW, Sense.TYPED)
        said.append(f"Power cap {cap} on average")
    for name, rates in (("Wear", now.wear), ("Depreciation", now.depreciation)):
        if rates:
            said.append(f"{name} of {counted(len(rates), 'machine type')}")
    return said


def _typed(value: float, unit: str) -> str:
    return amount(value, Sense.TYPED, unit)
