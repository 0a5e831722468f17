"""What a network and bags have beside their system, for `wattfront convert`."""

import math
from collections.abc import Collection, Sequence
from pathlib import Path

from core.capabilities.fair_shares import SETTINGS
from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.bags_reader import MEGABYTE, bags_of, says_anything
from core.files.beside import Additions, KeptBeside
from core.files.findings import Findings
from core.files.system_file import inspect_parts
from core.vocabulary.arrays import FloatArray


def kept(path: Path) -> KeptBeside:
    """The bags and the network at a path; nothing if there are none. What cannot be kept is a
    warning.
    """
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
    bags: ArrivingBags,
    columns: Collection[str] = ("release", "data", "link", "memory"),
    machine_counts: Sequence[int] | None = None,
) -> Additions:
    """What bags have beside their system, as its files have it; `machine_counts` take the place of
    those of the system.
    """
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
