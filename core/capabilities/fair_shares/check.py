"""What the bags and the network are that a file has beside its system, for `wattfront check`."""

import math
from pathlib import Path
from typing import TYPE_CHECKING

from core.capabilities.fair_shares import SETTINGS
from core.capabilities.fair_shares.bags_reader import MEGABYTE, bags_of, says_anything
from core.files.beside import SeenBeside
from core.files.findings import Findings
from core.files.system_file import inspect_parts

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
