"""What the library's face has of sweeps."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from core.capabilities.sweep.axes import (
    AxisFault,
    SweptAxis,
    axis_faults,
    axis_of,
    read_axis,
    strange_axes,
)
from core.capabilities.sweep.question import SweepQuestion
from core.capabilities.sweep.run import PREPARATION, SweepOutcome, compute_runs
from core.engines.compute.executors import EngineRefused, engine_named, usual_engine
from core.engines.compute.many import RunsProgress
from core.engines.compute.parts import RESULT_SUFFIXES
from core.files.disk import file_faults
from core.vocabulary.budget import never
from core.vocabulary.problems import refuse, refusing
from core.vocabulary.system import System

Axes = Mapping[str, Sequence[float]] | Sequence[str | SweptAxis]


def sweep(
    system: System,
    over: Axes,
    *,
    engine: str | None = None,
    output: str | Path | None = None,
    should_stop: Callable[[], bool] = never,
    report: Callable[[RunsProgress], None] | None = None,
) -> SweepOutcome:
    """What is proven for every combination of changes of a system.

    Parameters
    ----------
    system : System
        The system that is changed.
    over : mapping or sequence of str
        What is varied, and its values, such as ``{"idle": [0, 0.1], "machines.A": [1, 2]}``, or
        as the command takes it, ``["idle=0:1:0.1", "power_cap=40kW,50kW"]``. Numbers are
        fractions, W, money a kWh or a batch, and counts.
    engine : str, optional
        Where it is computed: "here", "processes", "processes:N" or the address of a Dask
        scheduler. Without one, what the variable WATTFRONT_ENGINE says, or here.
    output : str or Path, optional
        A .csv or .parquet file with a row for each run. The same call goes on where an
        interrupted one ended.
    should_stop : callable
        Asked between runs; the outcome has those that are done.
    report : callable, optional
        Told how many runs are done.

    Returns
    -------
    SweepOutcome
        Its ``table`` (pyarrow) has a row for each run, with units in the names of columns.

    Raises
    ------
    InvalidInput
        If an axis, the engine or the output cannot be used.

    Examples
    --------
    >>> outcome: SweepOutcome = sweep(load_sample("two-by-two"), {"idle": [0, 0.5]})
    >>> outcome.complete, [round(least) for least in outcome.table["least_energy_j"].to_pylist()]
    (True, [900, 1404])
    """
    path = None if output is None else Path(output)
    with refusing(EngineRefused, AxisFault, of=""):
        axes, where = _axes(over), engine or usual_engine()
    refuse((*axis_faults(axes), *file_faults(path, RESULT_SUFFIXES), *strange_axes(axes, system)))
    question = SweepQuestion(system, axes)
    with refusing(EngineRefused, of=""), engine_named(where, PREPARATION) as used:
        return compute_runs(question, used, path, should_stop=should_stop, report=report)


def _axes(over: Axes) -> tuple[SweptAxis, ...]:
    """The axes, each within its range. Raises `AxisFault`."""
    if isinstance(over, Mapping):
        return tuple(axis_of(name, values) for name, values in over.items())
    return tuple(
        read_axis(one) if isinstance(one, str) else axis_of(one.name, one.values) for one in over
    )
