"""What the slides and their tables say, sentence by sentence, and whether it holds here."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from benchmarks.publications.claim import Claim, percent
from benchmarks.publications.stretch.scenario_runs import NOT_SLOWER, ScenarioSample
from benchmarks.publications.stretch.tables import (
    MEASURED,
    PLATFORM,
    SIMULATED,
    all_pairs,
    judged,
    label_of,
)

OURS: Final = "polished-online"
BEST_PUBLISHED: Final = "cbs3m-edf-online"
LISTS: Final = ("spt", "srpt", "swrpt")
MCT: Final = tuple(f"{order}-mct" for order in LISTS)
RR: Final = tuple(f"{order}-rr" for order in LISTS)
BURSTS: Final = tuple(
    f"cbs3m-{rule}-{mode}" for rule in ("edf", "fifo") for mode in ("online", "offline")
)
_EARLY_CAUSE: Final = (
    "The plan is one of many with the same worst stretch, and which is not published. Ours lets "
    "tasks end early, and there are still many of these."
)
_DD_CAUSE: Final = (
    "A true DD, where machines ask for tasks, is as good as MCT here; the same digits of RR and DD "
    "in all tables look like one program under two names."
)


def of_max_stretch(sample: ScenarioSample) -> Iterator[Claim]:
    yield from _orders(
        sample,
        "max_stretch",
        "All four CBS3M < SPT, SRPT and SWRPT with MCT < MWMA NBT < FIFO MCT < FIFO RR",
        (BURSTS, MCT, ("mwma-nbt",), ("fifo-mct",), ("fifo-rr",)),
    )
    yield from _orders(
        sample,
        "max_stretch",
        "SPT, SRPT and SWRPT with RR are between their MCT and FIFO MCT",
        (MCT, RR, ("fifo-mct",)),
    )
    for mode in ("online", "offline"):
        yield from _orders(
            sample,
            "max_stretch",
            f"EDF is at least as good as FIFO in CBS3M {mode}",
            ((f"cbs3m-edf-{mode}",), (f"cbs3m-fifo-{mode}",)),
        )
    slow, quick = (sample.of("max_stretch", f"mwma-{name}") for name in ("ms", "nbt"))
    ratio, found = float(slow.mean() / quick.mean()), judged(slow - 1.5 * quick)
    yield Claim(
        "MWMA MS is well above MWMA NBT (read: 1.5 times and more)",
        "2.5 times",
        f"{ratio:.2f} times",
        found.holds,
        f"{ratio / 2.51:.2f} times as much",
        cause=PLATFORM,
        undecided=found.undecided,
    )
    yield _bursts_are_best(sample, "scenarios", "about 95 %", 0.95)
    yield from _online_against_offline(sample)
    asking, in_turn = (sample.mean("max_stretch", f"spt-{choice}") for choice in ("dd", "rr"))
    same = all(
        math.isclose(*(sample.mean("max_stretch", f"{order}-{c}") for c in ("dd", "rr")))
        for order in ("fifo", *LISTS)
    )
    yield Claim(
        "Rows of DD are those of RR",
        "to the last digit",
        f"SPT: {asking:.3f} against {in_turn:.3f}",
        same,
        f"{asking / in_turn:.2f} times",
        cause=_DD_CAUSE,
    )


def of_others(sample: ScenarioSample) -> dict[str, list[Claim]]:
    """The claims of the other tables, by score."""
    return {
        "sum_stretch": [
            *_orders(
                sample,
                "sum_stretch",
                "With MCT, SWRPT <= SRPT < SPT",
                (("swrpt-mct",), ("srpt-mct",), ("spt-mct",)),
            ),
            *_at_most(
                sample, "sum_stretch", "SPT, SRPT and SWRPT with MCT are below 1.2", MCT, 1.2
            ),
        ],
        "makespan": [
            *_alike(sample, "RR", ("fifo-rr", *RR)),
            *_alike(sample, "MCT", ("fifo-mct", *MCT)),
            *_at_most(
                sample,
                "makespan",
                "MWMA and CBS3M are within 8 % of the best",
                ("mwma-nbt", "mwma-ms", *BURSTS),
                1.08,
            ),
            *_lists_lose(sample),
        ],
    } | _of_flows(sample)


def _of_flows(sample: ScenarioSample) -> dict[str, list[Claim]]:
    return {
        "max_flow": [
            *_orders(
                sample,
                "max_flow",
                "FIFO MCT is better than SPT, SRPT and SWRPT with MCT",
                (("fifo-mct",), MCT),
            ),
            *_orders(
                sample,
                "max_flow",
                "All four CBS3M are better than MWMA and all with MCT",
                (BURSTS, ("mwma-nbt", "mwma-ms", "fifo-mct", *MCT)),
            ),
        ],
        "sum_flow": [
            *_orders(
                sample,
                "sum_flow",
                "CBS3M EDF < SRPT MCT < MWMA MS < FIFO RR",
                (
                    ("cbs3m-edf-online", "cbs3m-edf-offline"),
                    ("srpt-mct",),
                    ("mwma-ms",),
                    ("fifo-rr",),
                ),
            ),
        ],
    }


def of_cluster(measured: ScenarioSample, simulated: ScenarioSample) -> Iterator[Claim]:
    """Table 6: what was measured on a cluster, on scenarios like these that are replayed."""
    for name, printed in MEASURED.items():
        if name.endswith("-dd"):
            continue
        here = measured.interval("max_stretch", name)
        ratio = here.mean / printed
        yield Claim(
            f"The mean of {label_of(name)} (read: neither is more than 1.5 times the other)",
            f"{printed:.2f}",
            f"{here.mean:.2f} ± {here.half_width:.2f}",
            max(ratio, 1 / ratio) <= 1.5,
            f"{ratio:.2f} times",
            cause=_in_turn_cause(measured) if name == "fifo-rr" else PLATFORM,
            of_row=True,
        )
    nbt, mct = (measured.of("max_stretch", name) for name in ("mwma-nbt", "spt-mct"))
    found = judged(mct - nbt)
    yield Claim(
        "MWMA NBT is better than SPT MCT on the cluster",
        f"{MEASURED['mwma-nbt']:.2f} against {MEASURED['spt-mct']:.2f}",
        f"{nbt.mean():.2f} against {mct.mean():.2f}",
        found.holds,
        f"by {found.said}",
        cause=PLATFORM,
        undecided=found.undecided,
    )
    yield from _orders(
        simulated,
        "max_stretch",
        "MWMA NBT is worse than SPT MCT in simulations",
        (("spt-mct",), ("mwma-nbt",)),
    )
    yield _bursts_are_best(measured, "experiments", "in 9 of 10", 0.9)


def of_ours(simulated: ScenarioSample, measured: ScenarioSample) -> Iterator[Claim]:
    """Aims of Wattfront for its own policies."""
    for sample, where in ((simulated, "20 bags on 10 machines"), (measured, "12 bags on 8")):
        excess = (sample.of("max_stretch", name) - 1 for name in (OURS, BEST_PUBLISHED))
        ours, theirs = excess
        found = judged(0.5 * theirs - ours)
        yield Claim(
            "The mean excess of the worst stretch over the least possible, online, is at most half "
            f"of that of CBS3M EDF online ({where})",
            f"{percent(float(theirs.mean()))} for CBS3M",
            percent(float(ours.mean())),
            found.holds,
            f"{ours.mean() / theirs.mean():.2f} times",
            ours=True,
            undecided=found.undecided,
        )
    faulty = simulated.faulty + measured.faulty
    yield Claim(
        "The judge accepts all outcomes of all policies, and no worst stretch is below what is "
        "proven",
        "always",
        "always" if not faulty else f"but for {faulty}",
        not faulty,
        "a theorem",
        ours=True,
        cannot_fail=True,
    )


def _online_against_offline(sample: ScenarioSample) -> Iterator[Claim]:
    online, offline = (
        sample.of("max_stretch", f"cbs3m-edf-{mode}") for mode in ("online", "offline")
    )
    found = judged(offline - online)
    yield Claim(
        "CBS3M EDF online is at least as good as offline, on average",
        "1.163 against 1.213",
        f"{online.mean():.3f} against {offline.mean():.3f}",
        found.holds,
        f"better by {found.said}",
        cause=_EARLY_CAUSE,
        undecided=found.undecided,
    )
    best = [sample.is_best("max_stretch", [f"cbs3m-edf-{mode}"]) for mode in ("online", "offline")]
    shares, found = [float(one.mean()) for one in best], judged(best[0] - best[1])
    yield Claim(
        "CBS3M EDF online is the best more often than offline",
        "64 % against 26 %",
        f"{percent(shares[0])} against {percent(shares[1])}",
        found.holds,
        f"{100 * (shares[0] - shares[1]):+.1f} percentage points against +37.8",
        cause=_EARLY_CAUSE,
        undecided=found.undecided,
    )


def _orders(
    sample: ScenarioSample,
    score: str,
    sentence: str,
    groups: Sequence[Sequence[str]],
) -> Iterator[Claim]:
    """All of a group have smaller means than all of the next one."""
    ranges = [[sample.mean(score, name) for name in group] for group in groups]
    pairs = all_pairs(groups)
    found = judged(*(sample.of(score, late) - sample.of(score, early) for early, late in pairs))
    early, late = (label_of(name) for name in pairs[found.at])
    yield Claim(
        sentence,
        ", ".join(_range([SIMULATED[score][name].mean for name in group]) for group in groups),
        ", ".join(map(_range, ranges)),
        found.holds,
        f"least: {late} less {early} is {found.said}",
        cause=PLATFORM,
        undecided=found.undecided,
    )


def _range(values: Iterable[float]) -> str:
    values = list(values)
    low, high = f"{min(values):.3f}", f"{max(values):.3f}"
    return low if low == high else f"{low} to {high}"


def _at_most(
    sample: ScenarioSample, score: str, sentence: str, policies: Sequence[str], most: float
) -> Iterator[Claim]:
    means = [sample.mean(score, name) for name in policies]
    found = judged(*(most - sample.of(score, name) for name in policies))
    over = [label_of(n) for n, mean in zip(policies, means, strict=True) if mean > most]
    yield Claim(
        sentence,
        _range(SIMULATED[score][name].mean for name in policies),
        _range(means),
        found.holds,
        f"above: {', '.join(over)}" if over else "none is above",
        cause=_late_plan_cause(sample),
        undecided=found.undecided,
    )


def _alike(sample: ScenarioSample, choice: str, policies: Sequence[str]) -> Iterator[Claim]:
    by_mean = sorted(policies, key=lambda name: sample.mean("makespan", name))
    means = [sample.mean("makespan", name) for name in by_mean]
    apart = means[-1] / means[0] - 1
    least, most = (sample.of("makespan", by_mean[place]) for place in (0, -1))
    found = judged(1.02 * least - most)
    yield Claim(
        f"With {choice}, the order of bags does not matter (read: means are within 2 %)",
        _range(SIMULATED["makespan"][name].mean for name in policies),
        _range(means),
        found.holds,
        f"{percent(apart)} apart",
        cause=PLATFORM,
        undecided=found.undecided,
    )


def _lists_lose(sample: ScenarioSample) -> Iterator[Claim]:
    lists = [sample.of("makespan", name) - 1 for name in ("fifo-mct", *MCT)]
    several = [sample.of("makespan", name) - 1 for name in ("mwma-nbt", "mwma-ms", *BURSTS)]
    least = min(float(values.mean()) for values in lists)
    most = max(float(values.mean()) for values in several)
    found = judged(*(one - 2 * other for one in lists for other in several))
    yield Claim(
        "Lists with MCT lose a third against the best, and policies that run several bags at a "
        "time hardly anything (read: at most half as much)",
        "33 % against 8 % at most",
        f"{percent(least)} against {percent(most)} at most",
        found.holds,
        f"{100 * (least - 0.33):+.1f} percentage points",
        cause=PLATFORM,
        undecided=found.undecided,
    )


def _bursts_are_best(sample: ScenarioSample, of: str, printed: str, share: float) -> Claim:
    best = sample.is_best("max_stretch", BURSTS)
    found = judged(best - 0.8)
    return Claim(
        f"A CBS3M variant is the best (read: in 80 % of {of} and more)",
        printed,
        percent(float(best.mean())),
        found.holds,
        f"{100 * (best.mean() - share):+.1f} percentage points",
        cause=PLATFORM,
        undecided=found.undecided,
    )


def _in_turn_cause(sample: ScenarioSample) -> str:
    means = " and ".join(
        f"{mean:.1f} with {share:g} of the fastest"
        for share, mean in zip(NOT_SLOWER, sample.in_turn.mean(axis=0).tolist(), strict=True)
    )
    return (
        "Turns go to slow machines, too, and the speeds are not published: in the same scenarios, "
        f"if none is slower than that, it is {means}."
    )


def _late_plan_cause(sample: ScenarioSample) -> str:
    late = percent(sample.last_due - 1)
    return (
        "A link without a quota waits until the next interval, so whole tasks end near their "
        f"deadlines; the last one is {late} after the best end, on average."
    )
