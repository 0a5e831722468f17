"""The log's own placement is a schedule of the same tasks, and is told beside the chosen one."""

from dataclasses import replace

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from tiny import all_schedules, tiny_systems

from core.capabilities.trade_offs.here import here_said, you_are_here
from core.capabilities.trade_offs.report import section
from core.engines.recover.assignment import assign
from core.shells.studies import Choice, StudySettings
from core.shells.studies.seen import SeenInLog
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.placement import LogPlacement
from core.vocabulary.prices.site import Site
from core.vocabulary.system import System


def placement_of(system, counts):
    return LogPlacement(system.task_names, system.machine_names, counts)


@given(tiny_systems(), st.data())
@examples(12)
def test_it_keeps_each_task_where_it_ran(system, data):
    ran = data.draw(st.sampled_from(all_schedules(system)))
    here = you_are_here(placement_of(system, ran.placed), system)
    assert (here.schedule.placed == ran.placed).all()
    assert here.schedule.busy_energy == pytest.approx(ran.busy_energy)


def test_it_says_what_the_chosen_schedule_changes(nine):
    """Each task on the first machine type: far slower, and dearer."""
    system = nine.system
    counts = np.zeros(system.etc.shape, np.int64)
    counts[:, 0] = system.task_counts
    here = you_are_here(placement_of(system, counts), system)
    assert here.schedule.makespan == assign(system, counts).makespan
    front = np.flatnonzero(nine.on_front)
    thrifty, fast = (nine.schedules[k] for k in (front[0], front[-1]))
    site = Site(price=0.5, carbon=0.1, pue=1.0)
    kwh = (here.schedule.energy - fast.energy) / 3.6e6
    said = here_said(here, nine, fast, site)
    assert " faster and takes " in said
    assert f"{kwh / 2:.4g} EUR" in said
    assert f"{kwh / 10:.4g} kg of CO₂" in said
    alone = here_said(here, nine, None, None)
    assert "The thriftiest schedule that is not slower" in alone
    assert "EUR" not in alone
    assert here_said(here, nine, here.schedule, None).endswith("takes as long and the same energy.")
    settings = StudySettings(
        "nine", site=site, seen=SeenInLog(placement=placement_of(system, counts))
    )
    assert "You are here: " in section(nine, settings, Choice(thrifty, "chosen"))


@pytest.mark.parametrize(
    ("more", "said"), [(0.009, "takes about as long and"), (0.011, " longer and")]
)
def test_a_hundredth_more_time_is_about_as_long(more, said):
    system = System((TaskType("T"),), (MachineType("A"),), [[100.0]], [[50.0]])
    here = you_are_here(placement_of(system, np.ones((1, 1), np.int64)), system)
    slower = replace(system, etc=system.etc * (1 + more))
    other = assign(slower, np.ones((1, 1), np.int64))
    assert said in here_said(here, None, other, None)


def test_without_a_log_or_with_other_tasks_it_is_nowhere(nine):
    counts = np.ones(nine.system.etc.shape, np.int64)
    assert you_are_here(None, nine.system) is None
    assert you_are_here(placement_of(nine.system, counts), nine.system) is None
