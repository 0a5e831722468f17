"""Every rival goes by its name, obeys the same call, and gives a schedule that can really run."""

import pytest

from core.engines.rivals import RIVALS
from core.engines.verify.judge import verify
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System

BUILDERS = ["min-min", "max-min", "sufferage", "mct", "met", "olb"]
SEARCHERS = ["cp-sat", "integer-program"]


def test_names() -> None:
    assert sorted(RIVALS) == sorted(BUILDERS + SEARCHERS)
    assert {name for name, rival in RIVALS.items() if rival.anytime} == set(SEARCHERS)
    assert all(rival.name == name and rival.title for name, rival in RIVALS.items())


@pytest.mark.parametrize("name", BUILDERS + SEARCHERS)
def test_impossible_pairs_and_absent_machines_are_never_used(name: str) -> None:
    testbed = load_sample("testbed")
    first, *others = testbed.machine_types
    without_first = System(
        tuple(TaskType(task.name, min(task.count, 5)) for task in testbed.task_types),
        (MachineType(first.name, 0), *others),
        testbed.etc,
    )
    verdict = verify(RIVALS[name].solve(without_first, seconds=1), without_first)
    assert verdict.ok, verdict.problems


@pytest.mark.parametrize(
    ("limits", "said"),
    [({"seconds": 0}, "seconds above 0, not 0"), ({"threads": 0}, "at least one thread, not 0")],
)
def test_a_rival_needs_time_and_a_thread(limits: dict[str, int], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        RIVALS["mct"].solve(load_sample("two-by-two"), **limits)
