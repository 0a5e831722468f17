"""The tables of a system: their names, their columns, and the words that people use for them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, get_args

from core.files.schema import ANY, SECONDS, Column, Schema, columns_called, parted_title
from core.files.stated_units import unit_in
from core.vocabulary.kinds import TypeKind

TableName = Literal["etc", "apc", "tasks", "machines", "estimated"]
ListName = Literal["tasks", "machines"]
TABLES: Final[tuple[TableName, ...]] = get_args(TableName)
LIST_OF: Final[dict[TypeKind, ListName]] = {"task type": "tasks", "machine type": "machines"}

_INFINITE: Final = float("inf")
COUNT: Final = Column(
    "count",
    "whole",
    called="counts, number, quantity, qty, amount, how many, no, #, n, number of tasks, number of "
    "jobs, number of machines, number of nodes, number of servers, tasks, jobs, machines, nodes, "
    "servers, hosts, instances, anzahl",
)
TASK_TYPE: Final = Column(
    "task_type",
    "name",
    called="task, task name, job type, job, job name, application, app, program, workload, name, "
    "type, tasks, jobs, programm, anwendung, aufgabe, typ",
)
MACHINE_TYPE: Final = Column(
    "machine_type",
    "name",
    called="machine, machine name, node type, node, node name, server type, server, host type, "
    "host, hardware, name, type, machines, nodes, servers, hosts, knotentyp, knoten, maschine, "
    "rechner, typ",
)
_IDLE_POWER: Final = Column(
    "idle_power",
    "number",
    0.0,
    "watts",
    called="idle, idle watts, idle draw, power idle, watts idle, power when idle, leerlauf",
    converted="apc",
)
"""Without the column, machines idle at 0 W; a blank cell in it is a fault."""
_ASLEEP_WATTS: Final = Column(
    "asleep_watts",
    "number",
    _INFINITE,
    "watts",
    called="asleep, asleep power, power asleep, watts asleep, sleep watts, off watts",
    converted="apc",
)
"""Without the column, and where a cell in it is blank, machines are never switched off."""
LISTS: Final[dict[ListName, Schema]] = {
    "tasks": (TASK_TYPE, COUNT),
    "machines": (MACHINE_TYPE, COUNT, _IDLE_POWER, _ASLEEP_WATTS),
}
"""The columns of the lists of types, as a system has them."""


def _number(name: str, unit: str, called: str, blank: float | None, symbols: str = "") -> Column:
    return Column(name, "number", blank, unit, called, symbols=symbols)


_MONEY: Final = "the currency of the plan"
_RATE: Final = "the rate_unit of the plan"
_SHARE: Final = "shares such as 0.25"
_MB: Final = "mb, megabyte, megabytes"
_MB_A_SECOND: Final = "mb/s, megabytes per second"
_REWARDS: Final = "rewards, reward per task, value, worth, revenue"
_RATES: Final = "arrivals, arrival, rate, tasks per second, lambda"
_PRICES: Final = "unit price, purchase price, buy price, price each, cost, unit cost"
_RESALES: Final = "resale price, resale value, sale price, sell price, selling price"
_FAILURES: Final = "failures per year, failures each year, annual failures, afr"
COLUMNS_BESIDE: Final[dict[str, dict[ListName, Schema]]] = {
    "plan": {
        "tasks": (
            _number("reward", f"{_MONEY} for one task", _REWARDS, None, ANY),
            _number("arrival_rate", _RATE, _RATES, None),
            _number("arrival_cov", _SHARE, "cov of arrivals, arrivals cov, cov", None),
        ),
        "machines": (
            _number("price", _MONEY, _PRICES, None, ANY),
            _number("resale", _MONEY, _RESALES, 0.0, ANY),
            _number("failure_rate", _RATE, "failures, failure", 0.0),
            _number("failures_a_year", "failures a year", _FAILURES, 0.0),
            _number("min", "machines", "minimum, least, at least, min count", 0.0),
            _number("max", "machines", "maximum, most, at most, max count", _INFINITE),
            _number("time_cov", _SHARE, "cov of times, times cov", None),
            _number("power_cov", _SHARE, "cov of powers, powers cov", None),
        ),
    },
    "network": {
        "tasks": (
            _number("release", "seconds", "release date, released", 0.0, SECONDS),
            _number("data", "MB a task", "data per task, data of a task, input data", 0.0, _MB),
        ),
        "machines": (
            _number(
                "link",
                "MB/s of a machine",
                "links, link bandwidth, bandwidth",
                _INFINITE,
                _MB_A_SECOND,
            ),
            _number("memory", "MB of a machine", "buffer, buffers", _INFINITE, _MB),
        ),
    },
}
"""Columns that a system does not need, but those who ask for settings of these names."""
SETTINGS: Final = tuple(COLUMNS_BESIDE)
"""Settings that may lie beside the tables of a system, for one capability: `plan.toml`, a sheet
`plan`, or an object "plan" of a document.
"""


def column_beside(settings: str, name: str) -> Column:
    """The column of this name of those who ask for settings."""
    lists = COLUMNS_BESIDE[settings].values()
    return next(column for columns in lists for column in columns if column.name == name)


def columns_there(settings: str, *lists: Iterable[str]) -> Iterator[str]:
    """The names among these columns of lists that those who ask for settings know."""
    known = {each.name for columns in COLUMNS_BESIDE[settings].values() for each in columns}
    return (name for names in lists for name in names if name in known)


def beside(table: ListName) -> Schema:
    """All columns that may lie beside those of a list."""
    return tuple(column for lists in COLUMNS_BESIDE.values() for column in lists[table])


# The likelier words are first.
_TABLES: Final = {
    "etc": "times, time, runtimes, runtime, run times, run time, execution times, execution time, "
    "durations, duration, expected times, seconds, zeiten, laufzeiten, laufzeit",
    "apc": "powers, power, power consumption, average power, watts, consumption, leistung, "
    "leistungen, leistungsaufnahme, watt",
    "tasks": "task types, task counts, jobs, job types, job counts, workload, workloads, bag, "
    "aufgaben, programme, anwendungen",
    "machines": "machine types, machine counts, nodes, node types, servers, hosts, cluster, "
    "hardware, inventory, knoten, rechner, maschinen",
    "estimated": "estimated pairs, is estimated",
}


def table_called(title: str) -> TableName | None:
    """The kind of table that the name of a sheet or file says, unless the name has a wrong unit."""
    words, unit = parted_title(title)
    if (stated := unit_in(title)) is not None:
        plain = words if unit else words.rpartition(" ")[0].removesuffix(" in")
        named = _table_of(plain or words)
        return stated.table if named == stated.table else None
    return None if unit else _table_of(words)


def _table_of(words: str) -> TableName | None:
    return next((t for t in TABLES if words == t or words in _TABLES[t].split(", ")), None)


def name_column(table: str, titles: Sequence[str]) -> int:
    """The position of the names in a table with these titles."""
    key = next((columns[0] for name, columns in LISTS.items() if name == table), None)
    return 0 if key is None else columns_called(titles, (key,)).get(key.name, 0)


_COUNTS: Final = frozenset({"count", "counts", "number", "quantity", "qty", "how many", "anzahl"})
_SPREADS: Final = frozenset({"std", "stddev", "stdev", "stderr", "sd"})
_MACHINES: Final = frozenset({"nodes", "machines", "servers", "hosts", "knoten"})


def what_else(name: str, kind: TypeKind, corner: str) -> str:
    """What a name in a table of pairs seems to be, if it is no name of a type of this kind. What
    has our own title in its corner has types alone.
    """
    words, _ = parted_title(name)
    if corner.strip() == TASK_TYPE.name:
        return ""
    if words.rpartition(" ")[2] in _SPREADS:
        return "how far the values spread"
    counted = "tasks" if kind == "machine type" else "machines"
    if words in _COUNTS or (counted == "machines" and words in _MACHINES):
        return f"numbers of {counted}"
    return ""


def names_machines(title: str) -> bool:
    """Whether the corner of a table says that the names below it are machine types."""
    words, _ = parted_title(title)
    return words in {*MACHINE_TYPE.words} - {*TASK_TYPE.words}
