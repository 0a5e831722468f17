"""What a person works on: the system in force, its origin, and the steps to undo.

Everything is immutable: a function takes a workspace and returns a new one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import accumulate
from typing import Final

from core import System, load_sample
from core.files.mends import Mend
from core.files.samples.generate import Generation, generate
from core.shells.studies import StudySettings
from core.vocabulary.problems import Problem
from dashboard.workspace.draft import Draft
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

    `problems` are those of the draft; without a draft, the warnings of the last edit.
    """

    system: System
    origin: Origin
    edited: bool = False
    draft: Draft | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def title(self) -> str:
        return f"{self.origin.title} (edited)" if self.edited else self.origin.title

    @property
    def fingerprint(self) -> str:
        """A digest of the content: equal versions, and only they, have equal fingerprints."""
        draft = None if self.draft is None else self.draft.fingerprint
        content = (self.system.fingerprint, self.origin, self.edited, draft, self.problems)
        return sha256(repr(content).encode()).hexdigest()

    @property
    def is_as_found(self) -> bool:
        """Whether the origin alone determines the system."""
        return not self.edited and self.draft is None and not isinstance(self.origin, Given)

    @property
    def tables(self) -> Draft:
        """The tables for an editor."""
        return self.draft or Draft.of(self.system)


@dataclass(frozen=True, eq=False)
class Workspace:
    """The state of one session: the version in force, those before and after it, and the idle
    power.

    `idle_fraction` is the idle power as a share of the mean power at work; None keeps that of the
    system. `upload` is the last file or paste if there is anything to report: a study, or problems.
    If a system was asked for that is `gone`, `version` stands in for it: no page shows anything of
    it, and undo does not lead to it.
    """

    version: Version
    idle_fraction: float | None = None
    past: tuple[Version, ...] = ()
    future: tuple[Version, ...] = ()
    upload: Upload | None = None
    gone: bool = False

    @cached_property
    def system(self) -> System:
        """The system that every page uses: the one in force, with the idle power that was set."""
        system = self.version.system
        if self.idle_fraction is None or system.apc is None:
            return system
        return system.with_idle_fraction(self.idle_fraction)

    @property
    def title(self) -> str:
        return self.version.title

    @property
    def can_undo(self) -> bool:
        mending = self.upload.mending if self.upload else None
        begun = mending is not None and bool(mending.past or (self.upload and self.upload.before))
        return begun or bool(self.past)

    @property
    def can_redo(self) -> bool:
        mending = self.upload.mending if self.upload else None
        return bool(self.future or (mending and mending.future))


def begin(sample: str) -> Workspace:
    return Workspace(Version(load_sample(sample), Sample(sample)))


def choose_sample(workspace: Workspace, name: str) -> Workspace:
    return choose(workspace, Version(load_sample(name), Sample(name)))


def draw(workspace: Workspace, wanted: Generation) -> Workspace:
    return choose(workspace, Version(generate(wanted), Drawn(wanted)))


def take_upload(workspace: Workspace, upload: Upload) -> Workspace:
    """Puts an uploaded or pasted system in force; if it has errors, only reports them."""
    reported = upload if upload.is_told_of or upload.opened else None
    if upload.system is None:
        return replace(workspace, upload=reported)
    if upload.opened is not None:
        chosen = _open_study(workspace, upload.system, upload.opened.settings)
    else:
        chosen = choose(workspace, Version(upload.system, Given(upload.name)))
    return replace(chosen, upload=reported)


def mend(workspace: Workspace, mending: Mending) -> Workspace:
    """Keeps corrected tables of the last upload. They are in force only after `use_mended`."""
    if workspace.upload is None:
        return workspace
    return replace(workspace, upload=workspace.upload.mended(mending))


def take_mend(workspace: Workspace, chosen: Mend) -> Workspace:
    """Takes one decision about the tables of the last upload; a valid result is in force."""
    upload = workspace.upload
    if upload is None:
        return workspace
    after = upload.after(chosen)
    if after.mending is not None or after.system is None:
        return replace(workspace, upload=after)
    version = Version(after.system, Given(after.name), edited=True)
    return replace(choose(workspace, version), upload=after)


def use_mended(workspace: Workspace) -> Workspace:
    """Puts the system of the corrected tables in force; undo brings the one before back."""
    upload = workspace.upload
    if upload is None or upload.mending is None or upload.mending.reading.value is None:
        return workspace
    version = Version(upload.mending.reading.value, Given(upload.name), edited=True)
    warned = replace(upload, system=version.system, mending=None) if upload.is_told_of else None
    return replace(choose(workspace, version), upload=warned)


def _open_study(workspace: Workspace, system: System, asked: StudySettings) -> Workspace:
    """Puts the system of a study in force, with the idle power of its settings if they agree."""
    idle = asked.idle_power
    if idle is not None and system.with_idle_fraction(idle) != system:
        idle = None
    sample = asked.sample
    version = Version(system, Given(asked.name))
    if sample is not None:
        version = Version(load_sample(sample), Sample(sample))
    return set_idle_fraction(choose(workspace, version), idle)


def choose(workspace: Workspace, version: Version) -> Workspace:
    """Puts a version in force; undo brings the one before back."""
    before = () if workspace.gone else (workspace.version,)
    return replace(
        workspace,
        version=version,
        past=_bounded([*workspace.past, *before]),
        future=(),
        upload=None,
        gone=False,
    )


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
        edited = Version(
            reading.value, version.origin, version.edited or not same, None, reading.problems
        )
    return replace(choose(workspace, edited), upload=workspace.upload)


def undo(workspace: Workspace) -> Workspace:
    """Undoes the last correction of an upload if there is one, else the last change of system."""
    upload = workspace.upload
    if upload is not None and upload.mending is not None:
        if upload.mending.past:
            return replace(workspace, upload=upload.mended(upload.mending.undone()))
        if upload.before is not None:
            return replace(workspace, upload=upload.before)
    if not workspace.past:
        return workspace
    if upload is not None and upload.before and upload.system is workspace.version.system:
        upload = upload.before
    *past, version = workspace.past
    return replace(
        workspace,
        version=version,
        past=tuple(past),
        future=workspace.future if workspace.gone else (workspace.version, *workspace.future),
        upload=upload,
        gone=False,
    )


def redo(workspace: Workspace) -> Workspace:
    upload = workspace.upload
    if upload is not None and upload.mending is not None and upload.mending.future:
        return replace(workspace, upload=upload.mended(upload.mending.redone()))
    if not workspace.future:
        return workspace
    version, *future = workspace.future
    return replace(
        workspace, version=version, past=(*workspace.past, workspace.version), future=tuple(future)
    )


def set_idle_fraction(workspace: Workspace, fraction: float | None) -> Workspace:
    return replace(workspace, idle_fraction=fraction)


def dismiss_upload(workspace: Workspace) -> Workspace:
    """Removes the report about the last upload."""
    return replace(workspace, upload=None)


def _bounded(past: Sequence[Version]) -> tuple[Version, ...]:
    """The latest versions, within the limits."""
    latest = list(reversed(past[-STEPS_KEPT:]))
    cells = accumulate(version.system.etc.size for version in latest)
    kept = max(sum(total <= CELLS_KEPT for total in cells), 1)
    return tuple(reversed(latest[:kept]))
