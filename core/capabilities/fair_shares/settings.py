"""What is asked about bags besides their tables, each setting declared once; sizes are in MB."""

from dataclasses import dataclass
from typing import Final

from core.capabilities.fair_shares.bags_reader import MASTER
from core.capabilities.fair_shares.day_clock import BEGINS
from core.capabilities.fair_shares.tasks.policies import POLISH_EFFORT
from core.vocabulary.budget import SECONDS
from core.vocabulary.ranges import SEED, Range
from core.vocabulary.say.words import typed
from core.vocabulary.setting import Flag, NumberIn, WholeIn, YesNo, setting

DRAWN: Final = "published"
"""Names scenarios that are drawn like the published ones."""
PAGE_TRIALS: Final = Range(2, 200, "trials")
"""Two have an interval; 200 of a dozen bags take some minutes."""
TRIALS: Final = Range(1, 10_000, "trials")
_STRETCH: Final = Range(0.01, 1e6, "times the duration alone")


@dataclass(frozen=True, slots=True)
class SharesSettings:
    """What is looked at: the bandwidth of the master in place of what files say, the stretch that
    is promised (None: the best), whether whole tasks are replayed, and in how many trials (None:
    in none).
    """

    bandwidth: float | None = setting(
        None,
        NumberIn(MASTER),
        "Bandwidth (MB/s)",
        "What the master sends to all machines together. Blank: no limit.",
        blank="no limit",
        flag=Flag(
            "B",
            "what the master sends to all machines together (MB/s), in place of what the files say",
        ),
    )
    stretch: float | None = setting(None, NumberIn(_STRETCH), "Stretch that is promised")
    whole: bool = setting(False, YesNo(), "Replay whole tasks")
    trials: int | None = setting(
        None,
        WholeIn(PAGE_TRIALS),
        "Trials",
        flag=Flag(
            "N",
            "compare the policies in so many trials, by means with 95 %% intervals: each has the "
            f"bags in another random order with random gaps, or is, for the SYSTEM {DRAWN}, a "
            "scenario of 20 bags on 10 machines like those of the publication (default 1: the "
            "release dates as they are)",
            WholeIn(TRIALS),
        ),
    )


@dataclass(frozen=True, slots=True)
class WhatIfSettings:
    """The clock (time 0 is so many seconds after midnight), and the bandwidth in a what-if."""

    begins: float = setting(0.0, NumberIn(BEGINS), "Clock at time 0")
    bandwidth: float | None = setting(
        None,
        NumberIn(MASTER),
        "Bandwidth then (MB/s)",
        "What the master would send. Blank: as it is.",
        blank="as it is",
        parameter="faster",
    )


@dataclass(frozen=True, slots=True)
class SharingSettings:
    """What the command is asked besides: the front, and how policies that polish do that."""

    front: bool = setting(
        False,
        YesNo(),
        flag=Flag("", "the least energy for each worst stretch, with every vertex of this front"),
    )
    seed: int = setting(
        0,
        WholeIn(SEED),
        flag=Flag(
            "N", "of the first trial; the next have the next ones. Also of polish (default 0)"
        ),
    )
    seconds: float = setting(
        POLISH_EFFORT.seconds,
        NumberIn(SECONDS),
        flag=Flag(
            "S",
            "of polish at each release, for policies that polish (default "
            f"{typed(POLISH_EFFORT.seconds)})",
        ),
    )
