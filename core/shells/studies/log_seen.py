"""What a log says beside its system: made of the log, and found again beside the system."""

import json
from pathlib import Path
from typing import Final

from core.engines.logs.derived.beside import arrivals_in, node_use, requests_in
from core.engines.logs.derived.derivation import Derivation
from core.engines.logs.derived.records import path_beside
from core.engines.logs.derived.replayed import Replayed
from core.engines.logs.reading.store import RunStore
from core.files.archive import write_file
from core.files.disk import read_file
from core.files.findings import Findings
from core.files.samples.named import LOGS, sample_folder
from core.files.strict_json import Fields, parse_json
from core.files.text import decode
from core.shells.studies.seen import (
    NOTHING_SEEN,
    SeenInLog,
    read_seen,
    seen_in_sample,
    written_seen,
)

SUFFIX: Final = ".seen.json"


def seen_in_log(derived: Derivation, store: RunStore, took: Replayed | None) -> SeenInLog:
    """What a log says beside its system; `took` is what its own jobs used."""
    return SeenInLog(
        arrivals_in(derived, store),
        node_use(derived, store),
        bool(derived.metered.idle),
        placement=None if took is None else took.placement,
        requests=requests_in(derived, store),
    )


def seen_path(system: Path) -> Path:
    """The file beside a system: `cluster.xlsx` has `cluster.seen.json`."""
    return path_beside(system, SUFFIX)


def write_seen(seen: SeenInLog, path: Path) -> None:
    """Write the file; an old one is replaced when the new one is complete."""
    write_file(path, (json.dumps(written_seen(seen)), "\n"))


def seen_beside(system: Path, findings: Findings) -> SeenInLog:
    """What a log says beside the system at a path: a sample, a study, or derived by `derive`."""
    if system.name in LOGS and system == sample_folder(system.name):
        return seen_in_sample(system.name)
    for path in (system, seen_path(system)):
        with findings.refusals(path.name):
            if path.suffix.lower() != ".json" or not path.is_file():
                continue
            document = parse_json(decode(read_file(path), path.name, findings), path.name, findings)
            if path != system:
                return read_seen(Fields(document, path.name, findings))
            settings = document.get("settings")
            if isinstance(settings, dict) and "seen" in settings:
                return read_seen(Fields.of(settings, "seen", path.name, findings))
    return NOTHING_SEEN
