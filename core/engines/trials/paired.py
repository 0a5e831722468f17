"""Alternatives in the same trials: means with intervals, and differences trial by trial.

A trial is the same for all alternatives, such as a workload that is drawn by a seed. What a trial
does to all of them alike is no part of their differences, so these are known better than the means
are (common random numbers; A. M. Law, "Simulation Modeling and Analysis", chapter 10).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Protocol, TypeVar

import numpy as np

from core.vocabulary.arrays import FloatArray
from core.vocabulary.intervals import Interval


class JudgedResult(Protocol):
    """What came of an alternative in a trial, and whether a judge agrees with it."""

    @property
    def verified(self) -> bool: ...


T = TypeVar("T", bound=JudgedResult)


@dataclass(frozen=True)
class PairedTrials(Generic[T]):
    """What came of each alternative, by its name, in each trial, by its number. What is not done
    yet is not there. Figures are those of the `common` trials, of which there must be one.
    """

    trials: Mapping[str, Mapping[int, T]]

    @cached_property
    def common(self) -> list[int]:
        """The trials that all alternatives have, and that count, in their order."""
        done = [set(found) for found in self.trials.values()]
        return sorted(filter(self.counts, set.intersection(*done))) if done else []

    def counts(self, trial: int) -> bool:
        """Whether a trial counts that all alternatives have."""
        del trial
        return True

    def untried(self, trial: int, names: Iterable[str]) -> list[str]:
        """Which of these alternatives have not had a trial yet."""
        return [name for name in names if trial not in self.trials.get(name, ())]

    @property
    def refused(self) -> list[str]:
        """The alternatives with a result, common or not, that the judge does not agree with."""
        return [
            name
            for name, found in self.trials.items()
            if not all(one.verified for one in found.values())
        ]

    def values(self, name: str, of: Callable[[T], float]) -> FloatArray:
        """A figure of an alternative in each common trial."""
        return np.array([of(self.trials[name][trial]) for trial in self.common])

    def mean(self, name: str, of: Callable[[T], float]) -> float:
        return float(self.values(name, of).mean())

    def interval(self, name: str, of: Callable[[T], float]) -> Interval:
        """The mean of a figure, and how sure it is."""
        return Interval.of(self.values(name, of))

    def ratios(self, name: str, of: Callable[[T], float], whole: FloatArray) -> FloatArray:
        """A figure as a share of a `whole`, trial by trial; 1 where that is nothing."""
        values = self.values(name, of)
        return np.divide(values, whole, out=np.ones(len(values)), where=whole > 0)

    def more(
        self, name: str, than: str, of: Callable[[T], float], whole: FloatArray | float = 1.0
    ) -> Interval:
        """How much more of a figure an alternative has than another in the same trial, as a share
        of a `whole`; 0 where that is nothing.
        """
        more = self.values(name, of) - self.values(than, of)
        wholes = np.broadcast_to(whole, more.shape)
        return Interval.of(np.divide(more, wholes, out=np.zeros(len(more)), where=wholes > 0))

    def least(self, of: Callable[[T], float]) -> str:
        """The alternative with the smallest mean of a figure; the first of equals."""
        return min(self.trials, key=lambda name: self.mean(name, of))

    def beside(self, of: Callable[[T], float]) -> FloatArray:
        """A figure by common trial (rows) and alternative (columns)."""
        return np.array([self.values(name, of) for name in self.trials]).T

    def wins(self, name: str, of: Callable[[T], float]) -> int:
        """In how many common trials an alternative has the least of a figure, alone or with
        others.
        """
        return int((self.values(name, of) == self.beside(of).min(axis=1)).sum())
