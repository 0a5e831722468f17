"""Words that people use for tables and their columns, besides Wattfront's own names."""

from collections.abc import Sequence
from typing import Final, Literal, get_args

from core.files.value_units import ValueTable, unit_called, unit_in

TableName = Literal["etc", "apc", "tasks", "machines", "estimated"]
TABLES: Final[tuple[TableName, ...]] = get_args(TableName)
COLUMNS_BESIDE: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "plan": {
        "tasks": ("reward", "arrival_rate", "arrival_cov"),
        "machines": ("price", "resale", "failure_rate", "min", "max", "time_cov", "power_cov"),
    },
    "network": {"tasks": ("release", "data"), "machines": ("link", "memory")},
}
"""Columns that a system does not need, but those who ask for settings of these names."""
SETTINGS: Final = tuple(COLUMNS_BESIDE)
"""Settings that may lie beside the tables of a system, for one capability: `plan.toml`, a sheet
`plan`, or an object "plan" of a document.
"""
OTHER_COLUMNS: Final = {
    table: tuple(name for columns in COLUMNS_BESIDE.values() for name in columns[table])
    for table in ("tasks", "machines")
}
"""All of these columns, by table."""

_TITLE_CHARACTERS: Final = 100
_KEYS: Final = {"tasks": "task_type", "machines": "machine_type"}

# The likelier words are first.
_TABLES: Final = {
    "etc": "times, time, runtimes, runtime, run times, run time, execution times, execution time, "
    "durations, duration, expected times, seconds",
    "apc": "powers, power, power consumption, average power, watts, consumption",
    "tasks": "task types, task counts, jobs, job types, job counts, workload, workloads, bag",
    "machines": "machine types, machine counts, nodes, node types, servers, hosts, cluster, "
    "hardware, inventory",
    "estimated": "estimated pairs, is estimated",
}
_COLUMNS: Final = {
    "task_type": "task type, task, task name, job type, job, job name, application, app, program, "
    "workload, name, type, tasks, jobs",
    "machine_type": "machine type, machine, machine name, node type, node, node name, server type, "
    "server, host type, host, hardware, name, type, machines, nodes, servers, hosts",
    "count": "counts, number, quantity, qty, amount, how many, no, #, n, number of tasks, "
    "number of jobs, number of machines, number of nodes, number of servers, tasks, jobs, "
    "machines, nodes, servers, hosts, instances",
    "idle_power": "idle power, idle, idle watts, idle draw, power idle, watts idle, "
    "power when idle, idle w, idle kw, idle power w, idle power kw",
    "node": "nodes, node name, nodelist, node list, host, hosts",
    "constraint": "constraints, feature, features",
    "partition": "partitions, queue",
    "command": "commands, command line, script, cmd",
    "sent": "sent",
    "arrived": "arrived",
    "start": "start",
    "end": "end",
    "reward": "reward, rewards, reward per task, value, worth, revenue",
    "arrival_rate": "arrival rate, arrivals, arrival, rate, tasks per second, lambda",
    "arrival_cov": "arrival cov, cov of arrivals, arrivals cov, cov",
    "price": "price, unit price, purchase price, buy price, price each, cost, unit cost",
    "resale": "resale, resale price, resale value, sale price, sell price, selling price",
    "failure_rate": "failure rate, failures, failure",
    "min": "min, minimum, least, at least, min count",
    "max": "max, maximum, most, at most, max count",
    "time_cov": "time cov, cov of times, times cov",
    "power_cov": "power cov, cov of powers, powers cov",
    "release": "release, release date, released",
    "data": "data, data per task, data of a task, input data",
    "link": "link, links, link bandwidth, bandwidth",
    "memory": "memory, buffer, buffers",
}
_SECONDS: Final = frozenset({"s", "sec", "secs", "second", "seconds"})
_MEGABYTES: Final = frozenset({"mb", "megabyte", "megabytes"})
_MEGABYTES_A_SECOND: Final = frozenset({"mb/s", "megabytes per second"})
_OF_MONEY: Final = frozenset({"price", "resale", "reward"})
_CONVERTED: Final[dict[str, ValueTable]] = {"idle_power": "apc"}
"""Columns that may be in any unit of the values of a table."""
_UNITS: Final = {
    "release": _SECONDS,
    "data": _MEGABYTES,
    "link": _MEGABYTES_A_SECOND,
    "memory": _MEGABYTES,
    "sent": _SECONDS,
    "arrived": _SECONDS,
    "start": _SECONDS,
    "end": _SECONDS,
}


def table_called(title: str) -> TableName | None:
    """The kind of table that the name of a sheet or file says, unless the name has a wrong unit."""
    words, unit = _parted(title)
    if (stated := unit_in(title)) is not None:
        plain = words if unit else words.rpartition(" ")[0].removesuffix(" in")
        named = _table_of(plain or words)
        return stated.table if named == stated.table else None
    named = _table_of(words)
    return named if named and _has_unit(named, unit) else None


def _table_of(words: str) -> TableName | None:
    return next((t for t in TABLES if words == t or words in _TABLES[t].split(", ")), None)


def columns_called(titles: Sequence[str], known: Sequence[str]) -> dict[str, int]:
    """The positions of the known columns among the titles of a header; exact names come first."""
    plain = [title[:_TITLE_CHARACTERS].casefold() for title in titles]
    found = {name: plain.index(name) for name in known if name in plain}
    if len(found) == len(known):
        return found
    parted = [_parted(title) for title in plain]
    for name in known:
        for word in [] if name in found else _words(name):
            places = (
                place
                for place, (words, unit) in enumerate(parted)
                if words == word and place not in found.values() and _has_unit(name, unit)
            )
            place = next(places, None)
            if place is not None:
                found[name] = place
                break
    if known and known[0] not in found and plain and not plain[0]:
        found[known[0]] = 0  # the corner above the names is blank
    return found


def name_column(table: str, titles: Sequence[str]) -> int:
    """The position of the names in a table with these titles."""
    key = _KEYS.get(table)
    return 0 if key is None else columns_called(titles, (key,)).get(key, 0)


def names_machines(title: str) -> bool:
    """Whether the corner of a table says that the names below it are machine types."""
    words, _ = _parted(title)
    return words in {*_words("machine_type")} - {*_words("task_type")}


def _words(column: str) -> list[str]:
    return _COLUMNS[column].split(", ") if column in _COLUMNS else []


def _parted(title: str) -> tuple[str, str]:
    """The words of a title, and the unit in brackets after them."""
    words, unit = title[:_TITLE_CHARACTERS].strip().casefold(), ""
    for opening, closing in ("()", "[]"):
        if words.endswith(closing) and opening in words:
            words, _, unit = words[:-1].rpartition(opening)
    for mark in "_-./:":
        words = words.replace(mark, " ")
    return " ".join(words.split()), unit.strip()


def _has_unit(name: str, unit: str) -> bool:
    if name in _CONVERTED and (stated := unit_called(unit)) is not None:
        return stated.table == _CONVERTED[name]
    return not unit or name in _OF_MONEY or unit in _UNITS.get(name, ())
