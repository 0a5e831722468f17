"""The plan of a session, for each system; it is kept while the session lasts."""

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

import streamlit as st

from core import System
from core.capabilities.provision.futures.varying import OperationsFound
from dashboard.screens.provision.answer import GoalFound, ProvisionAnswer, ProvisionAsked
from dashboard.screens.provision.inputs import PlanInputs
from dashboard.screens.provision.tables import PlanTable, changed
from dashboard.server.guard import callback
from dashboard.workspace import session
from dashboard.workspace.workspace import undo

DESKS: Final = "wattfront.provision"
MOST_DESKS: Final = 4
"""The systems whose plans are kept; the one used last is the last to go."""
MOST_STEPS: Final = 50


@dataclass(frozen=True, slots=True)
class _Step:
    """What undo brings back; `of_system` if it changed the system, too."""

    inputs: PlanInputs
    of_system: bool


@dataclass(slots=True, eq=False)
class PlanDesk:
    """What is known of a plan, what was asked last and answered, and what the tables began with.
    The address says what differs from `usual`: from what a plan file said, or from nothing known.

    `name` is a digest of the names of all types. An editor reports its changes from the table that
    it was given, which stays the same while a person types; otherwise it would lose its place.
    """

    name: str
    inputs: PlanInputs
    usual: PlanInputs
    requested: ProvisionAsked | None = None
    answered: ProvisionAnswer | None = None
    for_goal: GoalFound | None = None
    """The last answer to another goal than the most reward."""
    closer: dict[str, Any] = field(default_factory=dict)
    """What was computed about the last answer, by view."""
    past: list[_Step] = field(default_factory=list)
    given: dict[PlanTable, PlanInputs] = field(default_factory=dict)
    turn: int = 0

    def open(self, inputs: PlanInputs, *, of_system: bool = False) -> None:
        """Puts a plan from a file in place, which is to be answered at once."""
        self.fill(inputs, of_system=of_system)
        self.usual, self.requested = inputs, None

    @property
    def has_answer(self) -> bool:
        return self.answered is not None or self.for_goal is not None

    def shown(self, asked: ProvisionAsked) -> ProvisionAnswer | GoalFound | None:
        """The answer to what is asked, or else the last one of the kind that was requested; None if
        there is no answer at all.
        """
        question = asked if self.is_current(asked) else self.requested or asked
        both = self.answered, self.for_goal
        first, second = both if question.inputs.goal.is_usual else both[::-1]
        return first or second

    def is_current(self, asked: ProvisionAsked) -> bool:
        """Whether the last answer is the one to what is asked."""
        last = self.answered if asked.inputs.goal.is_usual else self.for_goal
        return last is not None and last.asked == asked

    def is_done(self, asked: ProvisionAsked) -> bool:
        """Whether it is also known what the purchase leads to on fresh scenarios."""
        if not asked.inputs.goal.is_usual:
            return self.is_current(asked)
        return self.is_current(asked) and self.answered is not None and bool(self.answered.fresh)

    def operations_of(self, asked: ProvisionAsked) -> OperationsFound | None:
        """The operations of the last answer; None if it was for another system or spread, or if its
        times are not made of operations.
        """
        answer = self.answered
        if answer is None or answer.asked.fingerprint != asked.fingerprint:
            return None
        return answer.file.operations if answer.file.spread == asked.inputs.spread else None

    def take(self, answer: ProvisionAnswer | GoalFound) -> None:
        """Keeps an answer. What was computed about another is forgotten."""
        if isinstance(answer, GoalFound):
            self.for_goal = answer
            return
        if not self.is_current(answer.asked):
            self.closer = {}
        self.answered = answer

    def key(self, table: PlanTable) -> str:
        """The key of the editor of a table. It changes whenever the editors begin anew."""
        return f"provision.{table} {self.name} {self.turn}"

    def begun_with(self, table: PlanTable) -> PlanInputs:
        """What the editor of a table was given."""
        if self.key(table) not in st.session_state:
            self.given[table] = self.inputs
        return self.given[table]

    def change(self, inputs: PlanInputs) -> None:
        """Keeps what a person has changed; editors stay as they are."""
        if inputs != self.inputs:
            self.past = [*self.past, _Step(self.inputs, False)][-MOST_STEPS:]
        self.inputs = inputs

    def fill(self, inputs: PlanInputs, *, of_system: bool = False) -> None:
        """Puts other numbers in place, also into the editors."""
        self.past = [*self.past, _Step(self.inputs, of_system)][-MOST_STEPS:]
        self.inputs = inputs
        self.turn += 1


def desk_of(system: System, begin: Callable[[System], PlanInputs] = PlanInputs.of) -> PlanDesk:
    """The desk of a system; of one with types of the same names it is the same. A new one begins
    with `begin`.
    """
    desks: dict[str, PlanDesk] = st.session_state.setdefault(DESKS, {})
    name = _name_of(system)
    desk = desks.pop(name, None) or _begun(name, begin(system))
    desks[name] = desk
    while len(desks) > MOST_DESKS:
        del desks[next(iter(desks))]
    return desk


def _begun(name: str, inputs: PlanInputs) -> PlanDesk:
    return PlanDesk(name, inputs, inputs)


def known_desk(system: System) -> PlanDesk | None:
    """The desk of a system; None if the page was never open with it."""
    desks: dict[str, PlanDesk] = st.session_state.get(DESKS, {})
    return desks.get(_name_of(system))


def _name_of(system: System) -> str:
    return sha256(repr((system.task_names, system.machine_names)).encode()).hexdigest()[:16]


@callback
def take_table(desk: PlanDesk, table: PlanTable) -> None:
    """Takes over the changes of an editor."""
    edited = st.session_state[desk.key(table)]["edited_rows"]
    rows = {int(row): cells for row, cells in edited.items()}
    desk.change(changed(desk.inputs, desk.given[table], table, rows))


@callback
def take_field(desk: PlanDesk, key: str, put: Callable[[PlanInputs, Any], PlanInputs]) -> None:
    """Takes over the value of a widget."""
    desk.change(put(desk.inputs, st.session_state[key]))


@callback
def undo_step(desk: PlanDesk) -> None:
    """Brings back what was there before the last change, of the plan or else of the system."""
    if not desk.past:
        session.apply(undo)
        return
    step = desk.past.pop()
    if step.of_system:
        session.apply(undo)
    desk.inputs = step.inputs
    desk.turn += 1
