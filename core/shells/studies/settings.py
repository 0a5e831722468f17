"""The settings of a study, the schedule that was chosen, and the command lines that do it again."""

import platform
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any, Final, Protocol, TypeVar, cast

import numpy as np

from core.engines.front.known import Proofs
from core.engines.front.methods import DEFAULT_SPACING, Lp
from core.engines.front.patterns import PatternProof
from core.engines.front.study import Study
from core.engines.front.wish import SI_WISHES, Wish
from core.engines.recover.along import NO_PROGRESSION, points_of
from core.engines.recover.settling import settle
from core.engines.relaxed import MAKESPAN, Front, lower_bound, trace_front
from core.engines.relaxed.fitting import Fitted, fitted, has_single_tasks
from core.engines.verify.judge import verify
from core.files.strict_json import Fields
from core.shells.registry import Capability, capabilities
from core.shells.settings.forms import flag_words, shell_word
from core.shells.settings.site import site_words
from core.shells.studies.seen import NOTHING_SEEN, SeenInLog
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import DEFAULT_SECONDS, Budget, never
from core.vocabulary.plane.points import non_dominated
from core.vocabulary.prices.site import Site
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from core.vocabulary.tolerances import METHODS_AGREE
from core.vocabulary.without_work import AS_GIVEN, WithoutWork

STUDY_FILE: Final = "study.json"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StudySettings:
    """All settings of a study besides its system.

    `name` is the system's name for people; `sample` is set if it is a sample of Wattfront.
    `idle` is what was set of machines without work, which the system has. `work` is units of work
    on one thread, in place of `seconds` on `threads`. Without a `site` energy has no price.
    `blocks` are the settings of other capabilities, by name. `seen` is what a log says beside its
    system. `view` is what pages showed, as the parameters of their address, which only they
    understand.
    """

    name: str
    sample: str | None = None
    idle: WithoutWork = AS_GIVEN
    method: str = Lp.name
    spacing: float = DEFAULT_SPACING
    seconds: float = DEFAULT_SECONDS
    threads: int = 1
    work: float | None = None
    seed: int = 0
    generations: int | None = None
    site: Site | None = None
    blocks: Mapping[str, object] = field(default_factory=dict)
    view: Mapping[str, str] = field(default_factory=dict)
    seen: SeenInLog = NOTHING_SEEN

    def block(self, kind: type[T]) -> T | None:
        """The settings of this kind, of whichever capability; None if there are none."""
        return next(iter(self.each(kind)), None)

    def each(self, kind: type[T]) -> tuple[T, ...]:
        """All settings of this kind; pages that ask alike have one each."""
        return tuple(block for block in self.blocks.values() if isinstance(block, kind))


@dataclass(frozen=True, eq=False, slots=True)
class Choice:
    """The chosen schedule; `title` says why, and `wish` is the one that it answers, if any."""

    schedule: Schedule
    title: str
    wish: Wish | None = None


class StudyBlock(Protocol):
    """A module that reads and writes the settings of its capability."""

    def read(self, given: Fields, system: System | None, site: Site | None = None) -> object:
        """The settings, at the site of the study; they are valid only if nothing was reported."""

    def written(self, settings: Any) -> Mapping[str, object]:
        """The settings as JSON, which `read` reads back."""

    def commands(self, settings: Any) -> Sequence[Sequence[object]]:
        """The arguments after `wattfront COMMAND SYSTEM` that ask for the same, line by line."""


def with_blocks() -> dict[str, Capability]:
    """The capabilities that have blocks, by the names of these."""
    return {name: one for one in capabilities() if one.offers("study_block") for name in one.blocks}


def without_front(blocks: Mapping[str, object]) -> dict[str, object]:
    """The blocks that a study may have without a front: they are about the system alone."""
    capabilities = with_blocks()
    return {name: block for name, block in blocks.items() if capabilities[name].from_study}


def block_of(capability: Capability) -> StudyBlock:
    return cast("StudyBlock", capability.part("study_block"))


_PACKAGES: Final = ("wattfront", "numpy", "highspy", "numba")


