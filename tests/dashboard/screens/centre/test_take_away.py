"""What is taken away is what the page shows: the files of a plan are judged as it was."""

import io
from dataclasses import replace

import numpy as np
import pandas as pd
from shown_days import small_answer

from core.capabilities.centre.files.centre_reader import inspect_centre_bytes
from core.capabilities.centre.files.day_plan_file import inspect_day_plan_bytes
from core.capabilities.centre.settings import DaySettings
from dashboard.screens.centre.state import CentreLook
from dashboard.screens.centre.take_away import centre_bytes, command_of, plan_bytes, steps_csv


def test_a_plan_as_files_is_judged_as_on_the_page() -> None:
    answer = small_answer()
    file = inspect_centre_bytes("c.zip", centre_bytes(answer)).require()
    planned = inspect_day_plan_bytes("p.zip", plan_bytes(answer, answer.ours), file).require()
    verdict = planned.judged()
    assert verdict.ok
    assert answer.ours.measures is not None
    assert np.isclose(verdict.cost, answer.ours.measures.cost)
    assert planned.method == "plan"


def test_steps_have_a_line_each() -> None:
    answer = small_answer()
    steps = pd.read_csv(io.BytesIO(steps_csv(answer, answer.usual)))
    assert answer.usual.measures is not None
    assert steps["time"].tolist() == [900.0 * step for step in range(16)]
    assert np.allclose(steps["power_watts"], answer.usual.measures.power)
    assert np.allclose(steps["inside"], answer.usual.measures.inside[:-1])
    assert (steps["awake_1"] == 4).all()


def command(look: CentreLook, asked: DaySettings | None = None) -> str:
    return command_of(replace(small_answer(), asked=asked or DaySettings()), look)


def test_the_command_asks_for_the_same() -> None:
    assert command(CentreLook(methods=())) == "wattfront centre wattfront-centre.zip"
    asked = DaySettings("carbon", None, 40.0, most_excess=0.5, most_peak=30.0, seconds=5.0, seed=3)
    assert command(CentreLook(methods=("edd",), forecast=True), asked) == (
        "wattfront centre wattfront-centre.zip --minimise carbon "
        "--at-most cost=40,excess=0.5kWh,late=any,peak=30kW --method plan,edd --forecast "
        "--seconds 5 --seed 3"
    )
    anew = DaySettings(replan=5400.0, unannounced=True)
    assert command(CentreLook(methods=(), forecast=True), anew) == (
        "wattfront centre wattfront-centre.zip --forecast --replan 5400s --unannounced"
    )
    assert "--replan" not in command(CentreLook(), anew), "only what is planned on a forecast"
    assert "--method plan,edd,bfh" in command(CentreLook())
