"""A system's facts say its size and what is special about it."""

from core.samples.named import load_sample
from dashboard.common.summary import facts


def test_the_test_bed_has_two_impossible_pairs() -> None:
    assert facts(load_sample("testbed")) == (
        "90 tasks of 4 types",
        "4 machines of 4 types",
        "2 pairs cannot run",
        "idle 0 W",
    )


def test_a_system_without_powers_says_so() -> None:
    assert facts(load_sample("e1"))[-2:] == ("every pair can run", "power unknown")


def test_idle_watts_of_all_machines_are_added_up() -> None:
    idle = load_sample("nine").with_idle_fraction(0.5)
    assert facts(idle)[-1] == "idle 2.396 kW"
