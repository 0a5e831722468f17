"""The plan of a session, for each system; it is kept while the session lasts."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Final

from core import System
from core.capabilities.provision.futures.varying import OperationsFound
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.prices.site import Site
from dashboard.parts.desk import Desk
from dashboard.screens.provision.answer import GoalFound, ProvisionAnswer, ProvisionAsked
from dashboard.screens.provision.inputs import MARKET_CELLS, OfferInput, PlanInputs, market_of

_RATE: Final = "arrival rate"


@dataclass(slots=True, eq=False)
class PlanDesk(Desk[PlanInputs]):
    """What is known of a plan, and what was asked last and answered. Usual is what a plan file
    said, or that nothing is known; the name is a digest of the names of all types.
    """

    area = "provision"
    requested: ProvisionAsked | None = None
    answered: ProvisionAnswer | None = None
    for_goal: GoalFound | None = None
    """The last answer to another goal than the most reward."""
    came: str | None = None
    """The fingerprint of the arrivals of the study, when last seen, and what the plan was then."""
    begun: PlanInputs | None = None
    market: tuple[OfferInput, ...] = ()
    """What the machine types of the system said of buying and selling them, when last seen."""
    closer: dict[str, Any] = field(default_factory=dict)
    """What was computed about the last answer, by view."""

    def open(self, inputs: PlanInputs, also: Callable[[], None] | None = None) -> None:
        """Puts a plan from a file in place, which is to be answered at once."""
        self.fill(inputs, also)
        self.usual, self.requested = inputs, None

    def take_market(self, system: System, begin: Callable[[System], PlanInputs]) -> None:
        """Takes what the machine types of the system say of buying and selling them, where that has
        changed. Where they no longer say it, the plan is as one would `begin`.
        """
        self.put(self.at_market(system, begin, self.inputs))
        self.usual = self.at_market(system, begin, self.usual)
        self.market = market_of(system)

    def at_market(
        self, system: System, begin: Callable[[System], PlanInputs], inputs: PlanInputs
    ) -> PlanInputs:
        """The inputs with what has changed. With the example of a price goes that of its resale."""
        now = market_of(system)
        before = self.market or now
        if before == now:
            return inputs
        begun, offers = begin(system), list(inputs.offers)
        for j, (old, new) in enumerate(zip(before, now, strict=True)):
            cells = {name for name in MARKET_CELLS if getattr(new, name) != getattr(old, name)}
            if "price" in cells and old.price is None and "price" in self.usual.examples:
                cells.add("resale")
            offers[j] = replace(
                offers[j], **{name: getattr(begun.offers[j], name) for name in cells}
            )
        examples = inputs.examples - {"price"} | begun.examples & {"price"}
        return replace(inputs, offers=tuple(offers), examples=examples)

    def take_arrivals(self, known: HourlyArrivals | None, begin: Callable[[], PlanInputs]) -> None:
        """Takes how often tasks arrive in the study, as one would `begin`, where that has changed.
        What was typed in the plan stays, and so does all of a plan from a file.
        """
        came = "" if known is None else known.fingerprint
        if self.came == came:
            return
        before, begun = self.begun, begin()
        self.came, self.begun = came, begun
        if before is None or self.usual.demands != before.demands:
            return
        usual = self.usual

        def at(inputs: PlanInputs) -> PlanInputs:
            three = zip(inputs.demands, usual.demands, begun.demands, strict=True)
            demands = tuple(
                replace(own, arrival_rate=new.arrival_rate)
                if own.arrival_rate == old.arrival_rate
                else own
                for own, old, new in three
            )
            spread = begun.spread if inputs.spread == usual.spread else inputs.spread
            examples = inputs.examples - {_RATE} | begun.examples & {_RATE}
            return replace(inputs, demands=demands, spread=spread, examples=examples)

        self.put(at(self.inputs))
        self.usual = at(usual)

    def take_site(self, site: Site) -> None:
        """Takes money and the power cap from the site. Only words change with the money, also those
        of the answer that is shown.
        """
        self.put(self.inputs.at(site, self.usual))
        currency, answer, goal = self.inputs.currency, self.answered, self.for_goal
        if answer is not None and answer.file.currency != currency:
            asked, file = _in(currency, answer.asked), replace(answer.file, currency=currency)
            self.answered = replace(answer, asked=asked, file=file)
        if goal is not None and goal.answer.file.currency != currency:
            file = replace(goal.answer.file, currency=currency)
            found = replace(goal.answer, file=file)
            self.for_goal = replace(goal, asked=_in(currency, goal.asked), answer=found)
        self.requested = None if self.requested is None else _in(currency, self.requested)

    @property
    def has_answer(self) -> bool:
        return self.answered is not None or self.for_goal is not None

    def shown(self, asked: ProvisionAsked) -> ProvisionAnswer | GoalFound | None:
        """The answer to what is asked, or else the last one of the kind that was requested; None if
        there is no answer at all.
        """
        question = asked if self.is_current(asked) else self.requested or asked
        both = self.answered, self.for_goal
        first, second = both if question.inputs.is_usual else both[::-1]
        return first or second

    def is_current(self, asked: ProvisionAsked) -> bool:
        """Whether the last answer is the one to what is asked."""
        last = self.answered if asked.inputs.is_usual else self.for_goal
        return last is not None and last.asked == asked

    def is_done(self, asked: ProvisionAsked) -> bool:
        """Whether it is also known what the purchase leads to on fresh scenarios."""
        if not asked.inputs.is_usual:
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
        before = self.answered
        if not self.is_current(answer.asked) or (before is not None and before.is_first):
            self.closer = {}
        self.answered = answer


def _in(currency: str, asked: ProvisionAsked) -> ProvisionAsked:
    return replace(asked, inputs=replace(asked.inputs, currency=currency))


def desk_of(system: System, begin: Callable[[System], PlanInputs] = PlanInputs.of) -> PlanDesk:
    """The desk of a system; of one with types of the same names it is the same. A new one begins
    with `begin`.
    """
    name = _name_of(system)
    return PlanDesk.kept(name, lambda: PlanDesk(name, *(begin(system),) * 2))


def known_desk(system: System) -> PlanDesk | None:
    """The desk of a system; None if the page was never open with it."""
    return PlanDesk.known(_name_of(system))


def _name_of(system: System) -> str:
    return sha256(repr((system.task_names, system.machine_names)).encode()).hexdigest()[:16]