@dataclass(frozen=True, eq=False)
class SavedStudy:
    """`schedules` are those on the Pareto front, by rising energy. `points` are the (joules,
    seconds) that the file states of all schedules found, and `vertices` those of the front of the
    bound. `took` is the seconds of each phase, `versions` are those of Wattfront and its packages.
    `proof` are the prices of patterns, if any; `fitting` is the units of work of the bound of
    single tasks, if any.
    """

    system: System
    settings: StudySettings
    vertices: FloatArray
    points: FloatArray
    schedules: tuple[Schedule, ...]
    choice: Choice | None
    took: Mapping[str, float]
    versions: Mapping[str, str]
    proof: PatternProof | None = None
    fitting: float | None = None

    @property
    def has_front(self) -> bool:
        """Whether it is about energy; that of a system without powers is not."""
        return self.system.apc is not None

    def agrees_with(self, front: Front) -> bool:
        """Whether the vertices in the file are those that are computed here."""
        here = front.points
        return self.vertices.shape == here.shape and np.allclose(
            self.vertices, here, rtol=METHODS_AGREE, atol=0.0
        )

    def study(self, should_stop: Callable[[], bool] = never) -> Study:
        """The study, which must have a front; bounds and schedules are checked again."""
        settings, system = self.settings, self.system
        settles = settings.method == Lp.name and settings.seconds > 0
        points = points_of(list(self.schedules))
        return Study(
            self.settings.method,
            trace_front(self.system, Budget(should_stop=should_stop)),
            self.schedules,
            points,
            non_dominated(points),
            NO_PROGRESSION,
            all(verify(schedule, self.system).ok for schedule in self.schedules),
            self.took,
            Proofs(
                self._fitted(should_stop),
                None if self.proof is None else self.proof.evaluated(system),
                settle(system, should_stop) if settles else None,
            ),
        )

    def _fitted(self, should_stop: Callable[[], bool]) -> Fitted | None:
        if self.fitting is None or not has_single_tasks(self.system):
            return None
        bound = lower_bound(self.system, MAKESPAN)
        return fitted(bound, self.fitting, should_stop=should_stop)


def versions_here() -> dict[str, str]:
    """The versions of Wattfront, of Python, and of the packages that results depend on."""
    from importlib import metadata  # which takes a while

    return {"python": platform.python_version()} | {
        package: metadata.version(package) for package in _PACKAGES
    }


def commands(
    settings: StudySettings,
    choice: Choice | None,
    file: str = STUDY_FILE,
    *,
    has_front: bool = True,
) -> list[str]:
    """The command lines, for a shell, that do the study, its wish and other capabilities again. A
    study without a front, of a system without powers, has those that read all from the study.

    If the system is not a sample, it is read from the study's own `file`.
    """
    own = f"./{file}" if file.startswith("-") else file  # or it would be read as a flag
    system = settings.sample or own
    lines = _front_lines(settings, choice, system) if has_front else []
    # A wish gets the usual seconds of polish, even if the study had none.
    with_effort = _effort(settings) if settings.seconds else flag_words(settings.idle, AS_GIVEN)
    capabilities = with_blocks()
    blocks = settings.blocks if has_front else without_front(settings.blocks)
    for name, block in blocks.items():
        capability = capabilities[name]
        asked = block_of(capability).commands(block)
        if capability.from_study:
            lines += [["wattfront", capability.command, own, *words] for words in asked]
        else:
            lines += [
                ["wattfront", capability.command, system, *words, *with_effort] for words in asked
            ]
    return [shell_line(*line) for line in lines]


def _front_lines(settings: StudySettings, choice: Choice | None, system: str) -> list[list[object]]:
    """The front again, and the schedule of its wish."""
    # Methods without polish do not take units of work.
    counts = settings.work is None or settings.method == Lp.name
    effort = _effort(settings) if counts else _usual(settings)
    method: list[object] = ["--method", settings.method]
    flags = [*method, "--spacing", settings.spacing, *effort]
    if settings.generations is not None:
        flags += ["--generations", settings.generations]
    site = [] if settings.site is None else site_words(settings.site)
    lines: list[list[object]] = [["wattfront", "front", system, *flags, *site]]
    flag = None if choice is None else wish_as_flag(choice.wish)
    if flag is not None and settings.method in ("lp", "paper"):
        kind, amount = flag
        lines.append(["wattfront", "solve", system, f"--{kind}", amount, *method, *effort])
    return lines


def _effort(settings: StudySettings) -> list[object]:
    """Flags of polish, then the usual ones."""
    if settings.work is not None:
        return ["--work", settings.work, *_usual(settings)]
    return ["--seconds", settings.seconds, "--threads", settings.threads, *_usual(settings)]


def _usual(settings: StudySettings) -> list[object]:
    return ["--seed", settings.seed, *flag_words(settings.idle, AS_GIVEN)]


def shell_line(*words: object) -> str:
    """A command line for a shell."""
    return shlex.join(map(shell_word, words))


def wish_as_flag(wish: Wish | None) -> tuple[str, float] | None:
    """The flag of a wish and its amount; None if no flag asks for this wish."""
    for flag, kind in SI_WISHES.items():
        if isinstance(wish, kind):
            (amount,) = astuple(wish)
            return flag, amount
    return None
