"""`wattfront compare-run SYSTEM SCHEDULE LOG...`: a schedule beside what `sacct` says happened."""

import argparse
from dataclasses import replace
from pathlib import Path

from core.capabilities.compare_run.amiss import write_machines
from core.capabilities.compare_run.comparison import RunComparison
from core.capabilities.compare_run.face import run_beside
from core.capabilities.compare_run.words import told
from core.engines.logs.reading.logs import LogProgress
from core.engines.logs.reading.store import Stopped
from core.engines.slurm.plan import judged_blocks
from core.files.disk import file_faults
from core.files.findings import Findings
from core.shells.cli.answer import Answer, as_dicts, told_answer
from core.shells.cli.arguments import add_schedule, add_system, read
from core.shells.cli.progress import watching
from core.vocabulary.problems import refuse


def declare(parser: argparse.ArgumentParser) -> None:
    add_system(parser)
    add_schedule(parser)
    parser.add_argument(
        "logs",
        nargs="+",
        type=Path,
        metavar="LOG",
        help="dumps of sacct with JobID, JobName, State, Start, End, NodeList and perhaps "
        "ConsumedEnergyRaw; plain, compressed, or in a .zip",
    )
    parser.add_argument(
        "--run",
        metavar="RUN",
        help="the run of submit.sh, as names of jobs have it (by default the last to start)",
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="write all machines as a .csv file"
    )
    parser.add_argument(
        "--amiss",
        type=Path,
        metavar="FILE",
        help="write the tasks that failed or are missing as a .csv file",
    )


def run(arguments: argparse.Namespace) -> Answer:
    refuse(file_faults(arguments.output, (".csv",)))
    reading = read(arguments)
    system = reading.require()
    judged = judged_blocks(arguments.schedule, system, part=arguments.part)
    with watching("compare-run") as watch:
        try:
            compared = run_beside(
                judged.blocks,
                system,
                arguments.logs,
                run=arguments.run,
                amiss=arguments.amiss,
                should_stop=watch.stop_was_asked,
                report=watch.showing(LogProgress.in_words),
            )
        except Stopped:
            raise KeyboardInterrupt from None
    if arguments.output:
        write_machines(compared, arguments.output)
    findings = Findings()
    findings.extend((*reading.problems, *judged.warnings))
    problems = findings.problems()
    data = {"ok": True, "problems": as_dicts(problems), **as_dict(compared)}
    written = (path for path in (arguments.output, arguments.amiss) if path)
    facts = [("written to", str(path)) for path in written]
    said = replace(told(compared), data=data)
    return told_answer(str(arguments.schedule), said, facts, problems)


def as_dict(compared: RunComparison) -> dict[str, object]:
    """The comparison for programs; times are in seconds, energies in joules."""
    found = compared.energy
    pairs, system = compared.pairs, compared.system
    return {
        "run": compared.run,
        "makespan": {"planned": compared.planned, "measured": compared.makespan},
        "energy": {
            "planned": found.planned if found else None,
            "measured": found.measured if found else None,
            "tasks": found.tasks if found else 0,
        },
        "tasks": compared.tasks,
        "ran": compared.ran,
        "failed": compared.failed,
        "missing": compared.missing,
        "running": compared.running,
        "again": int(compared.machines.again.sum()),
        "overlapping": int(compared.machines.overlapping.sum()),
        "elsewhere": int(compared.machines.elsewhere.sum()),
        "in_order": bool(compared.machines.in_order.all()),
        "waited": float(compared.machines.waited.sum()),
        "not_of_this_schedule": compared.others,
        "other_runs": [one for one in compared.runs if one != compared.run],
        "machines": [_machine(compared, k) for k in range(len(compared.machines))],
        "pairs": [
            {
                "task_type": system.task_names[i],
                "machine_type": system.machine_names[j],
                "planned": planned,
                "measured": measured,
                "ran": ran,
            }
            for i, j, planned, measured, ran in zip(
                pairs.task_type.tolist(),
                pairs.machine_type.tolist(),
                pairs.planned.tolist(),
                pairs.measured.tolist(),
                pairs.ran.tolist(),
                strict=True,
            )
        ],
    }


def _machine(compared: RunComparison, k: int) -> dict[str, object]:
    machines = compared.machines
    return {
        "machine_type": compared.system.machine_names[machines.machine_type[k]],
        "machine": int(machines.machine[k]),
        "nodes": list(machines.nodes[k]),
        "planned": float(machines.planned[k]),
        "measured": _known(float(machines.measured[k])),
        "began": _known(float(machines.began[k])),
        "waited": float(machines.waited[k]),
        "tasks": int(machines.tasks[k]),
        "ran": int(machines.ran[k]),
        "failed": int(machines.failed[k]),
        "missing": int(machines.missing[k]),
        "again": int(machines.again[k]),
        "overlapping": int(machines.overlapping[k]),
        "elsewhere": int(machines.elsewhere[k]),
        "in_order": bool(machines.in_order[k]),
    }


def _known(seconds: float) -> float | None:
    return None if seconds != seconds else seconds  # NaN
