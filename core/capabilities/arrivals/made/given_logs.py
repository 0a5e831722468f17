"""Accounting logs that a command is given, as workloads."""

from collections.abc import Callable, Sequence
from pathlib import Path

from core.capabilities.arrivals.files.workload_reader import is_workload
from core.capabilities.arrivals.made.from_logs import LogWork, LogWorkload, workload_of_log
from core.engines.logs.reading.logs import LogProgress, is_log, read_logs
from core.engines.logs.reading.store import Stopped
from core.files.findings import Unreadable
from core.shells.cli.progress import watching
from core.vocabulary.problems import refusing


def is_log_alone(path: Path) -> bool:
    """Whether a file is an accounting log, and no workload: a CSV of jobs may look like both."""
    return is_log(path) and not is_workload(path)


def read_log_work(paths: Sequence[Path], work: LogWork) -> LogWorkload:
    """The workload of logs, with progress on a terminal. Raises `InvalidInput` if there is none,
    and `KeyboardInterrupt` if a person stops it.
    """
    with watching(str(paths[0])) as watch:
        try:
            said = watch.showing(LogProgress.in_words)
            return work_of_logs(paths, work, watch.stop_was_asked, said)
        except Stopped:
            raise KeyboardInterrupt from None


def work_of_logs(
    paths: Sequence[Path],
    work: LogWork,
    should_stop: Callable[[], bool],
    report: Callable[[LogProgress], None] | None,
) -> LogWorkload:
    """The workload of logs. Raises `InvalidInput` if there is none, and `Stopped`."""
    with refusing(Unreadable, of=""):
        store = read_logs(paths, should_stop=should_stop, report=report)
    try:
        return workload_of_log(store, work, paths[0].name)
    finally:
        store.close()
