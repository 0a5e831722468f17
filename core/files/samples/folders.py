"""Samples that are more than a system, each a folder of `sample_data/` in the upload format."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from core.files.samples.named import known_name, sample_data

BAGS: Final = ("morning",)
PLANS: Final = ("e1", "e3", "nine")
WORKLOADS: Final = ("blades", "small-day")


def bags_folder(name: str) -> Path:
    """Bags: a system with release dates, data and a network. Raises `ValueError` for an unknown
    name, as all of these do.
    """
    return _folder("bags", "sample bags are", BAGS, name)


def plan_folder(name: str) -> Path:
    """A plan: what can be bought, with prices, rewards and arrivals."""
    return _folder("plans", "sample plan is", PLANS, name)


def workload_folder(name: str) -> Path:
    """A workload: work that arrives, with where it may run."""
    return _folder("workloads", "sample workload is", WORKLOADS, name)


def _folder(kind: str, what: str, names: Sequence[str], name: str) -> Path:
    return sample_data() / kind / known_name(name, names, what)
