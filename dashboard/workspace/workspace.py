"""What a person works on: the system in force, its origin, and the steps to undo.

Everything is immutable: a function takes a workspace and returns a new one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, Final, NamedTuple

from core import System, load_sample
from core.files.mends import Mend
from core.files.samples.generate import Generation, generate
from core.shells.studies import StudySettings
from core.shells.studies.seen import NOTHING_SEEN, SeenInLog, seen_in_sample
from core.vocabulary.kinds import MARKET
from core.vocabulary.prices.site import ASSUMED, Site
from core.vocabulary.problems import Problem
from core.vocabulary.without_work import AS_GIVEN, USUAL_IDLE_SHARE, WithoutWork
from dashboard.workspace.draft import Change, Draft
from dashboard.workspace.mending import Mending
from dashboard.workspace.upload import Upload

STEPS_KEPT: Final = 100
CELLS_KEPT: Final = 5_000_000
"""The most cells in all steps to undo. The last step is kept, however large."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample, by name."""

    name: str

    @property
    def title(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Given:
    """A file that was uploaded, or tables that were pasted."""

    name: str

    @property
    def title(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Drawn:
    """A random system."""

    generation: Generation

    @property
    def title(self) -> str:
        wanted = self.generation
        return f"random {wanted.task_types:,} × {wanted.machine_types:,}, seed {wanted.seed}"


Origin = Sample | Given | Drawn


@dataclass(frozen=True, eq=False, slots=True)
class Version:
    """The system in force, and the tables that a person is editing if they have problems.

    `seen` is what a log says beside it. `problems` are those of the draft; without a draft, the
    warnings of the last edit.
    """

    system: System
    origin: Origin
    edited: bool = False
    draft: Draft | None = None
    problems: tuple[Problem, ...] = ()
    seen: SeenInLog = NOTHING_SEEN

    @property
    def idle_assumed(self) -> bool:
        """Whether nobody has said what its machines draw when idle: it has powers, but says 0."""
        idle = (machine.idle_power for machine in self.system.machine_types)
        return self.system.apc is not None and not any(idle)

    @property
    def is_of_log(self) -> bool:
        """Whether a log says where its tasks ran, when nodes were busy, or when tasks came."""
        seen = self.seen
        is_counted = seen.arrivals is not None and seen.arrivals.days > 0
        return is_counted or seen.placement is not None or seen.node_use is not None

    @property
    def title(self) -> str:
        return f"{self.origin.title} (edited)" if self.edited else self.origin.title

    @property
    def fingerprint(self) -> str:
        """A digest of the content: equal versions, and only they, have equal fingerprints."""
        draft = None if self.draft is None else self.draft.fingerprint
        content = (self.origin, self.edited, draft, self.problems, self.seen.fingerprint)
        return sha256(repr((self.system.fingerprint, *content)).encode()).hexdigest()

    @property
    def is_as_found(self) -> bool:
        """Whether the origin alone determines the system."""
        return not self.edited and self.draft is None and not isinstance(self.origin, Given)

    @property
    def tables(self) -> Draft:
        """The tables for an editor."""
        return self.draft or Draft.of(self.system)


class Step(NamedTuple):
    """What undo and redo bring back: a version, and the upload that was reported beside it.

    A version that is `gone` stands in for a system that was asked for and is not there.
    """

    version: Version
    upload: Upload | None
    gone: bool


@dataclass(frozen=True, eq=False)
class Workspace:
    """The state of one session: the version in force, the steps before it and those that were
    undone, what machines draw without work, and the site.

    `upload` is the last file or paste if there is anything to report: a study, or problems.
    If a system was asked for that is `gone`, `version` stands in for it: no page shows anything of
    it, and undo does not lead to it.
    """

    version: Version
    idle: WithoutWork = AS_GIVEN
    site: Site = ASSUMED
    past: tuple[Step, ...] = ()
    future: tuple[Step, ...] = ()
    upload: Upload | None = None
    gone: bool = False

    @cached_property
    def system(self) -> System:
        """The system that every page uses: the one in force, with what was set for machines without
        work.
        """
        system = self.version.system
        return system if system.apc is None else self.idle.of(system)

    @property
    def idle_is_proposed(self) -> bool:
        """Whether its idle power is assumed because its log says none, until its tables say one."""
        version = self.version
        return version.is_of_log and version.idle_assumed and self.idle == _ASSUMED

    @property
    def title(self) -> str:
        return self.version.title

    @property
    def now(self) -> Step:
        return Step(self.version, self.upload, self.gone)


def begin(sample: str) -> Workspace:
    return Workspace(of_sample(sample))


def of_sample(name: str) -> Version:
    """A sample, with what its log says beside it."""
    return Version(load_sample(name), Sample(name), seen=seen_in_sample(name))


def choose_sample(workspace: Workspace, name: str) -> Workspace:
    return choose(workspace, of_sample(name))


def draw(workspace: Workspace, wanted: Generation) -> Workspace:
    return choose(workspace, Version(generate(wanted), Drawn(wanted)))


def take_upload(workspace: Workspace, upload: Upload) -> Workspace:
    """Puts an uploaded or pasted system in force; if it has errors, only reports them."""
    reported = upload if upload.is_told_of or upload.opened else None
    if upload.system is None:
        return _report(workspace, reported)
    if upload.opened is not None:
        chosen = _open_study(workspace, upload.system, upload.opened.settings)
        return replace(chosen, upload=reported)
    return choose(workspace, _given(upload, upload.system), reported)


def _given(upload: Upload, system: System, *, edited: bool = False) -> Version:
    """The system of an upload, with what was assumed of it."""
    seen = replace(upload.seen, assumed=upload.notes)
    return Version(system, Given(upload.name), edited=edited, seen=seen)


def mend(workspace: Workspace, mending: Mending) -> Workspace:
    """Keeps corrected tables of the last upload. They are in force only after `use_mended`."""
    if workspace.upload is None:
        return workspace
    return _report(workspace, workspace.upload.mended(mending))


def take_mend(workspace: Workspace, chosen: Mend) -> Workspace:
    """Takes one decision about the tables of the last upload; a valid result is in force."""
    upload = workspace.upload
    if upload is None:
        return workspace
    after = upload.after(chosen)
    if after is upload:
        return workspace
    if after.mending is not None or after.system is None:
        return _correct(workspace, after)
    return choose(workspace, _given(after, after.system, edited=True), after)


def use_mended(workspace: Workspace) -> Workspace:
    """Puts the system of the corrected tables in force; undo brings the one before back."""
    upload = workspace.upload
    if upload is None or upload.mending is None or upload.mending.reading.value is None:
        return workspace
    version = _given(upload, upload.mending.reading.value, edited=True)
    warned = replace(upload, system=version.system, mending=None) if upload.is_told_of else None
    return choose(workspace, version, warned)


def _open_study(workspace: Workspace, system: System, asked: StudySettings) -> Workspace:
    """Puts the system of a study in force, with what its settings say of machines without work if
    they agree.
    """
    idle = asked.idle
    if system.apc is None or idle.of(system) != system:
        idle = AS_GIVEN
    sample = asked.sample
    version = Version(system, Given(asked.name), seen=asked.seen)
    if sample is not None:
        version = of_sample(sample)
    return replace(choose(workspace, version), idle=idle)


def choose(workspace: Workspace, version: Version, upload: Upload | None = None) -> Workspace:
    """Puts a version in force, and reports the upload that it is from. Undo brings back what was
    before, unless that is gone.
    """
    past = [step for step in (*workspace.past, workspace.now) if not step.gone]
    chosen = replace(
        workspace, version=version, past=_bounded(past), future=(), upload=upload, gone=False
    )
    return _with_idle_of(workspace.version, chosen)


_ASSUMED: Final = WithoutWork(USUAL_IDLE_SHARE)


def _with_idle_of(before: Version, after: Workspace) -> Workspace:
    """Where a log says nothing of idle power, the usual share of the power at work is assumed until
    a person says another, and no longer than its system is in force.
    """
    was, comes = (one.is_of_log and one.idle_assumed for one in (before, after.version))
    if comes and not was and after.idle == AS_GIVEN:
        return replace(after, idle=_ASSUMED)
    if was and not comes and after.idle == _ASSUMED:
        return replace(after, idle=AS_GIVEN)
    return after


def _report(workspace: Workspace, upload: Upload | None) -> Workspace:
    """Reports another upload, which is not in force. If the one before is being corrected, undo
    brings it back.
    """
    if workspace.upload is not None and workspace.upload.mending is not None:
        return _correct(workspace, upload)
    return replace(workspace, upload=upload)


def _correct(workspace: Workspace, upload: Upload | None) -> Workspace:
    """Reports an upload after a correction, which undo takes back."""
    past = _bounded((*workspace.past, workspace.now))
    return replace(workspace, past=past, future=(), upload=upload)


def miss(workspace: Workspace) -> Workspace:
    """Without the system that was asked for; undo brings the one before back."""
    return replace(choose(workspace, workspace.version), gone=True)


def edit(workspace: Workspace, draft: Draft) -> Workspace:
    """Takes edited tables. Until they are valid, the last valid system stays in force."""
    reading, version = draft.check(), workspace.version
    if reading.value is None:
        edited = replace(version, draft=draft, problems=reading.problems)
    elif reading.value == version.system and version.draft is None:
        return workspace
    else:
        same = reading.value == version.system
        seen = version.seen
        if _counts(reading.value) != _counts(version.system):  # what was assumed are the counts
            seen = replace(seen, assumed=())
        edited = replace(
            version,
            system=reading.value,
            edited=version.edited or not same,
            draft=None,
            problems=reading.problems,
            seen=seen,
        )
    return choose(workspace, edited, workspace.upload)


def say_beside(workspace: Workspace, seen: SeenInLog) -> Workspace:
    """Takes what a person says of the study beside its tables: when its tasks come, or what they
    ask for.
    """
    version = workspace.version
    if seen.fingerprint == version.seen.fingerprint:
        return workspace
    return choose(workspace, replace(version, seen=seen, edited=True), workspace.upload)


def set_market(workspace: Workspace, said: Mapping[str, Mapping[str, float | None]]) -> Workspace:
    """Edits what machine types say of buying and selling them, by name and column (`MARKET`). What
    would make valid tables invalid is not taken.
    """
    tables = workspace.version.tables
    rows = {row: said[one.name] for row, one in enumerate(tables.machines) if one.name in said}
    after = edit(workspace, tables.changed("machines", Change(rows)))
    is_broken = after.version.draft is not None and workspace.version.draft is None
    return workspace if is_broken else after


def unpriced(system: System) -> System:
    """The system without what its machine types say of buying and selling them."""
    blank: dict[str, Any] = dict.fromkeys(MARKET)
    return replace(
        system, machine_types=tuple(replace(one, **blank) for one in system.machine_types)
    )


def _counts(system: System) -> tuple[list[int], list[int]]:
    return system.task_counts.tolist(), system.machine_counts.tolist()


def undo(workspace: Workspace) -> Workspace:
    """Takes back the last step: a choice or an edit of a system, or a correction of an upload."""
    if not workspace.past:
        return workspace
    *past, step = workspace.past
    future = [one for one in (workspace.now, *workspace.future) if step.gone or not one.gone]
    undone = replace(workspace, **step._asdict(), past=tuple(past), future=tuple(future))
    return _with_idle_of(workspace.version, undone)


def redo(workspace: Workspace) -> Workspace:
    """Takes again the last step that was undone."""
    if not workspace.future:
        return workspace
    step, *future = workspace.future
    past = (*workspace.past, workspace.now)
    redone = replace(workspace, **step._asdict(), past=past, future=tuple(future))
    return _with_idle_of(workspace.version, redone)


def set_idle_fraction(workspace: Workspace, fraction: float | None) -> Workspace:
    """With this idle power, as a share of the mean power at work; None is that of the system."""
    return replace(workspace, idle=replace(workspace.idle, idle_power=fraction))


def dismiss_upload(workspace: Workspace) -> Workspace:
    """Removes the report about the last upload."""
    return _report(workspace, None)


def _bounded(past: Sequence[Step]) -> tuple[Step, ...]:
    """The latest steps: of so many versions, within so many cells but for the latest of them, and
    so many that only correct an upload, which share a version with the step after them.
    """
    kept: list[Step] = []
    versions, corrections, cells = 0, 0, 0
    for step in reversed(past):
        if kept and step.version is kept[-1].version:
            corrections += 1
            if corrections >= STEPS_KEPT:
                continue
        else:
            versions, cells = versions + 1, cells + step.version.system.etc.size
            if versions > STEPS_KEPT or (kept and cells > CELLS_KEPT):
                break
        kept.append(step)
    return tuple(reversed(kept))
