"""What the library's face has of systems from accounting logs."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from core.engines.logs.derived.derivation import Derivation, LogFiles, deriving
from core.engines.logs.derived.records import provenance_path, provenance_text, rejected_lines
from core.engines.logs.derived.replayed import replayed
from core.engines.logs.pairs.measuring import time_ratios
from core.engines.logs.reading.logs import LogProgress
from core.engines.logs.reading.recognising import FORMATS, LogFormat
from core.engines.logs.reading.sacct import state_called
from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.settings import ANY, MachineUnit, RareTypes, RunSettings, Statistic
from core.files import write_system
from core.files.archive import write_file
from core.files.disk import file_faults
from core.files.numbers import number_cell
from core.files.system_file import refuse_kind
from core.shells.studies.log_seen import seen_in_log, seen_path, write_seen
from core.vocabulary.budget import never
from core.vocabulary.problems import refuse
from core.vocabulary.setting import lone, strange, strange_settings

_USUAL: Final = RunSettings()


class DerivedFiles(NamedTuple):
    """Files that are written with a derivation; None: not written."""

    system: Path | None = None
    rejected: Path | None = None
    spread: Path | None = None

    def refuse(self) -> None:
        """Raise `InvalidInput` if one of them cannot be written; asked before the long work."""
        refuse((*file_faults(self.rejected, (".csv",)), *file_faults(self.spread, (".csv",))))
        if self.system is not None:
            refuse_kind(self.system)

    def write(self, derived: Derivation, store: RunStore) -> None:
        """Write those that were asked for, and beside the system its origin and
        what else the log says.
        """
        if self.system is not None:
            write_system(derived.system, self.system)
            write_file(provenance_path(self.system), [provenance_text(derived, store)])
            seen = seen_in_log(derived, store, replayed(derived, store))
            write_seen(seen, seen_path(self.system))
        if self.rejected is not None:
            write_file(self.rejected, rejected_lines(derived, store))
        if self.spread is not None:
            _write_spread(derived, store, self.spread)


def derive(
    logs: Sequence[str | Path],
    *,
    output: str | Path | None = None,
    log_format: LogFormat | None = None,
    task_type: str | None = None,
    machine_type: str | None = None,
    machine: MachineUnit | None = None,
    nodes: str | Path | None = None,
    watts: Sequence[str | Path] = (),
    states: Sequence[str] = _USUAL.states,
    statistic: Statistic = _USUAL.statistic,
    min_runs: int | None = None,
    rare: RareTypes = _USUAL.rare,
    rare_below: int | None = None,
    estimates: bool = True,
    allow: Sequence[tuple[str, str]] = (),
    rejected: str | Path | None = None,
    spread: str | Path | None = None,
    should_stop: Callable[[], bool] = never,
    report: Callable[[LogProgress], None] | None = None,
) -> Derivation:
    r"""A system from accounting logs, with its provenance.

    Parameters
    ----------
    logs : sequence of str or Path
        Dumps of sacct, SWF logs or tables of runs; plain, compressed, or in a .zip. Or the sample
        log "university".
    output : str or Path, optional
        Where the system is written, with its provenance beside it, and what `export` takes.
    log_format : {"sacct", "swf", "runs"}, optional
        The format of the logs (default: found out from each).
    task_type, machine_type : str, optional
        Rules that make types, as --task-type and --machine-type take them (default: chosen).
    machine : {"node", "core", "gpu", "job"}, optional
        What counts as one machine (default: a node, if the log knows nodes).
    nodes : str or Path, optional
        What ``sinfo --Node`` or ``scontrol show node`` lists, or a CSV table of nodes: node, type,
        and perhaps cores, gpus, memory_gib, idle_watts, busy_watts.
    watts : sequence of str or Path
        Samples of the power of nodes, as monitoring has them: tables with a time, a node and watts
        or joules, or answers of Prometheus.
    states : sequence of str
        States of jobs whose time is a measurement.
    statistic : {"mean", "median", "trimmed"}
        The time of a pair.
    min_runs : int, optional
        Runs that a pair needs to count as measured (default 3; fewer in a small log).
    rare : {"gather", "drop"}
        What becomes of task types with few runs.
    rare_below : int, optional
        Runs below which a task type is rare (default: by the size of the log).
    estimates : bool
        Whether pairs that were never measured are estimated; otherwise they are impossible.
    allow : sequence of (str, str)
        Pairs of a task type and a machine type that may run whatever the log says; "*" is all.
    rejected, spread : str or Path, optional
        .csv files for what is not used, and for how run times vary about those of their pair.
    should_stop : callable
        Asked while logs are read.
    report : callable, optional
        Told how much of the logs is read.

    Returns
    -------
    Derivation
        Its ``system`` has times in seconds and powers in watts.

    Raises
    ------
    InvalidInput
        If a log, a rule or a file cannot be used, or nothing can be derived.
    Stopped
        If it was stopped.

    Examples
    --------
    >>> rows = ["task_type,machine_type,seconds", *["blast,big,10", "blast,small,30"] * 3]
    >>> _ = Path("runs.csv").write_text("\n".join(rows))
    >>> derived: Derivation = derive(["runs.csv"])
    >>> derived.used, derived.system.etc.tolist()
    (6, [[10.0, 30.0]])
    """
    refuse(lone(logs=logs, watts=watts, states=states, allow=allow))
    refuse(
        f"allow has {pair!r}; give pairs of a task type and a machine type, or {ANY} for every one"
        for pair in allow
        if isinstance(pair, str) or len(pair) != 2
    )
    refuse(strange(log_format=(log_format, FORMATS)))
    settings = RunSettings(
        task_type=task_type,
        machine_type=machine_type,
        machine=machine,
        states=tuple(map(state_called, states)),
        statistic=statistic,
        min_runs=min_runs,
        rare=rare,
        rare_below=rare_below,
        allowed=tuple((task, kind) for task, kind in allow),
    )
    refuse(strange_settings(settings))
    paths = (None if path is None else Path(path) for path in (output, rejected, spread))
    files = DerivedFiles(*paths)
    files.refuse()
    with deriving(
        LogFiles(
            [*map(Path, logs)],
            None if nodes is None else Path(nodes),
            [*map(Path, watts)],
            log_format,
        ),
        settings,
        estimates=estimates,
        should_stop=should_stop,
        report=report,
    ) as found:
        files.write(found.derivation, found.store)
        return found.derivation


def _write_spread(derivation: Derivation, store: RunStore, path: Path) -> None:
    """Write the times of runs as shares of the mean of their pair, of pairs that are measured."""
    ratios = time_ratios(store, derivation.classified, derivation.machines, derivation.measured)
    write_file(path, (f"{cell}\n" for cell in ("share_of_mean", *map(number_cell, ratios))))
