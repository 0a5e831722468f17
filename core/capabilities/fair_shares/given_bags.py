"""The bags that `wattfront stretch` is asked about: of a system, a sample, or a study file."""

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.bags_reader import inspect_bags
from core.capabilities.fair_shares.changes import changed_bags
from core.capabilities.fair_shares.study_block import asked_bags_in
from core.files import Reading, inspect_system
from core.files.disk import STUDY_SUFFIX, located
from core.shells.cli.arguments import read
from core.shells.studies import inspect_study
from core.vocabulary.arrays import FloatArray
from core.vocabulary.problems import Problem
from core.vocabulary.system import System


class GivenBags(NamedTuple):
    """The bags; the durations that stretches are multiples of, if these are not the ideal ones (s);
    and what is to be said about their files.
    """

    bags: ArrivingBags
    baseline: FloatArray | None
    problems: tuple[Problem, ...]


def given_bags(arguments: argparse.Namespace) -> GivenBags:
    """The bags that the arguments name; with the what-if of a study. Raises `InvalidInput`."""
    return bags_named(arguments.system, partial(read, arguments))


def bags_named(
    name: str, read_system: Callable[[Path], Reading[System]] = inspect_system
) -> GivenBags:
    """`given_bags` for a path or the name of a sample."""
    path = located(name, _sample)
    if path.suffix.casefold() == STUDY_SUFFIX and (found := _of_study(path)) is not None:
        return found
    reading = read_system(path)
    bags = inspect_bags(path, reading.require())
    new = (one for one in bags.problems if one not in reading.problems)
    return GivenBags(bags.require(), None, (*reading.problems, *new))


def _of_study(path: Path) -> GivenBags | None:
    """None if the file is no study, or one that asks nothing about bags."""
    study = inspect_study(path)
    asked = None if study.value is None else asked_bags_in(study.value.settings)
    if asked is None:
        return None
    if not asked.change.is_any:
        return GivenBags(asked.bags, None, study.problems)
    bags, baseline = changed_bags(asked.bags, asked.change)
    return GivenBags(bags, baseline, study.problems)


def _sample(name: str) -> Path:
    from core.files.samples.named import BAGS, bags_folder, sample_folder  # not needed for a path

    return bags_folder(name) if name in BAGS else sample_folder(name)
