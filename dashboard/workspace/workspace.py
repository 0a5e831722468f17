"""What a person works on: the chosen system, where it came from, and the way back.

Everything is immutable; a function takes a workspace and returns the next one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Final

from core import System, load_sample
from core.files.mends import Mend
from core.model.problems import Problem
from core.samples.generate import Generation, generate
from core.studies import StudySettings
from dashboard.workspace.draft import Draft
from dashboard.workspace.mending import Mending
from dashboard.workspace.upload import Upload

STEPS_KEPT: Final = 100
CELLS_KEPT: Final = 5_000_000
"""Of all steps that can be undone; the last one stays, however large."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One of the named systems."""

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
    """The system in force, and the tables that a person is editing where they are not sound yet.

    `problems` are those of the draft; without a draft, what the last edit warned of.
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
    def is_as_found(self) -> bool:
        """Whether its origin alone tells what it is."""
        return not self.edited and self.draft is None and not isinstance(self.origin, Given)

    @property
    def tables(self) -> Draft:
        """What an editor shows."""
        return self.draft or Draft.of(self.system)


@dataclass(frozen=True, eq=False)
class Workspace:
    """One person's state: the version at hand, those before and after it, and global settings.

    `idle_fraction` sets the watts of idle machines, None leaves them as the system has them.
    `upload` is the last file or paste of which there is more to say than its system: a study, or
    one that had problems, used or not.
    """

    version: Version
    idle_fraction: float | None = None
    past: tuple[Version, ...] = ()
    future: tuple[Version, ...] = ()
    upload: Upload | None = None

    @cached_property
    def system(self) -> System:
        """What every page computes with: the system in force, at the idle power that was set."""
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
    """The uploaded or pasted system, or the one there was with all that is wrong with the new."""
    reported = upload if upload.is_told_of or upload.opened else None
    if upload.system is None:
        return replace(workspace, upload=reported)
    if upload.opened is not None:
        chosen = _open_study(workspace, upload.system, upload.opened.settings)
    else:
        chosen = choose(workspace, Version(upload.system, Given(upload.name)))
    return replace(chosen, upload=reported)


def mend(workspace: Workspace, mending: Mending) -> Workspace:
    """The tables of the last upload as they now are; nothing is in force before it is asked for."""
    if workspace.upload is None:
        return workspace
    return replace(workspace, upload=workspace.upload.mended(mending))


def take_mend(workspace: Workspace, chosen: Mend) -> Workspace:
    """One decision about the tables of the last upload; what it leaves sound is in force."""
    upload = workspace.upload
    if upload is None:
        return workspace
    after = upload.after(chosen)
    if after.mending is not None or after.system is None:
        return replace(workspace, upload=after)
    version = Version(after.system, Given(after.name), edited=True)
    return replace(choose(workspace, version), upload=after)


def use_mended(workspace: Workspace) -> Workspace:
    """The system of the tables that were mended; the one before can be had back."""
    upload = workspace.upload
    if upload is None or upload.mending is None or upload.mending.reading.system is None:
        return workspace
    version = Version(upload.mending.reading.system, Given(upload.name), edited=True)
    warned = replace(upload, system=version.system, mending=None) if upload.is_told_of else None
    return replace(choose(workspace, version), upload=warned)


def _open_study(workspace: Workspace, system: System, asked: StudySettings) -> Workspace:
    """The system of a study, at the idle power that was set for it if that is still what it is."""
    idle = asked.idle_power
    if idle is not None and system.with_idle_fraction(idle) != system:
        idle = None
    sample = asked.sample
    version = Version(system, Given(asked.name))
    if sample is not None:
        version = Version(load_sample(sample), Sample(sample))
    return set_idle_fraction(choose(workspace, version), idle)


def choose(workspace: Workspace, version: Version) -> Workspace:
    """Another version; the one before can be had back."""
    return replace(
        workspace,
        version=version,
        past=_bounded([*workspace.past, workspace.version]),
        future=(),
        upload=None,
    )


def edit(workspace: Workspace, draft: Draft) -> Workspace:
    """Tables as they now are; until they are sound the last good system stays in force."""
    reading, version = draft.check(), workspace.version
    if reading.system is None:
        edited = replace(version, draft=draft, problems=reading.problems)
    elif reading.system == version.system and version.draft is None:
        return workspace
    else:
        same = reading.system == version.system
        edited = Version(
            reading.system, version.origin, version.edited or not same, None, reading.problems
        )
    return replace(choose(workspace, edited), upload=workspace.upload)


def undo(workspace: Workspace) -> Workspace:
    """Takes back the last step of mending while there is one, or else the last version."""
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
        future=(workspace.version, *workspace.future),
        upload=upload,
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
    """The same without the report on the last upload."""
    return replace(workspace, upload=None)


def _bounded(past: Sequence[Version]) -> tuple[Version, ...]:
    """The latest versions, as many as may be kept."""
    latest = list(reversed(past[-STEPS_KEPT:]))
    cells = accumulate(version.system.etc.size for version in latest)
    kept = max(sum(total <= CELLS_KEPT for total in cells), 1)
    return tuple(reversed(latest[:kept]))
