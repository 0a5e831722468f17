"""What is asked of nodes that sleep, and what is assumed of them: no log shows it."""

from dataclasses import dataclass
from typing import Final

from core.vocabulary.ranges import SHARE, Range
from core.vocabulary.setting import Flag, NumberIn, setting
from core.vocabulary.without_work import (
    ASLEEP,
    USUAL_ASLEEP_WATTS,
    USUAL_IDLE_SHARE,
    USUAL_START_SECONDS,
)

BUSY_WATTS: Final = Range(1.0, 1e6, "W")
START: Final = Range(1.0, 7200.0, "s")


@dataclass(frozen=True, slots=True)
class SwitchOffSettings:
    """`most_waits` is the share of the jobs of each machine type that may wait for a node to start.
    A node draws `asleep_watts` while it sleeps, and its power at work for `start_seconds` while it
    starts. Where a system says no power at work, a node draws `busy_watts`; where it says no idle
    power, `idle_share` of its power at work.
    """

    most_waits: float = setting(
        0.01,
        NumberIn(SHARE),
        "Jobs that may wait for a start",
        "At most this share of the jobs of each machine type finds a node asleep, in the part of "
        "the log by which the nodes are chosen.",
        flag=Flag("SHARE", "the share of jobs that may wait for a start (default 0.01)"),
    )
    start_seconds: float = setting(
        USUAL_START_SECONDS,
        NumberIn(START),
        "A start takes (s)",
        "From the call of ResumeProgram until the node takes a job. It draws its power at work.",
        flag=Flag("S", "how long a node takes to start (default 180)"),
    )
    asleep_watts: float = setting(
        USUAL_ASLEEP_WATTS,
        NumberIn(ASLEEP),
        "A sleeping node draws (W)",
        "Its management controller and power supply. A meter shows it.",
        flag=Flag("W", "what a sleeping node draws (default 10)"),
    )
    idle_share: float = setting(
        USUAL_IDLE_SHARE,
        NumberIn(SHARE),
        "Idle power, where unknown (share)",
        "As a share of the power at work. Idle power above every page goes before.",
        flag=Flag(
            "SHARE",
            "idle power as a share of the power at work, where nothing says it (default 0.3)",
        ),
    )
    busy_watts: float = setting(
        350.0,
        NumberIn(BUSY_WATTS),
        "Power at work, where unknown (W)",
        "Of one node. A log with energies has the true one.",
        flag=Flag("W", "power of a node at work, where the log has no energy (default 350)"),
    )
