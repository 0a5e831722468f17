"""`wattfront compare-run SYSTEM SCHEDULE LOG...`: a schedule beside what `sacct` says happened."""

import argparse
from pathlib import Path

from core.capabilities.compare_run.amiss import machine_lines
from core.capabilities.compare_run.face import run_beside
from core.capabilities.compare_run.told import told
from core.engines.logs.reading.logs import LogProgress
from core.engines.slurm.job_arrays import judged_blocks
from core.files.archive import write_file
from core.files.disk import file_faults
from core.files.findings import Findings
from core.shells.cli.answer import Answer, told_answer
from core.shells.cli.arguments import add_file, add_schedule, add_system, read
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
    add_file(parser, "-o --output", "write all machines as a .csv file")
    add_file(parser, "--amiss", "write the tasks that failed or are missing as a .csv file")


def run(arguments: argparse.Namespace) -> Answer:
    refuse(file_faults(arguments.output, (".csv",)))
    reading = read(arguments)
    system = reading.require()
    judged = judged_blocks(arguments.schedule, system, part=arguments.part)
    with watching("compare-run") as watch:
        compared = run_beside(
            judged.blocks,
            system,
            arguments.logs,
            run=arguments.run,
            amiss=arguments.amiss,
            should_stop=watch.stop_was_asked,
            report=watch.showing(LogProgress.in_words),
        )
    if arguments.output:
        write_file(arguments.output, machine_lines(compared))
    findings = Findings()
    findings.extend((*reading.problems, *judged.warnings))
    problems = findings.problems()
    written = (path for path in (arguments.output, arguments.amiss) if path)
    facts = [("written to", str(path)) for path in written]
    answer = told_answer(str(arguments.schedule), told(compared), facts, problems)
    return Answer.done(answer.text, answer.data, problems)
