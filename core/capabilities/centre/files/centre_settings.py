"""The settings of a centre (`centre.toml`, or the object "centre" of a document).

```toml
name = "parasol"

[room]
limit = 27.0              # °C inside that must never be exceeded
first = 26.5              # °C inside when the day begins
coolest = 18              # °C that fan and compressor never cool below (without it, 18)
heat_capacity = 500000    # joules that warm it by a kelvin
leak = 50                 # watts that pass its walls for each kelvin of difference
# or, as fitted to measurements in steps of so many seconds, the next temperature is kept x inside
# + outside x outside temperature + per_watt x watts of the servers - fan x speed - compressor:
# kept = 0.9, outside = 0.05, per_watt = 1e-3, fan = 1.5, compressor = 2.5, measured_step = "5min"

[cooling]
fan_watts = 410           # at full speed
fan_heat = 1000           # watts of heat that the full fan takes out for each kelvin colder outside
compressor_watts = 2300
compressor_heat = 5500    # watts of heat
fan_law = "cubic"         # or "linear"

[grid]                    # all may be left out
begin = "2026-08-01T00:00"  # by the clock of the zone; without it, when the curves begin
zone = "Europe/London"    # without it, UTC
length = "24h"
step = "15min"            # 1 to 60 minutes
currency = "GBP"
feed_in = 0.05            # what a kWh that is left over brings
peak_price = 0.0          # what a kW of the highest grid power costs
fill = "last"             # or "linear": gaps in curves are filled; without it, they are refused

[panels]                  # with a curve of the sun
count = 3
rated_kw = 0.5
performance_ratio = 0.8

[all_day]                 # where there is no curve in signals/
price = 1.0               # a kWh
carbon = 0                # g CO2 a kWh
temperature = 25          # °C outside
green = 0                 # W
target = 2000             # W; without it, nothing is excess

[moved]                   # curves of other dates in place of those of this day, as answers say
price = 365               # the days by which its times were moved

[log]                     # for a log (jobs.swf, jobs.txt, jobs.txt.gz) in place of jobs.csv
day = "2026-03-02"        # of the log, by its clock; without it, that of the centre, or the first
kind = "atom"             # of servers; without it, the one kind, or the partition of that name
cores = 32                # of a server, where the log says no nodes; without it, 1
due = 1.0                 # times its time limit after which a job is due
```
"""

import math
from collections.abc import Mapping
from typing import Final, NamedTuple, get_args
from zoneinfo import ZoneInfo

import numpy as np

from core.capabilities.centre.centre import (
    FAN_LAWS,
    USUAL_COOLEST,
    Cooling,
    LinearRoom,
    PhysicalRoom,
    Room,
)
from core.capabilities.centre.files.centre_file import CentreFile, DayGrid
from core.engines.signals.kinds import CARBON, GREEN, KINDS, PRICE, TARGET, TEMPERATURE, SignalKind
from core.engines.signals.signal import Fill
from core.engines.signals.source import NO_TIME, WrittenTime, written
from core.engines.signals.sun import PANELS, PERFORMANCE_RATIO, RATED_KW, SolarPanels
from core.engines.signals.zones import (
    LEAST_MOMENT,
    MOST_MOMENT,
    UTC_NAME,
    in_utc,
    zone_called,
)
from core.files.findings import Findings, shown
from core.files.strict_json import Fields, Odd
from core.vocabulary.prices.site import CURRENCIES
from core.vocabulary.ranges import Range
from core.vocabulary.say.quantities import TIME
from core.vocabulary.say.words import DAY, HOUR, MINUTE
from core.vocabulary.tolerances import SAME

SETTINGS: Final = "centre"
STEP: Final = Range(MINUTE, HOUR, "s")
USUAL_STEP: Final = 15 * MINUTE
LENGTH: Final = Range(MINUTE, 32 * DAY, "s")
INSIDE: Final = Range(-50.0, 150.0, "°C")
CAPACITY: Final = Range(1e-3, 1e15, "J/K")
LEAK: Final = Range(0.0, 1e12, "W/K")
WATTS: Final = Range(0.0, 1e12, "W")
FAN_HEAT: Final = Range(0.0, 1e12, "W/K")
COEFFICIENT: Final = Range(0.0, 1e9, "")
MONEY: Final = Range(-1e6, 1e6, "a kWh")
PEAK_PRICE: Final = Range(0.0, 1e9, "a kW")
CORES: Final = Range(1, 100_000, "cores")
DUE: Final = Range(0.01, 1e6, "times")
MOVED: Final = Range(-100_000, 100_000, "days")
ALL_DAY: Final = (PRICE, CARBON, TEMPERATURE, GREEN, TARGET)
FILLS: Final[tuple[Fill, ...]] = get_args(Fill)

