"""Axes are read as people write them, and every fault of one is named with what to give."""

import numpy as np
import pytest

from core import InvalidInput, sweep
from core.capabilities.sweep.axes import (
    MOST_RUNS,
    AxisFault,
    SweptAxis,
    axis_faults,
    axis_of,
    read_axis,
    strange_axes,
)


@pytest.mark.parametrize(
    ("text", "name", "values"),
    [
        ("idle=0:1:0.25", "idle", (0, 0.25, 0.5, 0.75, 1)),
        ("idle=0:0.3:0.1", "idle", (0, 0.1, 0.2, 0.3)),
        ("idle=0:0.35:0.1", "idle", (0, 0.1, 0.2, 0.3)),
        ("idle=0:1", "idle", (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1)),
        ("idle=0.5,0.1", "idle", (0.5, 0.1)),
        ("idle=0.5", "idle", (0.5,)),
        ("idle=0.5:0.5", "idle", (0.5,)),
        ("machines.M1=0:3", "machines.M1", (0, 1, 2, 3)),
        ("machines.M1=1:8:3", "machines.M1", (1, 4, 7)),
        ("machines.a=b=1,2", "machines.a=b", (1, 2)),
        ("tasks.T.1=1e3", "tasks.T.1", (1000,)),
        ("power_cap=40kW,50000", "power_cap", (40e3, 50e3)),
        ("power_cap=1kW:3kW:500W", "power_cap", (1e3, 1.5e3, 2e3, 2.5e3, 3e3)),
        ("energy_price=0.3", "energy_price", (0.3,)),
    ],
)
def test_what_is_read(text, name, values):
    assert read_axis(text) == SweptAxis(name, tuple(map(float, values)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("idle", "no axis"),
        ("=0:1", "no axis"),
        ("idle=", "no axis"),
        ("idel=0:1", "'idel' cannot be varied; give one of idle, asleep, power_cap"),
        ("machines.=0:1", "cannot be varied"),
        ("idle=0:1.1", "1.1 is out of range; give 0 to 1 of the mean power"),
        ("idle=-0.1", "out of range"),
        ("idle=nan", "out of range"),
        ("idle=x", "'x' is not a number"),
        ("idle=0:1:0", "the step of 0:1:0 is 0; give more than 0"),
        ("idle=0:1:-0.1", "give more than 0"),
        ("idle=0:1:inf", "give more than 0"),
        ("idle=0:1:nan", "give more than 0"),
        ("idle=0:1:0.1:2", "is not a range"),
        ("idle=1:0:0.1", "ends before it begins"),
        ("idle=0.1,0.1", "a value is there twice"),
        ("idle=0:1:1e-6", "more than 1,000,000 values"),
        ("machines.M1=-1:2", "-1 is out of range; give whole numbers, 0 to 1e+06 machines"),
        ("machines.M1=1.5", "give whole numbers"),
        ("machines.M1=0:4:0.5", "the step of 0:4:0.5 is 0.5; give 1, 2, 3 ..."),
        ("power_cap=40kg", "'kg' is not a unit of power"),
        ("power_cap=-4", "out of range"),
    ],
)
def test_what_is_refused(text, said):
    with pytest.raises(AxisFault, match=r".") as fault:
        read_axis(text)
    assert said in str(fault.value)


@pytest.mark.parametrize(
    "text",
    ["idle=0:1:0.1", "idle=0.5,0.1", "machines.M1=0:3:1", "machines.a=b=2", "power_cap=1000,5000"],
)
def test_an_axis_is_written_as_it_is_read(text):
    assert read_axis(text).text == text


def faults(*texts):
    return [*axis_faults([read_axis(text) for text in texts])]


def test_faults_of_axes_together():
    assert faults("idle=0:1", "machines.M1=0:3") == []
    assert faults("price=3", "energy_price=0.3") == []
    assert "is there twice" in faults("idle=0", "idle=1")[0]
    assert "leave out one" in faults("price=3", "profit_ratio=1", "energy_price=0.3")[0]
    assert "energy_price" in faults("price=3")[0]


def test_the_most_runs():
    assert faults("machines.A=0:999", "machines.B=0:999") == []
    said = faults("machines.A=0:999", "machines.B=0:1000")[0]
    assert "1,001,000 runs" in said
    assert f"{MOST_RUNS:,}" in said


def test_what_a_system_does_not_have(two_by_two):
    system = two_by_two()

    def strange(*texts):
        return [*strange_axes([read_axis(text) for text in texts], system)]

    assert strange("machines.A=0:1", "tasks.2=1", "idle=0:1") == []
    assert strange("machines.M1=0:1") == ["there is no machine type 'M1'; there are A, B"]
    assert strange("tasks.A=0:1") == ["there is no task type 'A'; there are 1, 2"]


def test_an_axis_of_numbers_is_that_of_the_text():
    assert axis_of("idle", np.array([0.5, 0.1])) == read_axis("idle=0.5,0.1")
    assert axis_of("machines.A", np.arange(3)) == read_axis("machines.A=0:2")


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("idle", [float("nan")], "idle: nan is out of range; give 0 to 1"),
        ("idle", [0.5, float("inf")], "idle: inf is out of range"),
        ("idle", [1.0000001], "idle: 1.0000001 is out of range"),
        ("machines.A", [0.5], "machines.A: 0.5 is out of range; give whole numbers, "),
        ("idle", "a", "idle: 'a' is not a number"),
        ("idle", [True], "idle: 'True' is not a number"),
        ("idle", [0, 0.0], "a value is there twice"),
        ("idle", [], "idle has no values"),
        ("nothing", [1], "'nothing' cannot be varied"),
    ],
)
def test_numbers_that_are_no_axis_are_refused_in_the_words_of_a_text(name, values, said):
    with pytest.raises(AxisFault) as fault:
        axis_of(name, values)
    assert said in str(fault.value)


def test_a_sweep_varies_something(two_by_two):
    with pytest.raises(InvalidInput, match="nothing is varied"):
        sweep(two_by_two(), {})
    with pytest.raises(InvalidInput, match="nan is out of range"):
        sweep(two_by_two(), {"idle": [float("nan")]})
