"""Reads the settings in a study file."""

import math
from dataclasses import fields
from typing import Final

from core.engines.front.methods import GENERATION_COUNT, METHODS, SPACING
from core.engines.front.tariff import Tariff
from core.files.fields import Fields
from core.shells.studies.blocks import block_of, with_blocks
from core.shells.studies.settings import StudySettings
from core.vocabulary.ranges import IDLE_FRACTION, SEED, Range
from core.vocabulary.system import System

_SECONDS: Final = Range(0.0, 1e9, "s")
_WORK: Final = Range(0.0, 1e9, "units of work")
_THREADS: Final = Range(1, 1e9, "threads")
_PRICES: Final = Range(0.0, 1e15, "")
_PUE: Final = Range(1.0, 1e6, "")


def read_settings(given: Fields, system: System | None) -> StudySettings:
    """The settings; they are valid only if nothing was reported. All must be there, except blocks
    of capabilities.
    """
    capabilities = with_blocks()
    own = {field.name for field in fields(StudySettings)} - {"blocks"}
    given.warn_of_unused(own | capabilities.keys())
    return StudySettings(
        name=given.text("name"),
        sample=given.text("sample") if given.has("sample") else None,
        idle_power=given.number("idle_power", IDLE_FRACTION) if given.has("idle_power") else None,
        method=given.one_of("method", METHODS),
        spacing=given.number("spacing", SPACING),
        seconds=given.number("seconds", _SECONDS),
        threads=given.whole("threads", _THREADS),
        work=given.number("work", _WORK) if given.has("work") else None,
        seed=given.whole("seed", SEED),
        generations=given.whole("generations", GENERATION_COUNT)
        if given.has("generations")
        else None,
        tariff=_read_tariff(given) if given.has("tariff") else None,
        currency=given.currency("currency"),
        blocks={
            name: block_of(capability).read(
                Fields.of(given.content, name, given.label, given.findings), system
            )
            for name, capability in capabilities.items()
            if given.has(name)
        },
    )


def _read_tariff(given: Fields) -> Tariff | None:
    tariff = Fields.of(given.content, "tariff", given.label, given.findings)
    ranges = {
        "price_per_kwh": _PRICES,
        "carbon_per_kwh": _PRICES,
        "price_of_carbon": _PRICES,
        "pue": _PUE,
    }
    tariff.warn_of_unused(ranges)
    values = {key: tariff.number(key, allowed) for key, allowed in ranges.items()}
    return None if any(map(math.isnan, values.values())) else Tariff(**values)
