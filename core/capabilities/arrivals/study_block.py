"""The settings of work that arrives in a study file, with a workload of a person's own."""

import json
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Final

from core.capabilities.arrivals import CAPABILITY
from core.capabilities.arrivals.asked import ArrivalsSettings, GivenWorkload
from core.capabilities.arrivals.files.sizes_file import inspect_sizes_bytes, sizes_csv
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.files.workload_reader import workload_in_document
from core.capabilities.arrivals.files.workload_writer import document_of_workload
from core.capabilities.arrivals.made.job_sizes import NO_SIZES, JobSizes
from core.capabilities.arrivals.trials import ReplayComparison
from core.engines.logs.types.requeued import LostWork
from core.files.strict_json import Fields
from core.shells.settings.forms import read_block, written_block
from core.shells.studies.seen import classes_in
from core.shells.studies.settings import StudySettings
from core.vocabulary.prices.site import Site
from core.vocabulary.ranges import Range
from core.vocabulary.setting import settings_in
from core.vocabulary.system import System

MOST_JOBS: Final = 20_000
MOST_OPTIONS: Final = 100_000
"""Jobs and options of a workload that a study file holds."""
QUESTIONS: Final = CAPABILITY.blocks
"""What is asked of policies, and of methods for bags of tasks: a study keeps one of each."""
_OWN: Final = "own"
_OF_STUDY: Final = "of_study"
_LOST: Final = "lost"
_SIZES: Final = "sizes"
_COUNT: Final = Range(0, 1e15, "")
_DIGEST: Final = 24


@dataclass(frozen=True, slots=True, eq=False)
class AskedArrivals:
    """What is asked, and the workload that a person gave. `found` is what a report shows; None:
    the report computes it. Study files do not keep it.
    """

    settings: ArrivalsSettings
    given: GivenWorkload | None = None
    found: ReplayComparison | None = None

    @property
    def question(self) -> str:
        """The name of its block: bags of tasks have one of their own."""
        return QUESTIONS[self.settings.of_bags]


def fits_study(file: WorkloadFile) -> bool:
    """Whether a study file can hold a workload."""
    workload = file.workload
    return len(workload.jobs) <= MOST_JOBS and len(workload.options.pool) <= MOST_OPTIONS


def digest_of(data: bytes) -> str:
    """What tells workloads of people from each other."""
    return sha256(data).hexdigest()[:_DIGEST]


def read(given: Fields, _system: System | None, _site: Site | None = None) -> AskedArrivals:
    """The settings, valid only if nothing was reported; what is missing has its default."""
    given.warn_of_unused((*settings_in(ArrivalsSettings), _OWN))
    found = read_block(given, ArrivalsSettings)
    settings = ArrivalsSettings(**found)
    if not settings.is_given:
        return AskedArrivals(settings)
    workload = _own(given)
    digest = "" if workload is None else workload.digest
    return AskedArrivals(replace(settings, own=digest), workload)


def written(asked: AskedArrivals) -> dict[str, object]:
    """The settings, with the workload that a person gave."""
    said = written_block(asked.settings)
    if asked.settings.is_given and asked.given is not None:
        document = document_of_workload(asked.given.file)
        of_study = {_OF_STUDY: True} if asked.given.of_study else {}
        classes = list(map(written_block, asked.given.classes))
        of_classes = {"classes": classes} if classes else {}
        lost = {} if asked.given.lost is None else {_LOST: asdict(asked.given.lost)}
        sizes = asked.given.sizes
        of_sizes = {_SIZES: sizes_csv(sizes).decode()} if sizes.rows else {}
        own = {"name": asked.given.name, "file": document, **of_study, **of_classes, **of_sizes}
        said[_OWN] = {**own, **lost}
    return said


def commands(asked: AskedArrivals) -> list[list[object]]:
    """The arguments of `wattfront replay` after the study file, which has the workload."""
    question = ["--question", asked.question] if asked.settings.of_bags else []
    return [[*question, *asked.settings.words(is_file=asked.settings.is_given)]]


def asked_in(study: StudySettings, question: str | None = None) -> AskedArrivals | None:
    """The question of this name in a study, or else its first; None if it has none. Until 0.2.0, a
    study had one alone, also that of bags under the name of the other.
    """
    there = {asked.question: asked for asked in study.each(AskedArrivals)}
    return there.get(question) if question else there.get(QUESTIONS[0], there.get(QUESTIONS[1]))


def _own(given: Fields) -> GivenWorkload | None:
    own = Fields.of(given.content, _OWN, given.label, given.findings)
    if not own.content:
        return None
    own.warn_of_unused(("name", "file", "classes", _SIZES, _OF_STUDY, _LOST))
    name = own.text("name")
    document = Fields.of(own.content, "file", own.label, own.findings)
    if not document.content:
        return None
    file = workload_in_document(document.content, document.label, given.findings)
    if file is None:
        return None
    data = json.dumps(document.content, sort_keys=True, default=str).encode()
    of_study = own.content.get(_OF_STUDY) is True
    lost = _lost(Fields.of(own.content, _LOST, own.label, own.findings)) if own.has(_LOST) else None
    sizes = _sizes(own) if own.has(_SIZES) else NO_SIZES
    return GivenWorkload(name, digest_of(data), file, of_study, classes_in(own), lost, sizes)


def _sizes(given: Fields) -> JobSizes:
    """The sizes of the CSV file that a study has as a text."""
    reading = inspect_sizes_bytes(f"{given.label} [{_SIZES}]", given.text(_SIZES).encode())
    given.findings.extend(reading.problems)
    return reading.value or NO_SIZES


def _lost(given: Fields) -> LostWork:
    return LostWork(
        given.whole("jobs", _COUNT),
        given.whole("attempts", _COUNT),
        given.number("core_seconds"),
        given.number("node_seconds"),
    )
