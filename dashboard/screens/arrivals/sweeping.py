"""More replays of the days of an answer, one after the other, in worker processes."""

import time
from collections.abc import Callable, Iterable, Sized
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar

import streamlit as st

from core.capabilities.arrivals.question import ReplayQuestion, TrialPart
from core.capabilities.arrivals.trials import PolicyTrial, replayed
from core.engines.compute.task import Task
from core.vocabulary.say.words import counted
from dashboard.parts.frame.watch import show_fault
from dashboard.parts.replays.replaying import AskedReplays
from dashboard.screens.arrivals.state import STATE
from dashboard.server.background import Job
from dashboard.server.guard import callback
from dashboard.server.pace import Pace
from dashboard.workspace import asking

T = TypeVar("T")
Key = TypeVar("Key")
Result = TypeVar("Result")
_SHOW_SECONDS: Final = 0.5


def score_of(question: ReplayQuestion, part: TrialPart) -> PolicyTrial:
    """What comes of a policy on a day."""
    return replayed(question, part)[0]


def sweep(
    job: Job[T],
    begun: T,
    keys: Iterable[Key],
    task_of: Callable[[Key, Pace], Task[Result]],
    put: Callable[[T, Key, Result], T],
) -> None:
    """Computes the task of each key, and shows what is `begun` with what came of them so far."""
    found, left, pace, shown = begun, list(keys), Pace("replay"), 0.0
    for done, key in enumerate(left, 1):
        found = put(found, key, pace.compute(job, task_of(key, pace)))
        pace.tell(job, done, len(left), len(left) - done)
        if time.monotonic() - shown >= _SHOW_SECONDS or done == len(left):
            job.show(found)
            shown = time.monotonic()


class Swept(Protocol):
    """What is known of a sweep, and what is still to be computed."""

    @property
    def left(self) -> Sized: ...


S = TypeVar("S", bound=Swept)
SweepWork = Callable[[S], Callable[[Job[S]], None]]
"""What makes the work of a job of what is known when it begins."""


@dataclass(frozen=True, slots=True)
class SweepPanel:
    """A sweep in a closer look: the `name` of its job, what it is of ("other amounts"), and what
    its button says. Days of up to so many jobs are swept without being asked for.
    """

    name: str
    of: str
    button: str
    at_once: int

    def shown(self, asked: AskedReplays, begun: S, jobs: int, work: SweepWork[S]) -> S:
        """What is known so far, with a button where a person has to ask for more. The replays of
        the answer are finished.
        """
        turn = st.session_state.get(self._turn)
        if turn is None or turn[0] is not asked:
            turn = asked, 0, None
            if jobs > self.at_once:
                self._offer(f"{self.button} ({counted(len(begun.left), 'replay')})", asked, None)
                return begun
        start: S = turn[2] or begun
        job: Job[S] = asking.jobs(STATE.page).ask(self.name, turn, work(start))
        found = job.latest or start
        show_fault(job)
        if not job.running and len(found.left):
            self._offer(f"Go on with {self.of}", asked, found)
        return found

    @property
    def _turn(self) -> str:
        return f"arrivals.{self.name} turn"

    def _offer(self, label: str, asked: AskedReplays, before: Any) -> None:
        icon = ":material/play_arrow:" if before is None else ":material/refresh:"
        st.button(label, icon=icon, on_click=callback(self._ask), args=(asked, before))

    def _ask(self, asked: AskedReplays, before: Any) -> None:
        last = st.session_state.get(self._turn)
        st.session_state[self._turn] = (asked, 1 if last is None else last[1] + 1, before)
