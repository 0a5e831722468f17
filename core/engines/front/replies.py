"""The answer of a study to a wish, in a sentence."""

from dataclasses import dataclass

from core.engines.front.axis import Axis
from core.engines.front.study import Pick, Possible, Study, pick
from core.engines.front.wish import StatedWish, Wish
from core.engines.peak.capped import least_peak
from core.vocabulary.power import peak_power
from core.vocabulary.say.phrases import peak_in_words
from core.vocabulary.say.words import Sense, amount, as_sentence, difference, duration, power, share
from core.vocabulary.schedule import Schedule
from core.vocabulary.tolerances import SAME


def wish_title(stated: StatedWish, axis: Axis) -> str:
    """The wish in words, as the title of its schedule. `axis` is the axis on which it is stated."""
    match stated.kind:
        case "deadline":
            return f"Done within {duration(stated.amount, Sense.TYPED)}"
        case "budget" | "money":
            return f"At most {axis.say(stated.si_amount(axis.per_joule), Sense.TYPED)}"
        case "cap":
            return f"At most {power(stated.amount, Sense.TYPED)} on average"
        case "peak":
            return f"At no moment above {power(stated.amount, Sense.TYPED)}"
        case "rate":
            return f"One second is worth {amount(stated.amount, Sense.TYPED, 'J')}"


@dataclass(frozen=True, eq=False, slots=True)
class Reply:
    """The answer of a study to a wish: the pick, and a sentence."""

    pick: Pick
    sentence: str

    @property
    def met(self) -> bool:
        return self.pick.possible is Possible.YES


def reply(study: Study, stated: StatedWish, axis: Axis) -> Reply:
    found = pick(study, stated.wish(axis.per_joule))
    if found.possible is Possible.YES:
        against = gives_up(study, found.schedule, axis, found.wish)
        peak = ""
        if stated.kind == "cap":
            peak = as_sentence(peak_in_words(peak_power(found.schedule), stated.amount)) + " "
        if stated.kind == "peak":
            peak = _keeping(found.schedule, stated.amount) + " "
        return Reply(found, f"{peak}{against} {_proven(found)}")
    joules, seconds = study.points[found.index]
    nearest = _took(joules, seconds, axis, found.wish)
    if stated.kind == "cap":
        drawn = power(joules / seconds, Sense.SPENT, found.wish.power_limit)
        nearest = f"{drawn} on average ({nearest})"
    if stated.kind == "peak":
        return Reply(found, _peak_unmet(found, stated.amount, nearest))
    if found.possible is Possible.NO:
        return Reply(found, f"{_limit(study, stated, axis)} The nearest schedule: {nearest}.")
    if stated.kind == "cap":
        least = duration(found.bound, Sense.LOWER_BOUND)
        return Reply(
            found,
            f"Only schedules of {least} or more can meet this: they are slower than the thriftiest "
            f"one. The nearest schedule found: {nearest}.",
        )
    least = (
        axis.say(found.bound, Sense.LOWER_BOUND)
        if stated.kind == "deadline"
        else duration(found.bound, Sense.LOWER_BOUND)
    )
    return Reply(
        found,
        "No schedule found meets this, but it is not proven impossible: one that does takes at "
        f"least {least}. The nearest schedule: {nearest}. More seconds of polish may find one that "
        "meets it.",
    )


def _keeping(schedule: Schedule, watts: float) -> str:
    """The peak of a schedule that keeps a cap at every moment, and whether machines wait for it."""
    waits = "Machines wait for each other. " if schedule.waits is not None else ""
    return f"{waits}It never draws more than {power(peak_power(schedule), Sense.SPENT, watts)}."


def _peak_unmet(found: Pick, watts: float, nearest: str) -> str:
    system = found.schedule.system
    if found.possible is Possible.UNKNOWN:
        return (
            "No schedule found yet keeps this at every moment, but it is not proven impossible. "
            f"The nearest so far: {nearest}, with a peak of "
            f"{power(peak_power(found.schedule), Sense.SPENT, watts)}; a cap of that is kept."
        )
    least, task = least_peak(system)
    why = ""
    if task is not None and least > system.total_idle_power:
        why = (
            f" All machines without work draw {power(system.total_idle_power, Sense.PLAIN)}, and a "
            f"task of type {system.task_names[task]} "
            f"{power(least - system.total_idle_power, Sense.PLAIN)} more at least."
        )
    elif least > system.total_idle_power:
        why = (
            " Machines that may be switched off wait at their idle power until their last task, in "
            "whatever order they run."
        )
    return (
        "Impossible: at some moment every schedule draws "
        f"{power(least, Sense.LOWER_BOUND, watts)} or more.{why}"
    )


def gives_up(study: Study, schedule: Schedule, axis: Axis, wish: Wish | None = None) -> str:
    """A schedule compared with the fastest and the thriftiest of a study, if it has schedules.
    `wish` is the wish that the schedule answers.
    """
    joules, seconds = schedule.energy, schedule.makespan
    done = f"Done in {_took(joules, seconds, axis, wish)}"
    if not len(study.achieved):
        return f"{done}."
    slower = difference(seconds, float(study.achieved[-1, 1]))
    dearer = difference(joules, float(study.achieved[0, 0]))
    if slower <= 0 and dearer <= 0:
        return f"{done}: the fastest and the thriftiest schedule."
    if slower <= 0:
        return (
            f"{done}: the fastest schedule; it takes {_more(study, dearer, axis)} more than the "
            "thriftiest."
        )
    if dearer <= 0:
        return (
            f"{done}: the thriftiest schedule; it is {duration(slower, Sense.PLAIN)} slower than "
            "the fastest."
        )
    return (
        f"{done}: {duration(slower, Sense.PLAIN)} slower than the fastest schedule; it takes "
        f"{_more(study, dearer, axis)} more than the thriftiest."
    )


def _more(study: Study, joules: float, axis: Axis) -> str:
    least = float(study.achieved[0, 0])
    part = f" ({share(joules / least, Sense.PLAIN)})" if least > 0 else ""
    return f"{axis.say(joules, Sense.PLAIN)}{part}"


def _took(joules: float, seconds: float, axis: Axis, wish: Wish | None) -> str:
    """Time and energy of a schedule, rounded so that they agree with the limits of a wish."""
    limits = (None, None) if wish is None else (wish.time_limit, wish.energy_limit)
    time = duration(seconds, Sense.SPENT, limits[0])
    return f"{time} with {axis.say(joules, Sense.SPENT, limits[1])}"


def _proven(found: Pick) -> str:
    if found.gap <= SAME:
        return "Proven: no schedule that meets the goal is better."
    return (
        f"Proven: the gap to the best schedule that meets the goal is at most "
        f"{share(found.gap, Sense.UPPER_BOUND)}."
    )


def _limit(study: Study, stated: StatedWish, axis: Axis) -> str:
    """Why a wish is impossible: the bound that excludes it."""
    proven, wish = study.proven, stated.wish(axis.per_joule)
    if study.proofs.settled is not None:
        return "Impossible: all possible schedules were considered, and none meets this."
    if stated.kind == "cap":
        least = power(proven.least_power, Sense.LOWER_BOUND, wish.power_limit)
        return f"Impossible: no schedule draws less than {least} on average."
    if stated.kind == "deadline":
        least = duration(proven.soonest, Sense.LOWER_BOUND, wish.time_limit)
    else:
        least = axis.say(proven.thriftiest, Sense.LOWER_BOUND, wish.energy_limit)
    return f"Impossible: no schedule takes less than {least}."
