"""What is said to be held is about what Python allocates for it."""

import tracemalloc
from functools import partial

import pytest

from core.engines.compute.task import packed, unpacked
from core.engines.front.methods import Lp
from core.engines.front.study import Study, study
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort
from core.vocabulary.system import System
from dashboard.server import sizes

COPIES = 20


def allocated(make) -> float:
    """Bytes for each of what is made."""
    make()
    tracemalloc.start()
    made = [make() for _ in range(COPIES)]
    found = tracemalloc.get_traced_memory()[0] / len(made)
    tracemalloc.stop()
    return found


def used(system: System) -> System:
    """A copy of which everything was asked that is then kept."""
    copy = unpacked(packed(system))
    for name in ("task_names", "machine_names", "idle_power", "can_run", "dynamic_energy"):
        getattr(copy, name)
    assert copy.task_counts.size + copy.machine_counts.size == sum(copy.etc.shape)
    assert copy.fingerprint != copy.fingerprint_of_work
    return copy


@pytest.fixture(scope="module", params=["two-by-two", "testbed", "nine"])
def found(request: pytest.FixtureRequest) -> Study:
    return study(
        load_sample(request.param).with_idle_fraction(0.1),
        method=Lp(0.05),
        effort=Effort(0),
    )


def test_a_system_its_schedules_and_its_front(found: Study) -> None:
    known = (found.system,)
    schedules, front = packed(found.schedules, known), packed(found.front, known)
    for size, make in (
        (sizes.of_system(found.system), partial(used, found.system)),
        (sizes.of_schedules(found.schedules), partial(unpacked, schedules, known)),
        (sizes.of_front(found.front), partial(unpacked, front, known)),
    ):
        assert size == pytest.approx(allocated(make), rel=0.5)


def test_what_is_for_each_type() -> None:
    assert sizes.of_types("abc", "de") == sizes.of_types("abcde") > 0
