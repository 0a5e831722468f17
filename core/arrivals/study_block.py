"""The settings of work that arrives in a study file, with a workload of a person's own."""

import json
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass, fields
from difflib import get_close_matches
from hashlib import sha256
from typing import Any, Final

from core.arrivals import CAPABILITY
from core.arrivals.asked import (
    BUDGET_SHARE,
    DAY_SEED,
    DAYS,
    JOBS,
    WORKLOADS,
    ArrivalsSettings,
    GivenWorkload,
)
from core.arrivals.bag_trials import BagTrials
from core.arrivals.policies import DROP, FILTERS, POLICIES
from core.arrivals.trials import ReplayComparison
from core.arrivals.uncertain import ERROR_LEVELS, MACHINES
from core.arrivals.uncertain_methods import BAG_METHODS, EXCHANGE, WEIGHED
from core.arrivals.workload_file import WorkloadFile
from core.arrivals.workload_reader import workload_in_document
from core.arrivals.workload_writer import document_of_workload
from core.files.fields import Fields
from core.files.findings import shown
from core.model.ranges import Range
from core.model.system import System
from core.studies.settings import StudySettings

MOST_JOBS: Final = 20_000
MOST_OPTIONS: Final = 100_000
"""Jobs and options of a workload that a study file holds."""
_OWN: Final = "own"
_KEYS: Final = tuple(field.name for field in fields(ArrivalsSettings))
_DIGEST: Final = 24


@dataclass(frozen=True, slots=True, eq=False)
class AskedArrivals:
    """What is asked, and the workload that a person gave. `found` is what a report shows; None:
    the report computes it. Study files do not keep it.
    """

    settings: ArrivalsSettings
    given: GivenWorkload | None = None
    found: ReplayComparison | BagTrials | None = None


def fits_study(file: WorkloadFile) -> bool:
    """Whether a study file can hold a workload."""
    workload = file.workload
    return len(workload.jobs) <= MOST_JOBS and len(workload.options.pool) <= MOST_OPTIONS


def digest_of(data: bytes) -> str:
    """What tells workloads of people from each other."""
    return sha256(data).hexdigest()[:_DIGEST]


def read(given: Fields, _system: System | None) -> AskedArrivals:
    """The settings, valid only if nothing was reported; what is missing has its default."""
    given.warn_of_unused(_KEYS)
    found: dict[str, Any] = {}
    readers: dict[str, Callable[[str], object]] = {
        "workload": lambda key: given.one_of(key, WORKLOADS),
        "jobs": lambda key: given.whole(key, JOBS),
        "seed": lambda key: given.whole(key, DAY_SEED),
        "days": lambda key: given.whole(key, DAYS),
        "budget": lambda key: given.number(key, BUDGET_SHARE),
        "drop_below": lambda key: given.number(key, DROP),
        "filter": lambda key: given.one_of(key, FILTERS),
        "errors": lambda key: given.one_of(key, ERROR_LEVELS),
        "machines": lambda key: _machines(given, key),
        "policies": lambda key: _named(given, key, POLICIES, "policy"),
        "methods": lambda key: _named(given, key, BAG_METHODS, "method for bags"),
        "exchange": lambda key: given.number(key, EXCHANGE),
    }
    for key, reader in readers.items():
        if given.has(key):
            found[key] = reader(key)
        elif key in given.content and key in ("budget", "filter", "exchange"):
            found[key] = None
    if found.get("workload") != _OWN:
        return AskedArrivals(ArrivalsSettings(**found))
    workload = _own(given)
    digest = "" if workload is None else workload.digest
    return AskedArrivals(ArrivalsSettings(**found, own=digest), workload)


def written(asked: AskedArrivals) -> dict[str, object]:
    """The settings, with the workload that a person gave."""
    settings = asked.settings
    said = asdict(settings) | {
        "policies": list(settings.policies),
        "methods": list(settings.methods),
    }
    del said[_OWN]
    if asked.settings.workload == _OWN and asked.given is not None:
        document = document_of_workload(asked.given.file)
        said[_OWN] = {"name": asked.given.name, "file": document}
    return said


def commands(asked: AskedArrivals) -> list[list[object]]:
    """The arguments of `wattfront replay` after the study file, which has the workload."""
    settings = asked.settings
    words: list[object] = []
    if settings.of_bags:
        if settings.methods != tuple(BAG_METHODS):
            for method in settings.methods:
                words += ["--policy", method]
        if settings.exchange is not None and WEIGHED.name in settings.methods:
            words += ["--exchange-rate", settings.exchange]
    else:
        for policy in settings.policies:
            words += ["--policy", policy]
        words += _budget(settings)
        words += ["--drop", settings.drop_below]
        if (kept := settings.switches.filter) is not None:
            words += ["--filter", kept.text]
    if settings.workload != _OWN:
        words += ["--trials", settings.days]
    return [[*words, "--seed", settings.seed]]


def _budget(settings: ArrivalsSettings) -> list[object]:
    if settings.budget is not None:
        return ["--budget-share", settings.budget]
    return [] if settings.workload == _OWN else ["--budget", "none"]


def arrivals_in(study: StudySettings) -> AskedArrivals | None:
    """What the settings of a study ask about work that arrives; None if nothing."""
    found = study.blocks.get(CAPABILITY.name)
    return found if isinstance(found, AskedArrivals) else None


def as_block(asked: AskedArrivals | None) -> dict[str, object]:
    """The blocks of a study with this question; empty without one."""
    return {} if asked is None else {CAPABILITY.name: asked}


def _named(given: Fields, key: str, known: Collection[str], what: str) -> tuple[str, ...]:
    """The names of a list that are `known`."""
    listed = given.content[key]
    if not isinstance(listed, list):
        given.error(key, f"is not a list; give some of {', '.join(known)}")
        return ()
    for name in listed:
        if not isinstance(name, str) or name not in known:
            close = get_close_matches(str(name).casefold(), known, 1, 0.5)
            meant = f"did you mean {close[0]}?" if close else f"give some of {', '.join(known)}"
            given.error(key, f"'{shown(str(name))}' is no {what}; {meant}")
    return tuple(dict.fromkeys(name for name in listed if isinstance(name, str)))


def _machines(given: Fields, key: str) -> int:
    count = given.whole(key, Range(MACHINES[0], MACHINES[-1], "machines"))
    if count not in MACHINES:
        said = ", ".join(map(str, MACHINES))
        given.error(key, f"is {count}, but bags are drawn for {said} machines; give one of these")
    return count


def _own(given: Fields) -> GivenWorkload | None:
    own = Fields.of(given.content, _OWN, given.label, given.findings)
    if not own.content:
        return None
    own.warn_of_unused(("name", "file"))
    name = own.text("name")
    document = Fields.of(own.content, "file", own.label, own.findings)
    if not document.content:
        return None
    file = workload_in_document(document.content, document.label, given.findings)
    if file is None:
        return None
    data = json.dumps(document.content, sort_keys=True, default=str).encode()
    return GivenWorkload(name, digest_of(data), file)
