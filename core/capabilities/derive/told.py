"""A derivation is told: once for terminal and JSON, and in sentences that the page shares."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from core.engines.logs.derived.derivation import Derivation, Deriving
from core.engines.logs.derived.replayed import Energies, Replayed, replayed
from core.engines.logs.pairs.needs import Need, misfit_in_words
from core.engines.logs.types.classifying import MOST_TASK_TYPES
from core.engines.logs.types.rule_parts import words_of_rule
from core.engines.logs.types.settings import MachineUnit, RunSettings, Statistic
from core.shells.told.told import KeyFigure, Told, ToldTable
from core.vocabulary.say.columns import size_in_words
from core.vocabulary.say.words import HOUR, Sense, amount, counted, energy, power, share

_UNITS: Final[dict[MachineUnit, str]] = {
    "node": "One machine is one node. A job that had a part of a node counts that part of its time "
    "(of its cores or of its GPUs, whichever is more); a job on several nodes counts the time of "
    "each.",
    "core": "One machine is one core. A job counts its time on each of its cores.",
    "gpu": "One machine is one GPU. A job counts its time on each of its GPUs.",
    "job": "One machine is whatever a job got: its time counts as it is.",
}

_RULES: Final = {
    "name": "the name of the job",
    "stem": "the name of the job without its numbers",
    "clusters": "clusters of jobs that asked for similar resources",
    "size": "the cores, GPUs and memory asked for",
    "prefix": "the name of the node without the numbers that count nodes",
    "nodes": "the table of nodes",
    "one": "all machines are of one type",
}


def told(found: Deriving) -> Told:
    """What was derived, of which jobs, and what these took."""
    derivation, settings = found.derivation, found.derivation.settings
    took, lost = replayed(derivation, found.store), derivation.classified.reasons.lost
    figures = [
        KeyFigure("System", size_in_words(derivation.system), "Types, tasks and machines."),
        KeyFigure("Pairs", pairs_in_words(derivation), "Pairs of a task type and a machine type."),
    ]
    differences: list[str] = []
    if took is not None:
        ours = placement_in_words(took, settings.machine or "job")
        meaning = "What the runs take by these tables, on the machines on which they ran."
        figures.append(KeyFigure("The log's own placement", ours, meaning))
        differences = [*chain(*differences_in_words(took, settings))]
    not_used = tuple((count, why) for count, why in not_used_in_words(derivation))
    error = error_in_words(derivation)
    odd = (f"{note}." for note in found.store.notes)
    return Told(
        f"{jobs_in_words(derivation)} are used",
        (*odd, *notes(derivation), *([error] if error else []), *differences),
        tuple(figures),
        (ToldTable("Not used", ("How many", "Why"), not_used),) if not_used else (),
        {
            "rows": derivation.rows,
            "steps": derivation.steps,
            "jobs": derivation.jobs,
            "used": derivation.used,
            "rejected": dict(derivation.rejected),
            "task_types": len(derivation.system.task_types),
            "machine_types": len(derivation.system.machine_types),
            "pairs": derivation.pairs,
            "held_out_error": derivation.held_out_error,
            "requeued_jobs": lost.jobs,
            "lost_core_seconds": lost.core_seconds,
            "placement": took and _placement(took),
            "seconds": found.seconds,
        },
    )


def _placement(took: Replayed) -> dict[str, float | None]:
    """What the runs take by the tables on the machines on which they ran, and what was recorded."""
    energies = took.energies
    return {
        "machine_seconds": took.table_seconds,
        "joules": took.joules,
        "recorded_joules": energies.recorded if energies else None,
    }


def rule_in_words(rule: str) -> str:
    """What a rule looks at."""
    return " and ".join(map(_part_in_words, words_of_rule(rule)))


def _part_in_words(part: str) -> str:
    kind, _, argument = part.partition(":")
    if kind == "pattern":
        return f"the pattern {argument}"
    return _RULES.get(kind, f"the column {argument if kind == 'column' else kind}")


def pairs_in_words(derivation: Derivation) -> str:
    """How many pairs are measured, estimated and impossible."""
    pairs = derivation.pairs
    said = [
        f"{counted(pairs['measured'], 'pair')} measured",
        f"{pairs['estimated']:,} estimated",
        f"{pairs['impossible']:,} impossible",
    ]
    return ", ".join(said)


def jobs_in_words(derivation: Derivation) -> str:
    """How many jobs are used, of all that the log has."""
    return f"{derivation.used:,} of {counted(derivation.jobs, job_word(derivation.is_table))}"


def job_word(is_table: bool) -> str:
    """What a row of the log is about."""
    return "run" if is_table else "job"


def not_used_in_words(derivation: Derivation) -> Iterator[tuple[str, str]]:
    """What is not used, with how many there are, and the reason."""
    for counts, noun in (
        (derivation.unread, "row"),
        (derivation.left_out, job_word(derivation.is_table)),
    ):
        for reason, count in counts.items():
            yield counted(count, noun), reason


_NEEDS: Final[dict[Need, str]] = {
    "gpus": "their GPUs",
    "gpu model": "the model of their GPUs",
    "memory": "their memory",
    "features": "the features that they asked for",
    "partition": "their partition",
    "chances": "hundreds of chances without a run",
}


def _misfits(derivation: Derivation) -> Iterator[str]:
    """How many pairs cannot run, why, and what to do."""
    counts = Counter(why.need for why in derivation.misfits.values())
    if not counts:
        return
    reasons = ", ".join(f"{count:,} for {_NEEDS[need]}" for need, count in counts.most_common())
    (task, machine), why = next(iter(derivation.misfits.items()))
    pair = f"{derivation.system.task_names[task]} on {derivation.system.machine_names[machine]}"
    yield (
        f"{counted(counts.total(), 'pair')} without a run cannot run: {reasons}. For example, "
        f"{pair}: {misfit_in_words(why)}. The provenance has the reason of each; allow those that "
        "can run."
    )


def placement_in_words(took: Replayed, unit: MachineUnit) -> str:
    """What the runs of the log take by the tables, on the machines on which they ran."""
    hours = f"{amount(took.table_seconds / HOUR, Sense.PLAIN)} {unit}-hours"
    if took.joules is None:
        return hours
    return f"{hours} and {energy(took.joules, Sense.PLAIN)}"


def differences_in_words(
    took: Replayed, settings: RunSettings
) -> tuple[Sequence[str], Sequence[str]]:
    """The time and the recorded energy of the runs, where the tables have others for them; and the
    parts of the difference in energy, each with its reason.
    """
    said = []
    if abs(took.seconds - took.table_seconds) > _NO_DIFFERENCE * took.seconds:
        hours, ours = (
            amount(seconds / HOUR, Sense.PLAIN) for seconds in (took.seconds, took.table_seconds)
        )
        unit = settings.machine or "job"
        said.append(f"The log's runs took {hours} {unit}-hours; the tables have {ours} for them.")
    found = took.energies
    if found is None or not found.recorded:
        return said, []
    recorded = f"Meters recorded {energy(found.recorded, Sense.PLAIN)} for these runs"
    parts = _parts_in_words(found, took.estimated, settings.statistic)
    if not parts:
        return [*said, f"{recorded}; the tables have the same."], []
    ours = energy(found.tables, Sense.PLAIN)
    return [*said, f"{recorded}. The tables have {ours}, because of:"], parts


def _parts_in_words(found: Energies, estimated: float, statistic: Statistic) -> list[str]:
    """What the energy of the tables differs by from the recorded one."""
    part = share(estimated, Sense.PLAIN)
    reasons = (
        (found.shared, "runs that had a part of a node; a meter counts the whole node for each"),
        (
            found.unknown,
            f"{part} of the runs have no recorded energy; they count as their pair does",
        ),
        (found.typical, _TYPICAL[statistic]),
        (found.idle, "machines that do nothing until the last run ends"),
    )
    least = abs(found.recorded) * _NO_DIFFERENCE
    return [
        f"{'+' if joules > 0 else '−'}{energy(abs(joules), Sense.PLAIN)}: {why}."
        for joules, why in reasons
        if abs(joules) > least
    ]


_NO_DIFFERENCE: Final = 5e-4
"""A share that would not be seen in the first three digits."""
_TYPICAL: Final[dict[Statistic, str]] = {
    "mean": "pairs with too few runs to be measured, which take what was estimated",
    "median": "medians in the tables, which are below the means where some runs take long",
    "trimmed": "trimmed means in the tables, which leave out the longest runs",
}


def error_in_words(derivation: Derivation) -> str | None:
    """How wrong estimates are, beside two guesses; None if that cannot be told."""
    estimates = derivation.estimates
    held_out = estimates.held_out if estimates else None
    error = derivation.held_out_error
    if held_out is None or error is None:
        return None
    return (
        f"Of {counted(held_out.pairs, 'measured pair')} that were hidden, half were estimated with "
        f"an error of at most {share(error, Sense.SPENT)} (the mean of the task type would "
        f"give {share(held_out.means_of_task_types.median, Sense.SPENT)}, that of the machine type "
        f"{share(held_out.means_of_machine_types.median, Sense.SPENT)})."
    )


def _metered(derivation: Derivation) -> Iterator[str]:
    """What samples of monitoring say, and how they fit the log."""
    metered, names = derivation.metered, derivation.system.machine_names
    yield from metered.notes
    if metered.idle:
        said = "; ".join(
            f"{names[machine]} {_power(found.value)} ({found.runs:,} samples, half of them from "
            f"{_power(found.quarter)} to {_power(found.three_quarters)})"
            for machine, found in sorted(metered.idle.items())[:_TYPES_NAMED]
        )
        yield f"Measured idle watts of a node, while nothing ran on it: {said}."
    asleep = [
        names[machine]
        for machine, found in sorted(metered.idle.items())
        if found.three_quarters > _WIDE * found.quarter
    ]
    if asleep:
        yield (
            f"Idle watts of {', '.join(asleep[:_TYPES_NAMED])} vary widely: nodes may sleep a part "
            "of the time. What you type as idle watts counts in their place."
        )
    measured = {pair for pair in metered.busy if derivation.measured[pair]}
    whole, every = len(measured & metered.whole), int(derivation.measured.sum())
    ways = (
        (whole, "from samples on nodes that ran one task type alone"),
        (len(measured) - whole, "from least squares over what ran at once"),
        (every - len(measured), "not known from samples, which are too few"),
    )
    if metered.notes:
        said = "; ".join(f"{counted(count, 'pair')} {how}" for count, how in ways if count)
        yield f"Powers of measured pairs: {said}."


_TYPES_NAMED: Final = 8
_WIDE: Final = 2.0
"""Idle nodes that are awake draw much the same."""


def _power(watts: float) -> str:
    return power(watts, Sense.PLAIN)


def notes(derivation: Derivation) -> Iterator[str]:
    """What was taken for granted, a sentence each."""
    settings = derivation.settings
    yield (
        f"Task types: {rule_in_words(settings.task_type or '')}. "
        f"Machine types: {rule_in_words(settings.machine_type or '')}."
    )
    yield _UNITS[settings.machine or "job"]
    if derivation.gathered:
        yield (
            f"The {MOST_TASK_TYPES} task types with most runs are kept apart; "
            f"{derivation.gathered:,} more count as rare. A coarser rule gives fewer."
        )
    shared = derivation.machines.shared
    if shared:
        yield (
            f"{counted(shared, 'node')} ran jobs of several machine types; each counts with the "
            "type of most of its jobs."
        )
    if requeued := derivation.classified.reasons.lost.in_words():
        yield f"{requeued}; lost attempts count as no runs."
    yield from derivation.table.notes
    yield from _misfits(derivation)
    source = derivation.power_source
    yield from _metered(derivation)
    if derivation.of_slurm and "runs" in source and settings.machine != "job":
        yield (
            "Slurm measures whole nodes: a power is that of the node while the task ran, with "
            "whatever else ran on it."
        )
    if not source:
        yield "The log has no energy that can be true, so powers are unknown."
    elif source == "table":
        yield "The log has no energy, so powers are the busy powers of the table."
    elif "table" in source:
        yield "Where the log has no energy, powers are the busy powers of the table."
    if source and derivation.system.apc is None:
        yield "Some pairs have no power, so powers are left out; add busy powers of machine types."
    if source and not any(machine.idle_power for machine in derivation.system.machine_types):
        yield "A log does not show idle powers: they are 0 W until you give them."
    unconnected = derivation.unconnected
    if unconnected:
        yield (
            f"{counted(unconnected, 'pair')} could not be estimated, because no measured pairs "
            "connect the task type with the machine type."
        )
