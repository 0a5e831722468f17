"""What the library's face has of comparisons with what ran."""

from collections.abc import Callable, Sequence
from pathlib import Path

from core.capabilities.compare_run import comparison
from core.capabilities.compare_run.amiss import amiss_lines, tasks_amiss
from core.capabilities.compare_run.comparison import RunComparison
from core.capabilities.compare_run.recorded import read_recorded
from core.engines.logs.reading.logs import LogProgress, read_logs
from core.engines.slurm.job_arrays import ARRAY_SIZE, job_arrays_of, judged_blocks
from core.files.archive import write_file
from core.files.disk import file_faults
from core.files.findings import Unreadable
from core.vocabulary.budget import never
from core.vocabulary.problems import refuse, refusing
from core.vocabulary.schedule import Blocks, Schedule
from core.vocabulary.setting import lone
from core.vocabulary.system import System


def compare_run(
    system: System,
    schedule: Schedule | str | Path,
    logs: Sequence[str | Path],
    *,
    run: str | None = None,
    part: bool = False,
    amiss: str | Path | None = None,
    should_stop: Callable[[], bool] = never,
    report: Callable[[LogProgress], None] | None = None,
) -> RunComparison:
    r"""A schedule beside what dumps of `sacct` say happened.

    Parameters
    ----------
    system : System
        The system that the schedule is for.
    schedule : Schedule, str or Path
        The schedule whose batch scripts ran, or a file of it.
    logs : sequence of str or Path
        Dumps of sacct with JobID, JobName, State, Start, End, NodeList and perhaps
        ConsumedEnergyRaw; plain, compressed, or in a .zip.
    run : str, optional
        The run of submit.sh, as names of jobs have it (default: the last to start).
    part : bool
        Whether a schedule file may leave out tasks.
    amiss : str or Path, optional
        A .csv file for the tasks that failed or are missing.
    should_stop : callable
        Asked while logs are read.
    report : callable, optional
        Told how much of the logs is read.

    Returns
    -------
    RunComparison
        Times are in seconds, energies in joules.

    Raises
    ------
    InvalidInput
        If the schedule is wrong, or the logs have no job of it.
    Stopped
        If it was stopped.

    Examples
    --------
    >>> schedule = solve(load_sample("two-by-two"), effort=Effort(0)).schedule
    >>> row = "7_0|wf-f94b995c-0000000a-1-1-2-0|COMPLETED|100|104|a\n"
    >>> _ = Path("jobs.txt").write_text("JobID|JobName|State|Start|End|NodeList\n" + row)
    >>> compared: RunComparison = compare_run(schedule.system, schedule, ["jobs.txt"])
    >>> compared.ran, compared.missing, compared.makespan
    (1, 11, 4.0)
    """
    judged = judged_blocks(schedule, system, part=part)
    return run_beside(
        judged.blocks, system, logs, run=run, amiss=amiss, should_stop=should_stop, report=report
    )


def run_beside(
    blocks: Blocks,
    system: System,
    logs: Sequence[str | Path],
    *,
    run: str | None,
    amiss: str | Path | None,
    should_stop: Callable[[], bool],
    report: Callable[[LogProgress], None] | None,
) -> RunComparison:
    """`compare_run` for a timeline that the judge agrees with."""
    refuse(lone(logs=logs))
    refuse(file_faults(None if amiss is None else Path(amiss), (".csv",)))
    arrays = job_arrays_of(blocks, system, int(ARRAY_SIZE.high))
    with refusing(Unreadable, of=""):
        store = read_logs([*map(Path, logs)], "sacct", should_stop=should_stop, report=report)
        try:
            recorded = read_recorded(arrays, store, run, should_stop)
            compared = comparison.compare_run(recorded, should_stop)
            if amiss is not None:
                tasks = tasks_amiss(recorded, should_stop)
                write_file(Path(amiss), amiss_lines(tasks, system))
        finally:
            store.close()
    return compared
