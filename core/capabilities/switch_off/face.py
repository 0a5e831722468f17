"""What the library's face has of nodes that may sleep."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from core.capabilities.switch_off.advice import SleepAdvice, advise, known_in
from core.capabilities.switch_off.settings import SwitchOffSettings
from core.engines.logs.derived.beside import node_use
from core.engines.logs.derived.derivation import LogFiles, deriving
from core.engines.logs.reading.logs import LogProgress
from core.engines.logs.types.settings import RunSettings
from core.vocabulary.budget import never
from core.vocabulary.problems import InvalidInput, Problem, refuse
from core.vocabulary.ranges import IDLE_FRACTION
from core.vocabulary.setting import lone, strange, strange_settings

_USUAL: Final = SwitchOffSettings()
NO_TIMES: Final = (
    "does not say when jobs ran; dump it again with the columns Start, Elapsed and NodeList"
)


def switch_off(
    logs: Sequence[str | Path],
    *,
    machine_type: str | None = None,
    nodes: str | Path | None = None,
    watts: Sequence[str | Path] = (),
    idle_power: float | None = None,
    most_waits: float = _USUAL.most_waits,
    start_seconds: float = _USUAL.start_seconds,
    asleep_watts: float = _USUAL.asleep_watts,
    idle_share: float = _USUAL.idle_share,
    busy_watts: float = _USUAL.busy_watts,
    should_stop: Callable[[], bool] = never,
    report: Callable[[LogProgress], None] | None = None,
) -> SleepAdvice:
    r"""Which nodes may sleep while they have nothing to do, by the jobs of accounting logs.

    Parameters
    ----------
    logs : sequence of str or Path
        Dumps of ``sacct``, SWF logs or tables of runs; plain or compressed. Or the sample log
        "university".
    machine_type : str, optional
        What makes a machine type, as --machine-type of ``derive`` takes it (default: chosen).
    nodes : str or Path, optional
        What ``sinfo --Node`` or ``scontrol show node`` lists, or a CSV table of nodes, as
        ``derive`` takes it.
    watts : sequence of str or Path
        Samples of the power of nodes, as ``derive`` takes them: they say idle and busy powers.
    idle_power : float, optional
        What idle nodes draw, as a fraction of their mean power at work (default: their own).
    most_waits : float
        The fraction of the jobs of each machine type that may wait for a node to start.
    start_seconds, asleep_watts : float
        How long a node takes to start, and what it draws while it sleeps.
    idle_share, busy_watts : float
        What stands for an idle power, as a fraction, and for a power at work that nothing says.
    should_stop : callable
        Asked while logs are read.
    report : callable, optional
        Told how much of the logs is read.

    Returns
    -------
    SleepAdvice
        Its ``plan`` is what is advised; ``chosen`` and ``judged`` say what comes of it in the two
        halves of the log.

    Raises
    ------
    InvalidInput
        If a log, a rule or a file cannot be used, or the log does not say when jobs ran.
    Stopped
        If it was stopped.

    Examples
    --------
    >>> rows = ["JobID|JobName|State|Partition|AllocCPUS|NodeList|Start|Elapsed"]
    >>> for day in range(1, 9):
    ...     for node in range(1, 4):
    ...         when = f"2026-03-{day:02}T09:00:00|0{node}:00:00"
    ...         rows.append(f"{day}{node}|a|COMPLETED|cpu|4|n{node}|{when}")
    >>> _ = Path("jobs.txt").write_text("\n".join(rows))
    >>> advice: SleepAdvice = switch_off(["jobs.txt"], most_waits=0.4)
    >>> advice.plan.awake, advice.judged.waits
    ((2,), 3)
    """
    asked = SwitchOffSettings(most_waits, start_seconds, asleep_watts, idle_share, busy_watts)
    refuse(lone(logs=logs, watts=watts))
    refuse((*strange(idle_power=(idle_power, IDLE_FRACTION)), *strange_settings(asked)))
    with deriving(
        LogFiles([*map(Path, logs)], None if nodes is None else Path(nodes), [*map(Path, watts)]),
        RunSettings(machine_type=machine_type),
        estimates=False,
        should_stop=should_stop,
        report=report,
    ) as found:
        use, system = node_use(found.derivation, found.store), found.derivation.system
        label = found.store.logs[0].name
    if idle_power is not None and system.apc is not None:
        system = system.with_idle_fraction(idle_power)
    known = None if use is None else known_in(use, system)
    if known is None:
        raise InvalidInput([Problem(label, "", "", NO_TIMES)])
    return advise(system, known, asked)
