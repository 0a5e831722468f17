"""A question about bags in a study file: bags, system and network, what-if, and clock."""

import json
from collections.abc import Sequence
from typing import Any, Final

from core.capabilities.fair_shares.bags import RELEASE, ArrivingBags
from core.capabilities.fair_shares.bags_reader import MEGABYTE, inspect_bags_bytes
from core.capabilities.fair_shares.beside import additions_of
from core.capabilities.fair_shares.day_clock import DayClock
from core.capabilities.fair_shares.settings import WhatIfSettings
from core.capabilities.fair_shares.shares import (
    NO_CHANGE,
    AskedBags,
    BagsChange,
    MachinesAdded,
    OneMoreBag,
)
from core.files.document import document_lines
from core.files.strict_json import Fields
from core.shells.settings.forms import read_block
from core.vocabulary.prices.site import Site
from core.vocabulary.ranges import MACHINE_COUNT, Range
from core.vocabulary.system import System

MOST_TASKS: Final = Range(1, 10**12, "tasks")
MORE: Final = Range(-MACHINE_COUNT.high, MACHINE_COUNT.high, "machines")
_KEYS: Final = ("name", "bags", "begins", "another", "machines", "bandwidth")


def read(given: Fields, _system: System | None, _site: Site | None = None) -> AskedBags | None:
    """The question, valid only if nothing was reported; the bags have a system of their own."""
    given.warn_of_unused(_KEYS)
    document = Fields.of(given.content, "bags", given.label, given.findings)
    if not document.content:
        return None
    bags = _bags(document)
    said = WhatIfSettings(**read_block(given, WhatIfSettings))
    name = given.text("name") if given.has("name") else ""
    if bags is None:
        return None
    return AskedBags(bags, name, _change(given, bags.system, said.bandwidth), DayClock(said.begins))


def written(asked: AskedBags | None) -> dict[str, object]:
    """The question as JSON; types are named, bandwidths are in MB/s as in files."""
    if asked is None:
        return {}
    system, change = asked.bags.system, asked.change
    document = "".join(document_lines(system, additions_of(asked.bags)))
    found: dict[str, object] = {
        "name": asked.name,
        "bags": json.loads(document),
        "begins": asked.clock.begins,
    }
    if change.bandwidth is not None:
        found["bandwidth"] = change.bandwidth / MEGABYTE
    if change.bag is not None:
        like, tasks, release = change.bag
        found["another"] = {
            "like": system.task_names[like],
            "tasks": tasks,
            "release": release,
        }
    if change.machines is not None:
        kind, more = change.machines
        found["machines"] = {"type": system.machine_names[kind], "more": more}
    return found


def commands(asked: AskedBags | None) -> list[list[object]]:
    """The arguments of `wattfront fair-shares` after the study file, which has the rest."""
    return [] if asked is None else [[]]


def _bags(document: Fields) -> ArrivingBags | None:
    data = json.dumps(document.content, default=str).encode()
    bags = inspect_bags_bytes("bags.json", data)
    for one in bags.problems:
        report = document.findings.error if one.severity == "error" else document.findings.warning
        report(document.label, one.row, one.column, one.message)
    return bags.value


def _change(given: Fields, system: System, bandwidth: float | None) -> BagsChange:
    return BagsChange(
        _another(given, system) if given.has("another") else NO_CHANGE.bag,
        _machines(given, system) if given.has("machines") else NO_CHANGE.machines,
        None if bandwidth is None else bandwidth * MEGABYTE,
    )


def _another(given: Fields, system: System) -> OneMoreBag | None:
    bag = Fields.of(given.content, "another", given.label, given.findings)
    bag.warn_of_unused(("like", "tasks", "release"))
    like = _place(bag, "like", system.task_names)
    tasks, release = bag.whole("tasks", MOST_TASKS), bag.number("release", RELEASE)
    return None if like is None else OneMoreBag(like, tasks, release)


def _machines(given: Fields, system: System) -> MachinesAdded | None:
    machines = Fields.of(given.content, "machines", given.label, given.findings)
    machines.warn_of_unused(("type", "more"))
    kind = _place(machines, "type", system.machine_names)
    more = machines.whole("more", MORE)
    return None if kind is None else MachinesAdded(kind, more)


def _place(given: Fields, key: str, names: Sequence[str]) -> int | None:
    name: Any = given.text(key)
    if name in names:
        return list(names).index(name)
    if name:
        given.error(key, "is no type of these bags; correct the name")
    return None
