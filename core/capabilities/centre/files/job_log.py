"""Jobs of one day of an accounting log (SWF, sacct) in place of jobs.csv."""

import math
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zoneinfo import ZoneInfo

import numpy as np

from core.capabilities.centre.centre import ServerKind
from core.capabilities.centre.files.centre_file import CentreJobs, DayGrid
from core.capabilities.centre.files.centre_settings import LogSettings
from core.engines.logs.reading.logs import read_logs
from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.accepting import repeated, states_of
from core.engines.logs.types.requeued import requeued
from core.engines.signals.zones import EPOCH, moment_said
from core.files.findings import Findings, Unreadable, shown
from core.files.numbers import number_cell
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.say.words import DAY, counted

WITHOUT_LIMIT: Final = 3.0
"""Times of what it took after which a job is due that asked for no time. Ours."""
_KINDS_IN: Final = ("partition", "queue")
"""Texts of logs that may be the name of a kind of servers."""


def jobs_of_log(
    name: str,
    data: bytes,
    said: LogSettings,
    kinds: Sequence[ServerKind],
    grid: DayGrid,
    findings: Findings,
) -> CentreJobs | None:
    """The jobs that were submitted in a day of a log, as `said`; None if there are none, which is
    reported. Jobs that the centre cannot run are left out, with a warning for each reason.
    """
    with TemporaryDirectory(prefix="wattfront-") as folder:
        path = Path(folder) / Path(name).name
        path.write_bytes(data)
        try:
            store = read_logs([path])
        except Unreadable as refused:  # which says the name of the file, too
            raise Unreadable(str(refused).removeprefix(f"{path.name}: ")) from refused
        try:
            return _LogDay(name, store, said, kinds, grid, findings).jobs()
        finally:
            store.close()


