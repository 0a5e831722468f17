"""Sentences about a log on the page, without widgets."""

from typing import Final, Literal

from core.capabilities.derive.told import job_word, jobs_in_words
from core.engines.logs.derived.derivation import Derivation
from core.engines.logs.derived.replayed import Replayed
from core.engines.logs.reading.rejections import JOB_STEP, Example
from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.accepting import Reason
from core.vocabulary.say.words import Sense, counted, duration, energy
from dashboard.screens.importing.log_answer import LogAnswer, cannot_run

PATTERN: Final = "pattern"
CHOSEN: Final[Literal[""]] = ""
"""The option that leaves a rule to Wattfront."""

_TASK_RULES: Final = {
    "name": "Job name",
    "stem": "Job name without numbers",
    PATTERN: "Pattern in the job name …",
    "size": "Cores, GPUs and memory asked for",
    "clusters": "Clusters of similar jobs",
}
_MACHINE_RULES: Final = {
    "nodes": "Table of nodes",
    "prefix": "Node name without the numbers that count nodes",
    PATTERN: "Pattern in the node name …",
}
_NO_TYPES: Final = frozenset({"name", "state", "nodelist", "reqtres", "reqgres"})
"""Columns that are offered by other words, or are no types."""
_MOST: Final = 120
"""Characters of a row that are shown."""
_FORMATS: Final = {"sacct": "Slurm sacct", "swf": "SWF", "runs": "table of runs"}


def task_rules(store: RunStore) -> dict[str, str]:
    """The rules for task types that a log allows, each with its words."""
    named = "name" in store.texts
    found = {
        rule: said for rule, said in _TASK_RULES.items() if named or rule in ("size", "clusters")
    }
    return {CHOSEN: "Chosen by Wattfront", **found, **_columns(store)}


def machine_rules(store: RunStore, *, has_table: bool) -> dict[str, str]:
    """The rules for machine types that a log allows, each with its words."""
    found: dict[str, str] = {}
    if "nodelist" in store.texts:
        found = {k: said for k, said in _MACHINE_RULES.items() if k != "nodes" or has_table}
    one = {"one": "All machines are alike"}
    return {CHOSEN: "Chosen by Wattfront", **found, **_columns(store), **one}


def _columns(store: RunStore) -> dict[str, str]:
    return {f"column:{name}": f"Column {name}" for name in store.texts if name not in _NO_TYPES}


def said_of_logs(store: RunStore) -> str:
    """Which logs were read, and what they have; steps belong to their jobs."""
    logs = store.logs
    named = [f"{log.name} ({_FORMATS.get(log.format, log.format)})" for log in logs[:3]]
    more = f" and {counted(len(logs) - 3, 'other log')}" if len(logs) > 3 else ""
    steps = store.rejected.get(JOB_STEP, 0)
    of_jobs = f" with {counted(steps, 'step')}" if steps else ""
    jobs = counted(len(store), job_word(store.is_table))
    return f"{', '.join(named)}{more}: {jobs}{of_jobs}"


def facts(derived: Derivation) -> list[str]:
    """What was derived, in short facts."""
    pairs = derived.pairs
    said = [
        f"{jobs_in_words(derived)} used",
        counted(len(derived.system.task_types), "task type"),
        counted(len(derived.system.machine_types), "machine type"),
        f"{counted(pairs['measured'], 'pair')} measured",
    ]
    more = (kind for kind in ("estimated", "impossible") if pairs[kind])
    return [*said, *(f"{counted(pairs[kind], 'pair')} {kind}" for kind in more)]


def without_type_in_words(derived: Derivation) -> str | None:
    """How many runs the rules give no type; None if all have one."""
    said = [
        f"{counted(count, 'run')} {'has' if count == 1 else 'have'} {reason}"
        for reason in (Reason.NO_TASK_TYPE, Reason.NO_MACHINE_TYPE)
        if (count := derived.left_out.get(reason, 0))
    ]
    return f"{'; '.join(said)}." if said else None


def example_in_words(example: Example) -> str:
    """A row that is not used: where it is, and its beginning."""
    text = example.text if len(example.text) <= _MOST else f"{example.text[:_MOST]}…"
    return f"{example.log}, line {example.line:,}: {text}"


def why_not(derived: Derivation) -> list[str]:
    """Why pairs without a run cannot run: a sentence for all that have a task type and the reason
    in common.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for (task, machine), why in cannot_run(derived).items():
        groups.setdefault((task, why), []).append(machine)
    return [f"{task} on {', '.join(on)}: {why}." for (task, why), on in groups.items()]


def signs(derived: Derivation) -> str:
    """What the signs on pairs mean; empty where there are none."""
    said = [("≈: estimated", "estimated"), ("×: cannot run", "impossible")]
    return "; ".join(words for words, kind in said if derived.pairs[kind])


def replay_in_words(found: LogAnswer) -> str | None:
    """What the log's runs took, and what they could have taken."""
    took, replay = found.replayed, found.replay
    if took is None or replay is None:
        return None
    log, could = duration(took.makespan, Sense.PLAIN), duration(replay.makespan, Sense.SPENT)
    if took.joules is None or not len(replay.schedules):
        return f"The log's runs took {log}. The same tasks could have taken {could}."
    joules, seconds = replay.schedules[0].tolist()
    return (
        f"The log's runs took {log}, and {energy(took.joules, Sense.PLAIN)} by the tables of the "
        f"system. By the same tables, the same tasks could have taken {could}, or "
        f"{energy(joules, Sense.SPENT)} in {duration(seconds, Sense.SPENT)}."
    )


def replay_assumptions(took: Replayed) -> list[str]:
    """What the comparison assumes."""
    said = [
        "All tasks are there at the beginning; in the log, jobs came one after the other.",
        "Each task takes the time and power of its pair, also where the log ran it.",
        "What is not used (failed jobs, for example) is left out on both sides.",
        "A machine runs one task after the other, at any time of the window.",
    ]
    if took.joules is not None:
        said.append("Idle machines draw their idle power until the last task ends.")
    return said
