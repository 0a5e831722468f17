"""What-ifs as one JSON document, to export and to open again.

```
{"format": "wattfront-what-ifs", "version": 1,
 "what_ifs": [{"number": 1, "name": "", "origin": "nine", "system": 1,
               "machines": [4], "tasks": [50], "idle_power": 0.3,
               "tariff": {"price_per_kwh": 0.3, "carbon_per_kwh": 0.4, "pue": 1.0}}],
 "systems": [{"format": "wattfront-system", ...}]}
```

Each system is written once; "system" is its number, from 1. Counts are in the order of its types.
"idle_power" is a share of the mean power at work; null keeps the idle power of the system. If
"asleep_watts" are said, machines are switched off when their last task ends. With
"idle_power_of": "pages" it is that of the other pages, and follows it where that is the same.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Final

from core import System
from core.files.disk import check_size
from core.files.document import WHAT_IFS_FORMAT, document_lines, system_of
from core.files.findings import Findings, Reading, Unreadable
from core.files.strict_json import Fields, as_whole, check_format, parse_json, whole_value_fault
from core.files.text import decode
from core.shells.settings.forms import read_block, written_block
from core.vocabulary.prices.site import CARBON, PRICE
from core.vocabulary.prices.tariff import CARBON_PRICE, PUE, Tariff
from core.vocabulary.ranges import MACHINE_COUNT, TASK_COUNT, Range
from core.vocabulary.without_work import WithoutWork
from dashboard.screens.what_if.compare.what_ifs import NAME_LENGTH, WhatIf

VERSION: Final = 1
FILE: Final = "wattfront-what-ifs.json"
MOST: Final = 100
"""What-ifs in one file. The page finds the front of each of them before it is drawn."""
ORIGIN_LENGTH: Final = 260
"""Characters in the name of a system: the longest name of a file, and a word or two."""

_NUMBERS: Final = Range(1, 1e9, "")
_PLACES: Final = Range(1, MOST, "")
_KEYS: Final = ("format", "version", "what_ifs", "systems")
_OF_ONE: Final = (
    *("number", "name", "origin", "system", "machines", "tasks", "idle_power", "asleep_watts"),
    "idle_power_of",
    *("tariff", "tariff_of"),
)
_OF_PAGES: Final = "pages"
_OF_TARIFF: Final = {
    "price_per_kwh": PRICE,
    "carbon_per_kwh": CARBON,
    "price_of_carbon": CARBON_PRICE,
    "pue": PUE,
}


def inspect_what_ifs_bytes(name: str, data: bytes) -> Reading[tuple[WhatIf, ...]]:
    """All what-ifs of a file, or none, and its problems. Never raises, whatever it contains."""

    def read(findings: Findings) -> tuple[WhatIf, ...]:
        check_size(data)
        return _read(decode(data, name, findings), name, findings)

    return Reading.of(name, read)


def fits_file(what_ifs: Sequence[WhatIf]) -> bool:
    """Whether a file can hold that many what-ifs."""
    return 0 < len(what_ifs) <= MOST


def what_ifs_bytes(what_ifs: Sequence[WhatIf]) -> bytes:
    """The what-ifs as the content of a file."""
    return "".join(_lines(what_ifs)).encode(errors="replace")


def _lines(what_ifs: Sequence[WhatIf]) -> Iterator[str]:
    systems: dict[str, System] = {one.base.fingerprint: one.base for one in what_ifs}
    places = {fingerprint: place for place, fingerprint in enumerate(systems, 1)}
    yield f'{{\n "format": "{WHAT_IFS_FORMAT}",\n "version": {VERSION},\n "what_ifs": ['
    for k, one in enumerate(what_ifs):
        yield ",\n  " if k else "\n  "
        told = _as_json(one, places[one.base.fingerprint])
        yield json.dumps(told, ensure_ascii=False, allow_nan=False)
    yield '\n ],\n "systems": ['
    for k, system in enumerate(systems.values()):
        yield ",\n" if k else "\n"
        yield from document_lines(system)
    yield " ]\n}\n"


def _as_json(one: WhatIf, place: int) -> dict[str, object]:
    tariff = asdict(one.tariff)
    return {
        "number": one.number,
        "name": one.name,
        "origin": one.origin,
        "system": place,
        "machines": one.machines,
        "tasks": one.tasks,
        **written_block(one.idle),
        **({"idle_power_of": _OF_PAGES} if one.follows else {}),
        "tariff": {key: tariff[key] for key in _OF_TARIFF},
        **({"tariff_of": _OF_PAGES} if one.prices_follow else {}),
    }


def _read(text: str, label: str, findings: Findings) -> tuple[WhatIf, ...]:
    document = parse_json(text, label, findings)
    check_format(document, WHAT_IFS_FORMAT, VERSION)
    findings.unused([key for key in document if key not in _KEYS], label)
    systems = _read_systems(_listed(document, "systems"), label, findings)
    given = _listed(document, "what_ifs")
    if len(given) > MOST:
        raise Unreadable(f"holds {len(given):,} what-ifs; give at most {MOST}")
    read = [_read_what_if(item, k, systems, label, findings) for k, item in enumerate(given, 1)]
    what_ifs = tuple(one for one in read if one is not None)
    if len({one.number for one in what_ifs}) < len(what_ifs):
        message = "is the same for several what-ifs; give each what-if its own number"
        findings.error(f"{label} [what_ifs]", "", "number", message)
    return what_ifs


def _listed(document: dict[str, object], key: str) -> list[object]:
    items = document.get(key)
    if not isinstance(items, list) or not items:
        raise Unreadable(f'holds no {key.replace("_", "-")}; give "{key}": [{{...}}, ...]')
    return items


def _read_systems(items: list[object], label: str, findings: Findings) -> list[System | None]:
    """The systems in the order given; None for one with errors, which are reported."""
    if len(items) > MOST:
        raise Unreadable(f"holds {len(items):,} systems; give at most {MOST}")
    systems: list[System | None] = []
    for k, item in enumerate(items, 1):
        place = f"{label} [system {k:,}]"
        if isinstance(item, dict):
            systems.append(system_of(item, place, findings))
        else:
            findings.error(place, "", "", "is not an object; give the JSON document of a system")
            systems.append(None)
    return systems


def _read_what_if(
    item: object, place: int, systems: list[System | None], label: str, findings: Findings
) -> WhatIf | None:
    """One what-if. Use it only if no error was reported."""
    where = f"{label} [what-if {place:,}]"
    if not isinstance(item, dict):
        findings.error(where, "", "", "is not an object; give an object with the keys of a what-if")
        return None
    given = Fields(item, where, findings)
    given.warn_of_unused(_OF_ONE)
    chosen = given.whole("system", _PLACES)
    if chosen > len(systems):
        given.error(
            "system", f"is {chosen:,}, above the number of systems; give 1 to {len(systems):,}"
        )
        return None
    tariff = Fields.of(item, "tariff", where, findings)
    tariff.warn_of_unused(_OF_TARIFF)
    prices = {
        key: tariff.number(key, allowed)
        for key, allowed in _OF_TARIFF.items()
        if key != "price_of_carbon" or tariff.has(key)
    }
    number, name, origin = given.whole("number", _NUMBERS), given.text("name"), given.text("origin")
    idle = WithoutWork(**read_block(given, WithoutWork))
    follows, prices_follow = (
        given.has(key) and bool(given.one_of(key, (_OF_PAGES,)))
        for key in ("idle_power_of", "tariff_of")
    )
    base = systems[chosen - 1]
    if base is None:
        return None
    read = partial(_read_counts, given)
    return WhatIf(
        number,
        origin[:ORIGIN_LENGTH],
        base,
        read("machines", len(base.machine_types), MACHINE_COUNT),
        read("tasks", len(base.task_types), TASK_COUNT),
        idle,
        Tariff(**prices),
        " ".join(name.split())[:NAME_LENGTH],
        follows,
        prices_follow,
    )


def _read_counts(given: Fields, key: str, types: int, allowed: Range) -> tuple[int, ...]:
    """A count for each type, in order; an empty tuple and a reported error otherwise."""
    items = given.content.get(key)
    if not isinstance(items, list) or len(items) != types:
        said = f"has {len(items):,} values" if isinstance(items, list) else "is not a list"
        given.error(key, f"{said}; give {types:,} counts, one for each type of the system")
        return ()
    counts = [as_whole(value) for value in items]
    for k, (value, count) in enumerate(zip(items, counts, strict=True), 1):
        if count is None:
            given.error(key, f"value {k:,}: {whole_value_fault(value)}")
        elif count not in allowed:
            given.error(key, f"value {k:,}: {count:,} is out of range; give {allowed}")
    return tuple(count for count in counts if count is not None)