_GROUPS: Final = ("room", "cooling", "grid", "panels", "all_day", "moved", "log")
_PHYSICAL: Final = ("heat_capacity", "leak")
_LINEAR: Final = ("kept", "outside", "per_watt", "fan", "compressor", "measured_step")
_COOLING: Final = ("fan_watts", "fan_heat", "compressor_watts", "compressor_heat")
_GRID: Final = (*("begin", "zone", "length", "step", "currency", "feed_in", "peak_price", "fill"),)
_OF_LOG: Final = ("day", "kind", "cores", "due")
_OF_PANELS: Final = ("count", "rated_kw", "performance_ratio")


class LogSettings(NamedTuple):
    """How jobs are made of a log: its day by its clock, in seconds since 1970 (None: not said), the
    kind of servers (blank: not said), the cores of one, and after how many times of its time limit
    a job is due.
    """

    day: float | None = None
    kind: str = ""
    cores: int = 1
    due: float = 1.0


class CentreSettings(NamedTuple):
    """What the settings say; valid only if nothing was reported. `begins` is None if that is not
    said.
    """

    name: str
    room: Room
    limit: float
    first: float
    coolest: float
    cooling: Cooling
    begins: float | None
    zone: str
    length: float
    step: float
    currency: str
    feed_in: float
    peak_price: float
    fill: Fill | None
    panels: SolarPanels | None
    all_day: Mapping[SignalKind, float]
    moved: Mapping[SignalKind, int]
    log: LogSettings

    def grid(self, begins: float) -> DayGrid:
        return DayGrid(begins, self.step, round(self.length / self.step), self.zone)


def read_centre_settings(
    content: dict[str, object], label: str, findings: Findings
) -> CentreSettings:
    """The settings, with defaults for what is missing or wrong; what is wrong is reported."""
    given = Fields(content, label, findings)
    given.refuse_unknown(("name", *_GROUPS), "centre")
    groups = {name: _group(given, name) for name in _GROUPS}
    room, grid = groups["room"], groups["grid"]
    for name in ("room", "cooling"):
        if name not in content:
            given.error(name, f"is missing; add a group [{name}]")
    room.refuse_unknown(("limit", "first", "coolest", *_PHYSICAL, *_LINEAR), "room")
    limit, first = (_number(room, name, INSIDE) for name in ("limit", "first"))
    if first > limit:
        room.error(
            "first",
            f"it is {first:g} °C inside at first, above the limit of {limit:g} °C; let the day "
            "begin cooler, or raise the limit",
        )
    coolest = _number(room, "coolest", INSIDE, min(USUAL_COOLEST, limit))
    if coolest > limit:
        room.error(
            "coolest", f"is {coolest:g} °C, above the limit of {limit:g} °C; change one of them"
        )
    zone = _zone(grid)
    step = _time(grid, "step", STEP, USUAL_STEP)
    length = _time(grid, "length", LENGTH, DAY)
    if abs(round(length / step) * step - length) > SAME * length or length < step:
        message = f"of {length:g} s is no whole number of steps of {step:g} s; change one of them"
        grid.error("length", message)
    grid.refuse_unknown(_GRID, "grid")
    return CentreSettings(
        given.text("name") if given.has("name") else "centre",
        _room(room, step),
        limit,
        first,
        coolest,
        _cooling(groups["cooling"]),
        _begin(grid, "begin", zone),
        zone,
        length,
        step,
        grid.currency("currency") if grid.has("currency") else CURRENCIES[0],
        _number(grid, "feed_in", MONEY, 0.0),
        _number(grid, "peak_price", PEAK_PRICE, 0.0),
        _fill(grid),
        _panels(groups["panels"]),
        _all_day(groups["all_day"]),
        _moved(groups["moved"]),
        _log(groups["log"]),
    )


def _group(given: Fields, name: str) -> Fields:
    """A group of settings; empty if there is none."""
    if name in given.content:
        return Fields.of(given.content, name, given.label, given.findings)
    return Fields({}, f"{given.label} [{name}]", given.findings)


def _number(given: Fields, key: str, allowed: Range, missing: float | None = None) -> float:
    """A number; without it `missing`, or else that it is missing is reported."""
    if key in given.content:
        return given.number(key, allowed)
    if missing is not None:
        return missing
    if given.content:
        given.error(key, f"is missing; give {allowed}")
    return math.nan


def _time(given: Fields, key: str, allowed: Range, missing: float) -> float:
    if key not in given.content:
        return missing
    found = given.quantity(key, TIME, allowed)
    return missing if math.isnan(found) else found


def _room(given: Fields, step: float) -> Room:
    of_one, of_other = ([key for key in keys if key in given.content] for keys in _KEYS_OF_ROOMS)
    if of_one and of_other:
        message = (
            f"is there beside {of_one[0]}; give the keys of one room, physical "
            f"({', '.join(_PHYSICAL)}) or linear ({', '.join(_LINEAR)})"
        )
        given.error(of_other[0], message)
    if of_other:
        kept, outside, per_watt, fan, compressor = (
            _number(given, key, COEFFICIENT) for key in _LINEAR[:-1]
        )
        measured = _time(given, _LINEAR[-1], STEP, step)
        return LinearRoom(kept, outside, per_watt, fan, compressor, measured)
    capacity, leak = _PHYSICAL
    return PhysicalRoom(_number(given, capacity, CAPACITY), _number(given, leak, LEAK))