class _LogDay:
    def __init__(
        self,
        name: str,
        store: RunStore,
        said: LogSettings,
        kinds: Sequence[ServerKind],
        grid: DayGrid,
        findings: Findings,
    ) -> None:
        self.name, self.store, self.said = name, store, said
        self.kinds, self.grid, self.findings = kinds, grid, findings
        submit = store.column("submit")
        self.submit = np.where(np.isfinite(submit), submit, store.column("start"))
        self.seconds = store.column("elapsed").astype(float)

    def jobs(self) -> CentreJobs | None:
        grid, findings = self.grid, self.findings
        twice = np.logical_or.reduce(list(repeated(self.store).values()))
        again = twice | requeued(self.store, states_of(self.store), twice).lost
        begin = self._begin()
        if begin is None:
            findings.error(self.name, "", "", "has no job with a time; give another log")
            return None
        release = self.submit - begin
        there = (release >= 0) & (release < grid.seconds) & ~again
        came = int(np.count_nonzero(there))
        servers, kind = self._servers(), self._kind()
        if kind is None:
            return None
        most = np.array([one.count for one in self.kinds])[np.maximum(kind, 0)]
        self._report("ran for no time, or the log does not say it", there & ~(self.seconds > 0))
        there &= self.seconds > 0
        self._report("is of no kind of servers", there & (kind < 0))
        there &= kind >= 0
        wide = "takes more servers than its kind has"
        if not (self.store.column("nodes")[there & (servers > most)] > 0).any():
            wide += f" if a server has {counted(self.said.cores, 'core')} ([log] cores)"
        self._report(wide, there & (servers > most))
        there &= servers <= most
        rows = np.flatnonzero(there)
        found = self._of_rows(rows, kind[rows], servers[rows], release[rows])
        unfit = np.zeros(len(there), bool)
        unfit[rows] = found.unfit(grid)
        self._report("cannot end within the day", unfit)
        rows = np.flatnonzero(there & ~unfit)
        if not len(rows):
            said = f"has no job that can run in the day from {moment_said(begin)} on by its clock"
            mend = f"mend why the {came:,} that came are left out, or " if came else ""
            findings.error(self.name, "", "", f"{said}; {mend}say another day ([log] day)")
            return None
        rows = rows[np.argsort(release[rows], kind="stable")]
        findings.notes += self._notes(begin, rows)
        return self._of_rows(rows, kind[rows], servers[rows], release[rows])

    def _begin(self) -> float | None:
        """When the day of the log begins, by its clock: as said, or with the day of the centre if
        jobs came in that, or else with the day of the first job. SWF logs are in UTC.
        """
        known = self.submit[np.isfinite(self.submit)]
        if not len(known):
            return None
        if self.said.day is not None:
            return self.said.day
        begins = EPOCH + timedelta(seconds=self.grid.begins)
        ahead = begins.astimezone(ZoneInfo(self.grid.zone)).utcoffset() or timedelta()
        is_utc = all(log.format == "swf" for log in self.store.logs)
        wall = self.grid.begins + (0.0 if is_utc else ahead.total_seconds())
        if ((known >= wall) & (known < wall + self.grid.seconds)).any():
            return wall
        return math.floor(float(known.min()) / DAY) * DAY

    def _servers(self) -> IntArray:
        """Whole servers of each run: its nodes, or as many as have its cores."""
        nodes = self.store.column("nodes").astype(np.int64)
        cores = self.store.column("cores").astype(np.int64)
        return np.maximum(np.where(nodes > 0, nodes, -(-cores // self.said.cores)), 1)

    def _kind(self) -> IntArray | None:
        """The kind of servers of each run; -1 for none. None if nothing says it, which is
        reported.
        """
        names = {kind.name.casefold(): number for number, kind in enumerate(self.kinds)}
        whole = np.zeros(len(self.store), np.int64)
        if self.said.kind:
            number = names.get(self.said.kind.casefold())
            if number is None:
                said = f"'{shown(self.said.kind)}' is not a kind in servers.csv; correct the name"
                self.findings.error("centre.toml [log]", "", "kind", said)
                return None
            return whole + number
        if len(self.kinds) == 1:
            return whole
        for column in _KINDS_IN:
            if column in self.store.texts:
                texts = [text.casefold() for text in self.store.values(column)]
                found = np.array([*(names.get(text, -1) for text in texts), -1])
                if (found >= 0).any():
                    return np.asarray(found[self.store.column(column)])
        said = "does not say which kind of servers jobs take; say one ([log] kind)"
        self.findings.error(self.name, "", "", said)
        return None

    def _of_rows(
        self, rows: IntArray, kind: IntArray, servers: IntArray, release: FloatArray
    ) -> CentreJobs:
        seconds = self.seconds[rows]
        limit = self.store.column("limit").astype(float)[rows]
        asked = np.where(limit > 0, self.said.due * limit, WITHOUT_LIMIT * seconds)
        count = np.ones(len(rows), np.int64)
        due = release + np.maximum(asked, seconds)
        return CentreJobs(kind, servers, seconds, release, due, count, self._names(rows))

    def _names(self, rows: IntArray) -> tuple[str, ...]:
        """The numbers of jobs, with those of tasks in job arrays; none if they are not unique."""
        job, task = (self.store.column(name)[rows].tolist() for name in ("job", "task"))
        names = [
            f"{one}_{part}" if part >= 0 else f"{one}" for one, part in zip(job, task, strict=True)
        ]
        return tuple(names) if len(set(names)) == len(names) else ()

    def _report(self, why: str, wrong: BoolArray) -> None:
        """A warning of the jobs that are left out, with the first of them."""
        rows = np.flatnonzero(wrong)
        if not len(rows):
            return
        line = int(self.store.column("line")[rows[0]])
        such = "the job is left out" if len(rows) == 1 else f"{len(rows):,} such jobs are left out"
        self.findings.warning(self.name, f"line {line}", "", f"{why}; {such}")

    def _notes(self, begin: float, rows: IntArray) -> Iterator[str]:
        yield (
            f"{self.name}: {counted(len(rows), 'job')} that came in the day from "
            f"{moment_said(begin).removesuffix(' UTC')} on by its clock; each takes whole servers, "
            "for the time that it took"
        )
        limit = self.store.column("limit")[rows]
        without = int(np.count_nonzero(~(limit > 0)))
        if without < len(rows):
            times = "" if self.said.due == 1 else f"{number_cell(self.said.due)} times "
            yield f"{self.name}: jobs are due {times}their time limit after they were submitted"
        if without:
            yield (
                f"{self.name}: {counted(without, 'job')} asked for no time; due "
                f"{number_cell(WITHOUT_LIMIT)} times what it took after it was submitted"
            )
        if not (self.store.column("nodes")[rows] > 0).all():
            yield f"{self.name}: a server is taken to have {counted(self.said.cores, 'core')}"
