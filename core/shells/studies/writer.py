"""Writes a study as one JSON document.

```
{"format": "wattfront-study", "version": 1,
 "commands": ["wattfront front nine ..."], "versions": {"wattfront": "0.2.0"},
 "settings": {"name": "nine", "seconds": 2.0, "profit": {"by": "ratio", "ratio": 1.5}},
 "took": {"bound": 0.002},
 "system": {"format": "wattfront-system", ...},
 "vertices": [[7.2e6, 3600.0]], "points": [[7.3e6, 3700.0]],
 "patterns": {"shortest": 3600.0, "longest": 18000.0, "worth_a_step": 1e3,
              "prices": [[120.5]], "until": [900]},
 "fitting": null,
 "choice": {"title": "Done within 2 h", "wish": {"kind": "deadline", "amount": 7200},
            "schedule": {...}},
 "schedules": [{"energy": 7.3e6, "makespan": 3700.0,
                "groups": [{"machine_type": "M1", "machines": 2, "tasks": {"T1": 5}}]}]}
```

The study of a system without powers has no front: its lists are empty.

The settings have a block for each capability that was used, such as "profit", the "site", what a
log has "seen" beside its system (`seen.py`), and as "view" what pages showed. "patterns" are null
or the prices of tasks that prove a bound above the front of the bound; "fitting" is null or the
units of work that prove the bound of single tasks again. Readers of the file prove both again.
Points are [joules, seconds]. In a group, "tasks" are those of each machine.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path

import numpy as np

from core.engines.front.patterns import PatternProof
from core.engines.front.study import Study
from core.files import limits
from core.files.archive import write_file
from core.files.disk import STUDY_SUFFIX, cannot_write
from core.files.document import STUDY_FORMAT, STUDY_VERSION, document_lines
from core.shells.settings.forms import written_block
from core.shells.studies.seen import written_seen
from core.shells.studies.settings import (
    STUDY_FILE,
    Choice,
    StudySettings,
    block_of,
    commands,
    versions_here,
    wish_as_flag,
    with_blocks,
    without_front,
)
from core.vocabulary.arrays import FloatArray
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from core.vocabulary.timed import TimedSchedule


def write_study(
    study: Study, settings: StudySettings, path: Path, choice: Choice | None = None
) -> None:
    """Write a .json file; an old one is replaced only when the new one is complete.

    Raises `InvalidInput` if it cannot be written.
    """
    if path.suffix.casefold() != STUDY_SUFFIX:
        raise cannot_write(path, f"name a {STUDY_SUFFIX} file")
    write_file(path, study_lines(study, settings, choice, path.name))


def study_lines(
    study: Study | System,
    settings: StudySettings,
    choice: Choice | None = None,
    file: str = STUDY_FILE,
) -> Iterator[str]:
    """The lines of the document; `file` is its name in its own commands. A system without powers
    stands for its study, which has no front: it keeps the blocks that do not need one.

    If there are more schedules than can be read back, some are left out, evenly along the front,
    but not the ends. Raises `InvalidInput` if the chosen schedule alone is too large.
    """
    if isinstance(study, System):
        kept = replace(settings, blocks=without_front(settings.blocks))
        head = _head(kept, commands(kept, None, file, has_front=False))
        return _document({**head, "took": {}, "vertices": [], "points": []}, study, ())
    if choice is not None and choice.schedule.tasks.size > limits.CELLS:
        message = "the chosen schedule is too large for a study file; write it by itself"
        raise InvalidInput([Problem("the study", "", "", message)])
    schedules = _schedules_that_fit(
        [study.schedules[k] for k in np.flatnonzero(study.on_front).tolist()], choice
    )
    return _lines(study, settings, choice, file, schedules)


def _lines(
    study: Study,
    settings: StudySettings,
    choice: Choice | None,
    file: str,
    schedules: Sequence[Schedule],
) -> Iterator[str]:
    proofs = study.proofs
    head = {
        **_head(settings, commands(settings, choice, file)),
        "took": dict(study.seconds),
        "vertices": study.front.points.tolist(),
        "points": study.points.tolist(),
        "patterns": None if proofs.patterns is None else _proof(proofs.patterns.proof),
        "fitting": None if proofs.fitted is None else proofs.fitted.units,
        "choice": None if choice is None else _choice(choice),
    }
    return _document(head, study.system, schedules)


def _head(settings: StudySettings, lines: Sequence[str]) -> dict[str, object]:
    """The beginning of the document; the lines are the commands that do the study again."""
    return {
        "format": STUDY_FORMAT,
        "version": STUDY_VERSION,
        "commands": lines,
        "versions": versions_here(),
        "settings": _settings(settings),
    }


def _document(
    head: Mapping[str, object], system: System, schedules: Sequence[Schedule]
) -> Iterator[str]:
    yield "{\n"
    for key, value in head.items():
        yield f' "{key}": {_json(value)},\n'
    yield ' "system": '
    yield from document_lines(system)
    yield ' ,"schedules": ['
    for k, schedule in enumerate(schedules):
        yield ",\n  " if k else "\n  "
        yield _json(_schedule(schedule))
    yield "\n ]\n}\n"


def _schedules_that_fit(schedules: Sequence[Schedule], choice: Choice | None) -> list[Schedule]:
    """As many schedules as one file may have, evenly along the front."""
    room = limits.CELLS - (0 if choice is None else choice.schedule.tasks.size)
    largest = max((schedule.tasks.size for schedule in schedules), default=1)
    kept: FloatArray = np.linspace(0, len(schedules) - 1, min(len(schedules), room // largest))
    return [schedules[k] for k in kept.round().astype(int)]


def _settings(settings: StudySettings) -> dict[str, object]:
    """The settings, with the block of each capability."""
    stated: dict[str, object] = {}
    for field in fields(StudySettings):
        value = getattr(settings, field.name)
        stated |= written_block(value) if field.name == "idle" else {field.name: value}
    del stated["blocks"], stated["seen"]
    capabilities = with_blocks()
    return (
        stated
        | {"view": dict(settings.view)}
        | ({} if settings.seen.is_nothing else {"seen": written_seen(settings.seen)})
        | {"site": None if settings.site is None else written_block(settings.site)}
        | {
            name: block_of(capabilities[name]).written(block)
            for name, block in settings.blocks.items()
        }
    )


def _proof(proof: PatternProof) -> dict[str, object]:
    return {
        "shortest": proof.shortest,
        "longest": proof.longest,
        "worth_a_step": proof.worth_a_step,
        "prices": proof.prices.tolist(),
        "until": proof.until.tolist(),
    }


def _choice(choice: Choice) -> dict[str, object]:
    flag = wish_as_flag(choice.wish)
    wish = None if flag is None else {"kind": flag[0], "amount": flag[1]}
    return {"title": choice.title, "wish": wish, "schedule": _schedule(choice.schedule)}


def _schedule(schedule: Schedule) -> dict[str, object]:
    system = schedule.system
    names = system.task_names
    return {
        "energy": schedule.energy,
        "makespan": schedule.makespan,
        **_timeline(schedule),
        "groups": [
            {
                "machine_type": system.machine_names[kind],
                "machines": machines,
                "tasks": {names[i]: int(tasks[i]) for i in np.flatnonzero(tasks).tolist()},
            }
            for kind, machines, tasks in zip(
                schedule.machine_type.tolist(),
                schedule.machines.tolist(),
                schedule.tasks,
                strict=True,
            )
        ],
    }


def _timeline(schedule: Schedule) -> dict[str, object]:
    """The blocks of a schedule whose machines wait, as [group, task type, count, start, end], each
    group by its number from 1.
    """
    if not isinstance(schedule, TimedSchedule):
        return {}
    rows, names = schedule.timeline, schedule.system.task_names
    columns = (rows.group, rows.task_type, rows.count, rows.start, rows.end)
    blocks = zip(*(column.tolist() for column in columns), strict=True)
    return {"timeline": [[g + 1, names[i], *rest] for g, i, *rest in blocks]}


def _json(value: object) -> str:
    """The value as JSON, with question marks for bytes of a file name that are not text."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return text.encode(errors="replace").decode()
