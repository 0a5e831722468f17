"""Opens a schedule from a file: if the judge agrees with it, it is the chosen one."""

from functools import partial

from core import System
from core.engines.verify.judge import verify_stated
from core.files import inspect_schedule_bytes
from core.files.findings import Reading
from core.vocabulary.schedule import Schedule
from core.vocabulary.timed import TimedSchedule
from dashboard.parts.frame.handed import Opening
from dashboard.parts.frame.trade_off_state import choose_by_hand
from dashboard.workspace import session


def show_opened_schedule() -> None:
    """Takes what was handed to the page, and shows its problems."""
    Opening(
        "schedule.file",
        "The schedule",
        "This is no schedule of the system in force.",
        partial(inspect_given, session.system()),
        lambda file, schedule: choose_by_hand(schedule, f"Opened from {file.name}"),
    ).show()


def inspect_given(system: System, name: str, data: bytes) -> Reading[Schedule]:
    """The schedule of a system in a file, which the judge has checked; or why there is none."""
    stated = inspect_schedule_bytes(name, data, system)
    if stated.value is None:
        return Reading(None, stated.problems)
    verdict = verify_stated(stated.value, system)
    if not verdict.ok:
        return Reading(None, (*verdict.problems, *stated.problems))
    timed = TimedSchedule.of_timeline(system, stated.value.in_order())
    plain = Schedule(system, timed.machine_type, timed.machines, timed.tasks)
    found = timed if len(timed.waits) else plain
    return Reading(found, stated.problems)
