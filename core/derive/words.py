"""What a derivation says, in sentences that the command and the page share."""

from collections.abc import Iterator
from typing import Final

from core.derive.derivation import Derivation
from core.runs.classifying import MOST_TASK_TYPES
from core.runs.rule_parts import words_of_rule
from core.runs.settings import MachineUnit
from core.say.words import Sense, counted, share

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


def rule_in_words(rule: str) -> str:
    """What a rule looks at."""
    return " and ".join(map(_part_in_words, words_of_rule(rule)))


def _part_in_words(part: str) -> str:
    kind, _, argument = part.partition(":")
    if kind == "pattern":
        return f"the pattern {argument}"
    return _RULES.get(kind, f"the column {argument if kind == 'column' else kind}")


def unit_in_words(unit: MachineUnit) -> str:
    """What counts as one machine, and how times are scaled to it."""
    return _UNITS[unit]


def pairs_in_words(derivation: Derivation) -> str:
    """How many pairs are measured, estimated and impossible."""
    pairs = derivation.pairs
    said = [
        f"{counted(pairs['measured'], 'pair')} measured",
        f"{pairs['estimated']:,} estimated",
        f"{pairs['impossible']:,} impossible",
    ]
    return ", ".join(said)


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


def notes(derivation: Derivation) -> Iterator[str]:
    """What was taken for granted, a sentence each."""
    settings = derivation.settings
    yield (
        f"Task types: {rule_in_words(settings.task_type or '')}. "
        f"Machine types: {rule_in_words(settings.machine_type or '')}."
    )
    yield unit_in_words(settings.machine or "job")
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
    source = derivation.power_source
    if derivation.of_slurm and source in ("runs", "runs and table") and settings.machine != "job":
        yield (
            "Slurm measures whole nodes: a power is that of the node while the task ran, with "
            "whatever else ran on it."
        )
    if not source:
        yield "The log has no energy that can be true, so powers are unknown."
    elif source == "table":
        yield "The log has no energy, so powers are the busy powers of the table."
    elif source == "runs and table":
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
