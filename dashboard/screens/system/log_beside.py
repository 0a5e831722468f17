"""What a person uploads beside a log: what Slurm lists of nodes, and samples of their power."""

import zlib
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import streamlit as st

from core.engines.logs.metered.sample_files import is_power_samples, read_power_samples
from core.engines.logs.types.node_table import is_node_table
from core.files.findings import Findings
from core.vocabulary.problems import Problem
from dashboard.parts.frame import markup
from dashboard.parts.opening.log_folder import LogFolder, LogUploads
from dashboard.parts.opening.panel import Handed, given
from dashboard.screens.system.log_answer import NO_WATTS, LogDesk, WattsRead
from dashboard.screens.system.log_machines import forget_table, take_table
from dashboard.workspace import asking

_HEAD: Final = 1 << 16
_GZIP: Final = b"\x1f\x8b"
_KEPT: Final = "samples.npz"


def without_beside(
    desk: LogDesk, uploads: tuple[str, ...], content: LogUploads
) -> tuple[tuple[str, ...], LogUploads]:
    """The uploads that are logs. Tables of nodes and samples of power among them are put in force,
    as long as they are uploaded.
    """
    if len(uploads) != len(content):
        return uploads, content
    logs: list[int] = []
    watts: list[int] = []
    tables: list[int] = []
    for k, (_, data) in enumerate(content):
        head = _begin(data)
        kind = tables if is_node_table(head) else watts if is_power_samples(head) else logs
        kind.append(k)
    for k in tables[-1:]:
        name, data = content[k]
        take_table(desk, Handed(uploads[k], name, bytes(data)))
    if desk.table_beside and not tables:
        forget_table(desk)
    desk.table_beside = bool(tables)
    handed = given("system.watts", watts, partial(_forget_watts, desk))
    if watts:
        _read_watts(desk, tuple(uploads[k] for k in watts), [content[k] for k in watts])
    elif handed is not None:
        _read_watts(desk, (handed.identity,), [(handed.name, handed.data)])
    else:
        _forget_watts(desk)
    _show_watts(desk)
    return tuple(uploads[k] for k in logs), [content[k] for k in logs]


def _begin(data: memoryview | bytes) -> bytes:
    """The first bytes of the content of a file, which may be compressed with gzip."""
    head = bytes(data[:_HEAD])
    if not head.startswith(_GZIP):
        return head
    try:
        return zlib.decompressobj(wbits=31).decompress(head, _HEAD)
    except zlib.error:
        return b""


def _read_watts(desk: LogDesk, files: tuple[str, ...], content: LogUploads) -> None:
    if files != desk.watts.files:
        folder = LogFolder()
        with st.spinner("Reading samples of power …", show_time=True):
            found = asking.read(_refused, read_samples, folder.path, folder.keep(content))
        desk.watts = replace(found, files=files, folder=folder)


def read_samples(folder: Path, paths: Sequence[Path]) -> WattsRead:
    """The samples of files, kept in a folder."""
    findings = Findings()
    samples = read_power_samples(paths, findings)
    if samples is None:
        return WattsRead(problems=findings.problems())
    path = folder / _KEPT
    samples.save(path)
    return WattsRead(path=path, said=(samples.in_words, *samples.notes))


def _refused(why: str) -> WattsRead:
    return WattsRead(problems=(Problem("", "", "", f"the samples of power: {why}"),))


def _forget_watts(desk: LogDesk) -> None:
    desk.watts = NO_WATTS


def _show_watts(desk: LogDesk) -> None:
    if desk.watts.problems:
        st.html(markup.problems(desk.watts.problems))
    if desk.watts.said:
        st.html(markup.items(desk.watts.said))
        if desk.opened is None:
            st.caption("They count as soon as you upload the log of these nodes.")
