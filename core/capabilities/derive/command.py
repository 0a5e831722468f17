"""`wattfront derive LOG...`: a system from accounting logs."""

import argparse
from pathlib import Path
from typing import Final

from core.capabilities.derive.face import DerivedFiles
from core.capabilities.derive.told import told
from core.engines.logs.derived.derivation import LogFiles, deriving
from core.engines.logs.derived.records import provenance_path
from core.engines.logs.reading.logs import LogProgress
from core.engines.logs.reading.recognising import FORMATS
from core.engines.logs.reading.sacct import MEASURED, state_called
from core.engines.logs.types.settings import ANY, RunSettings
from core.shells.cli.answer import Answer, told_answer
from core.shells.cli.arguments import add_file, add_logs, add_watts
from core.shells.cli.outputs import OUT_HELP
from core.shells.cli.progress import watching
from core.shells.settings.forms import declare_flags, given_flags
from core.vocabulary.say.columns import took as times_in_words

AUTO: Final = "auto"
_USUAL: Final = RunSettings()


def declare(parser: argparse.ArgumentParser) -> None:
    add_logs(parser)
    add_file(parser, "-o --output", f"write: {OUT_HELP}", "SYSTEM", required=True)
    parser.add_argument(
        "--format",
        choices=(AUTO, *FORMATS),
        default=AUTO,
        help="of the logs (by default found out from each)",
    )
    _declare_types(parser)
    _declare_pairs(parser)
    add_file(parser, "--rejected", "write what is not used as a .csv file")
    add_file(
        parser,
        "--spread",
        "write how run times vary about those of their pair as a .csv file, which the plan of "
        "`wattfront provision` can name",
    )


def _declare_types(parser: argparse.ArgumentParser) -> None:
    """What makes task types and machine types."""
    parser.add_argument(
        "--task-type",
        metavar="RULE",
        help="what makes a task type: name, stem (the name without numbers), pattern:REGEX of the "
        "name, column:NAME, account, size, clusters:N; several with + between",
    )
    parser.add_argument(
        "--machine-type",
        metavar="RULE",
        help="what makes a machine type: partition, features, cluster, prefix (the node's name "
        "without the numbers that count nodes), pattern:REGEX of it, column:NAME, nodes (the table "
        "of --nodes), or one (all are alike); several with + between",
    )
    declare_flags(parser, RunSettings, "machine")
    add_file(
        parser,
        "--nodes",
        "the nodes: what `sinfo --Node` or `scontrol show node` lists, or a CSV table with the "
        "columns node, type, and perhaps cores, gpus, memory_gib, idle_watts, busy_watts",
    )
    add_watts(
        parser,
        "samples of the power of nodes: a table of any monitoring with a time, a node and watts or "
        "joules, or the JSON of a query_range of Prometheus",
    )


def _declare_pairs(parser: argparse.ArgumentParser) -> None:
    """Which runs count, and what becomes of pairs."""
    parser.add_argument(
        "--state",
        action="append",
        metavar="STATE",
        help=f"count jobs that ended in this state (default {MEASURED}); may be given again",
    )
    declare_flags(parser, RunSettings, "statistic", "min_runs", "rare", "rare_below")
    parser.add_argument(
        "--no-estimates",
        action="store_true",
        help="pairs that were never measured are impossible, in place of estimated",
    )
    parser.add_argument(
        "--allow",
        nargs=2,
        action="append",
        default=[],
        metavar=("TASK", "MACHINE"),
        help="let a task type run on a machine type although the log says that it cannot; "
        f"{ANY} is every type; may be given again",
    )


def run(arguments: argparse.Namespace) -> Answer:
    out: Path = arguments.output
    files = DerivedFiles(out, arguments.rejected, arguments.spread)
    files.refuse()  # before the long computation
    with (
        watching("derive") as watch,
        deriving(
            LogFiles(
                arguments.logs,
                arguments.nodes,
                arguments.watts,
                None if arguments.format == AUTO else arguments.format,
            ),
            _settings(arguments),
            estimates=not arguments.no_estimates,
            should_stop=watch.stop_was_asked,
            report=watch.showing(LogProgress.in_words),
        ) as found,
    ):
        files.write(found.derivation, found.store)
        facts = [
            ("Took", times_in_words(found.seconds)),
            ("Written to", f"{out}, and its origin to {provenance_path(out)}"),
        ]
        return told_answer(str(out), told(found), facts)


def _settings(arguments: argparse.Namespace) -> RunSettings:
    return RunSettings(
        task_type=arguments.task_type,
        machine_type=arguments.machine_type,
        states=tuple(map(state_called, arguments.state or _USUAL.states)),
        allowed=tuple(map(tuple, arguments.allow)),
        **given_flags(arguments, RunSettings),
    )
