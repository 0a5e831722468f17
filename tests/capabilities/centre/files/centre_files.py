"""A small centre as files, and what is said of it with some of them changed."""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

from core.capabilities.centre.files.centre_file import CentreFile
from core.capabilities.centre.files.centre_reader import inspect_centre, inspect_centre_bytes
from core.files.findings import Reading

TOML = """\
name = "small"

[room]
limit = 27.0
first = 24
heat_capacity = 5e6
leak = 50

[cooling]
fan_watts = 410
fan_heat = 500
compressor_watts = 2300
compressor_heat = 5500

[grid]
begin = "2026-08-01T00:00"
zone = "Europe/London"
length = "4h"
step = "15min"
"""
SERVERS = """\
kind,count,busy_watts,idle_watts,asleep_watts,start_seconds
cpu,4,300,120,5,90
gpu,2,900,200,10,0
"""
JOBS = """\
job,kind,servers,seconds,release,due,count
render,cpu,2,1800,0,7200,3
train,gpu,1,3600,900,9000,1
mesh,cpu,2,1800,0,7200,2
"""
CARBON = """\
time,value
2026-07-31T23:00Z,157
2026-08-01T00:00Z,134
2026-08-01T01:00Z,121
2026-08-01T02:00Z,119
"""
FORECAST = """\
time,value,issued
2026-07-31T23:00Z,165,2026-07-31T23:00Z
2026-08-01T00:00Z,158,2026-07-31T23:00Z
2026-08-01T01:00Z,149,2026-07-31T23:00Z
2026-08-01T01:00Z,130,2026-08-01T00:30Z
2026-08-01T02:00Z,125,2026-07-31T23:00Z
"""
USUAL: Mapping[str, str] = {
    "centre.toml": TOML,
    "servers.csv": SERVERS,
    "jobs.csv": JOBS,
    "signals/carbon.csv": CARBON,
    "signals/carbon-forecast.csv": FORECAST,
}


def changed(**changes: str | None) -> dict[str, str]:
    """The usual files, with others in their places; None leaves one out. `jobs__csv` is
    `jobs.csv`, and `signals_carbon__csv` is `signals/carbon.csv`.
    """
    files: dict[str, str | None] = dict(USUAL)
    for name, text in changes.items():
        place = (
            name.replace("__", ".")
            .replace("signals_", "signals/")
            .replace("_forecast", "-forecast")
        )
        files[place] = text
    return {name: text for name, text in files.items() if text is not None}


def zipped(files: Mapping[str, str], home: str = "") -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in files.items():
            archive.writestr(home + name, text)
    return stream.getvalue()


def put(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def reading(**changes: str | None) -> Reading[CentreFile]:
    return inspect_centre_bytes("small.zip", zipped(changed(**changes)))


def read(**changes: str | None) -> CentreFile:
    found = reading(**changes)
    assert found.value is not None, found.problems
    return found.value


def said(**changes: str | None) -> list[str]:
    return [str(problem) for problem in reading(**changes).problems]


def in_toml(old: str, new: str) -> str:
    assert old in TOML
    return TOML.replace(old, new)


__all__ = ["changed", "in_toml", "inspect_centre", "put", "read", "reading", "said", "zipped"]
