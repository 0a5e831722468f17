"""What-ifs that are compared, kept while the server runs so that a reload finds them."""

from hashlib import sha256

from dashboard.compare.scenario import Scenario
from dashboard.shell import sizes
from dashboard.workspace.shelf import BYTES_KEPT, Shelf


def what_if_shelf(most: int = BYTES_KEPT) -> Shelf[tuple[Scenario, ...]]:
    """For what-ifs that are compared, each with the system it is made from."""
    return Shelf(_digest, _of_what_ifs, most)


def _digest(scenarios: tuple[Scenario, ...]) -> str:
    """Equal what-ifs in the same order, and only they, have equal digests."""
    told = [
        (one.number, one.origin, one.base.fingerprint, one.machines, one.tasks, _settings(one))
        for one in scenarios
    ]
    return sha256(repr(told).encode()).hexdigest()


def _settings(one: Scenario) -> tuple[object, ...]:
    return one.idle_fraction, one.tariff, one.name


def _of_what_ifs(scenarios: tuple[Scenario, ...]) -> int:
    bases = {one.base.fingerprint: sizes.of_system(one.base) for one in scenarios}
    return sum(bases.values()) + sum(sizes.of_types(one.machines, one.tasks) for one in scenarios)