_KEYS_OF_ROOMS: Final = (_PHYSICAL, _LINEAR)


def _cooling(given: Fields) -> Cooling:
    given.refuse_unknown((*_COOLING, "fan_law"), "cooling")
    ranges = WATTS, FAN_HEAT, WATTS, WATTS
    numbers = [_number(given, *each) for each in zip(_COOLING, ranges, strict=True)]
    fan, fan_heat, compressor, heat = (0.0 if math.isnan(one) else one for one in numbers)
    law = given.one_of("fan_law", FAN_LAWS) if "fan_law" in given.content else FAN_LAWS[0]
    known = next((one for one in FAN_LAWS if one == law), FAN_LAWS[0])
    return Cooling(fan, fan_heat, compressor, heat, known)


def _zone(given: Fields) -> str:
    if "zone" not in given.content:
        return UTC_NAME
    name = given.text("zone")
    try:
        return zone_called(name).key if name else UTC_NAME
    except ValueError as unknown:
        given.error("zone", str(unknown))
        return UTC_NAME


def _begin(given: Fields, key: str, zone: str) -> float | None:
    """When a day begins; None if it is not said."""
    value = given.content.get(key)
    if value is None:
        return None
    text = value.text if isinstance(value, Odd) else given.text(key)
    found = moment_of(written(text), zone)
    if found is None and text:
        given.error(key, f"'{shown(text)}' {NO_TIME}, in {zone}")
    return found


def moment_of(time: WrittenTime, zone: str) -> float | None:
    """A time that was written, in seconds since 1970; None if it is none, or clocks skipped it."""
    if not LEAST_MOMENT <= time.seconds <= MOST_MOMENT:
        return None
    if time.is_absolute:
        return time.seconds
    clock = in_utc(np.array([time.seconds]), ZoneInfo(zone))
    return None if clock.missing[0] else float(clock.seconds[0])


def _fill(given: Fields) -> Fill | None:
    if "fill" not in given.content:
        return None
    said = given.one_of("fill", FILLS)
    return next((one for one in FILLS if one == said), None)


def _panels(given: Fields) -> SolarPanels | None:
    if not given.content:
        return None
    given.refuse_unknown(_OF_PANELS, "group of panels")
    count = given.whole("count", PANELS)
    rated = _number(given, "rated_kw", RATED_KW)
    ratio = _number(given, "performance_ratio", PERFORMANCE_RATIO, 0.8)
    return None if math.isnan(rated + ratio) else SolarPanels(count, rated, ratio)


def _all_day(given: Fields) -> dict[SignalKind, float]:
    given.refuse_unknown([kind.name for kind in ALL_DAY], "group of values for all day")
    return {
        kind: given.number(kind.name, kind.allowed)
        for kind in ALL_DAY
        if kind.name in given.content
    }


def _moved(given: Fields) -> dict[SignalKind, int]:
    given.refuse_unknown([kind.name for kind in KINDS], "group of curves that were moved")
    return {kind: given.whole(kind.name, MOVED) for kind in KINDS if kind.name in given.content}


def _log(given: Fields) -> LogSettings:
    given.refuse_unknown(_OF_LOG, "group of a log")
    usual = LogSettings()
    return LogSettings(
        _begin(given, "day", UTC_NAME),
        given.text("kind") if given.has("kind") else usual.kind,
        given.whole("cores", CORES) if given.has("cores") else usual.cores,
        _number(given, "due", DUE, usual.due),
    )


def settings_of_centre(file: CentreFile, begin: str) -> dict[str, object]:
    """The settings of a centre, which can be read back; its day begins at a time in words."""
    centre, grid, panels = file.centre, file.grid, file.signals.panels
    room: dict[str, object] = {
        "limit": centre.limit,
        "first": centre.first,
        "coolest": centre.coolest,
    }
    if isinstance(centre.room, PhysicalRoom):
        room |= {"heat_capacity": centre.room.capacity, "leak": centre.room.leak}
    else:
        room |= {key: getattr(centre.room, key) for key in _LINEAR[:-1]}
        room["measured_step"] = centre.room.step_seconds
    found: dict[str, object] = {
        "name": centre.name,
        "room": room,
        "cooling": {
            **{key: getattr(centre.cooling, key) for key in _COOLING},
            "fan_law": centre.cooling.fan_law,
        },
        "grid": {
            "begin": begin,
            "zone": grid.zone,
            "length": grid.seconds,
            "step": grid.step,
            "currency": file.currency,
            "feed_in": file.feed_in,
            "peak_price": file.peak_price,
        },
    }
    if panels is not None:
        found["panels"] = {
            "count": panels.count,
            "rated_kw": panels.rated_kw,
            "performance_ratio": panels.performance_ratio,
        }
    if file.signals.all_day:
        found["all_day"] = {kind.name: value for kind, value in file.signals.all_day.items()}
    if file.moved:
        found["moved"] = {kind.name: days for kind, days in file.moved.items()}
    return found
