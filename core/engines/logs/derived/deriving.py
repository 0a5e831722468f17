"""From files to a derivation: logs, or a sample log, with what is known of their nodes."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from core.engines.logs.derived.derivation import Derivation, derive
from core.engines.logs.metered.sample_files import require_power_samples
from core.engines.logs.reading.logs import LogProgress, read_logs
from core.engines.logs.reading.recognising import LogFormat
from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.node_table import read_node_table
from core.engines.logs.types.settings import ANY, RunSettings
from core.files.findings import Unreadable, shown, shown_list
from core.files.samples.named import with_sample_log
from core.vocabulary.budget import never
from core.vocabulary.problems import refuse, refusing


class LogFiles(NamedTuple):
    """Logs of one `log_format` (None: found out from each), or the name of a sample log; what is
    known of their nodes, and samples of the power of these.
    """

    logs: Sequence[Path]
    nodes: Path | None = None
    watts: Sequence[Path] = ()
    log_format: LogFormat | None = None


class Deriving(NamedTuple):
    """A derivation, the runs that it is of, and the seconds of its phases."""

    derivation: Derivation
    store: RunStore
    seconds: dict[str, float]


@contextmanager
def deriving(
    files: LogFiles,
    settings: RunSettings,
    *,
    estimates: bool = True,
    should_stop: Callable[[], bool] = never,
    report: Callable[[LogProgress], None] | None = None,
) -> Iterator[Deriving]:
    """A derivation while its runs are there. Raises `InvalidInput` and `Stopped`."""
    logs, nodes = with_sample_log(files.logs, files.nodes)
    table = None if nodes is None else read_node_table(nodes)
    samples = require_power_samples(files.watts) if files.watts else None
    started = time.perf_counter()
    with refusing(Unreadable, of=""):
        store = read_logs(logs, files.log_format, should_stop=should_stop, report=report)
    read = time.perf_counter()
    try:
        derived = derive(
            store, settings, table, samples=samples, estimates=estimates, should_stop=should_stop
        )
        _refuse_unknown(derived)
        seconds = {"read": read - started, "derive": time.perf_counter() - read}
        yield Deriving(derived, store, seconds)
    finally:
        store.close()


def _refuse_unknown(derived: Derivation) -> None:
    """A pair that is allowed must be there: its name may be mistyped."""
    names = derived.system.task_names, derived.system.machine_names
    refuse(
        f"--allow: '{shown(name)}' is no {kind} type of this log; they are {shown_list(there, 12)}"
        for pair in derived.settings.allowed
        for name, there, kind in zip(pair, names, ("task", "machine"), strict=True)
        if name not in (ANY, *there)
    )
