"""What bags and a network a file has beside its system, for `wattfront check` and `convert`."""

import math
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.capabilities.fair_shares import SETTINGS
from core.capabilities.fair_shares.bags_reader import MEGABYTE, bags_of, says_anything
from core.files.beside import Additions, KeptBeside, SeenBeside
from core.files.findings import Findings
from core.files.system_file import inspect_parts
from core.vocabulary.arrays import FloatArray

if TYPE_CHECKING:
    from core.capabilities.fair_shares.bags import ArrivingBags


def seen(path: Path) -> SeenBeside | None:
    """The bags and the network at a path, or what is wrong with them; None if there are none."""
    findings = Findings()
    parts = inspect_parts(path, SETTINGS, findings)
    if parts is None or not says_anything(parts):
        return None
    bags = bags_of(parts, parts.types, findings)
    problems = findings.problems()
    if bags is None or findings.failed:
        return SeenBeside(None, 0, problems)
    return SeenBeside(parts.types, sum(parts.machine_counts), problems, _rows(bags), _data(bags))


def _rows(bags: "ArrivingBags") -> tuple[tuple[str, str], ...]:
    from core.capabilities.fair_shares.words import (  # only who has bags waits for it
        network_said,
        releases_said,
    )

    return (("network", network_said(bags)), ("releases", releases_said(bags)))


def _data(bags: "ArrivingBags") -> dict[str, object]:
    bandwidth = bags.network.bandwidth / MEGABYTE
    return {
        "network": {
            "bandwidth": bandwidth if math.isfinite(bandwidth) else None,
            "first_release": float(bags.release.min()),
            "last_release": float(bags.release.max()),
        }
    }


def kept(path: Path) -> KeptBeside:
    """The bags and network at a path, or nothing. What cannot be kept is a warning."""
    findings = Findings()
    parts = inspect_parts(path, SETTINGS, findings)
    if parts is None or parts.types is None or not says_anything(parts):
        return KeptBeside()  # what is wrong with a system, its reader says
    of_bags = Findings()
    bags = bags_of(parts, parts.types, of_bags)
    if bags is None or findings.failed:
        return KeptBeside.left_out("the network", findings, of_bags)
    return KeptBeside(
        parts.types, additions_of(bags, {*parts.tasks, *parts.machines}, parts.machine_counts)
    )


def additions_of(
    bags: "ArrivingBags",
    columns: Collection[str] = ("release", "data", "link", "memory"),
    machine_counts: Sequence[int] | None = None,
) -> Additions:
    """What bags have beside their system, as its files have it; other `machine_counts` if given."""
    network = bags.network

    def among(values: dict[str, FloatArray]) -> dict[str, Sequence[float]]:
        return {name: each.tolist() for name, each in values.items() if name in columns}

    limited = math.isfinite(network.bandwidth)
    return Additions(
        {SETTINGS: {"bandwidth": network.bandwidth / MEGABYTE} if limited else {}},
        among({"release": bags.release, "data": bags.data / MEGABYTE}),
        among({"link": network.links / MEGABYTE, "memory": network.memory / MEGABYTE}),
        bags.system.machine_counts.tolist() if machine_counts is None else machine_counts,
    )
