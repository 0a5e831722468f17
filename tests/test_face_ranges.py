"""The library refuses what no flag of the command line would take, before it computes anything."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from core import (
    Effort,
    InvalidInput,
    derive,
    export,
    fair_shares,
    load_sample,
    plan,
    plan_front,
    plan_goal,
    plan_wait,
    replay,
    solve,
)
from core.capabilities.provision.goals.goal import Goal

_replay = partial(replay, "small-day", policies=["max-upr"])
_plan = partial(plan, "e1", scenarios=2)
_goal = partial(plan_goal, "e1", goal=Goal("cost", reward=1.5))
_front = partial(plan_front, "e1", objectives=["reward", "cost"])
_fair_shares = partial(fair_shares, "morning")
_derive = partial(derive, logs=["nowhere.txt"])


def _export(**given: Any) -> object:
    schedule = solve(load_sample("two-by-two"), effort=Effort(0)).schedule
    return export(schedule.system, schedule, **{"output": "nowhere"} | given)


@pytest.mark.parametrize(
    ("asked", "given", "said"),
    [
        (_replay, {"trials": 0}, "trials is 0; give a whole number, 1 to 100000 trials"),
        (_replay, {"seed": -1}, "seed is -1; give a whole number, 0 to"),
        (_replay, {"trials": 1.5}, "trials is 1.5; give a whole number"),
        (_plan, {"scenarios": 1.5}, "scenarios is 1.5; give a whole number"),
        (_replay, {"drop": -7.0}, "drop is -7.0; give -1 to"),
        (_replay, {"budget": -1.0}, "budget is -1.0; give 0 to inf J"),
        (_replay, {"budget_share": float("nan")}, "budget_share is nan"),
        (_replay, {"budget": 1e6, "budget_share": 0.5}, "give one of them"),
        (_replay, {"every": -5.0}, "every is -5.0; give 0.001 to"),
        (_replay, {"exchange_rate": "much"}, "exchange_rate is 'much'; give 0 to"),
        (_replay, {"policies": []}, "policies are empty"),
        (_replay, {"energy_filter": "task"}, "energy_filter is 'task'; give its kind"),
        (_replay, {"energy_filter": ("job", 2.0)}, "kind is 'job'; give resource, task"),
        (_replay, {"energy_filter": ("task", 0.0)}, "leniency is 0.0; give 0.001 to"),
        (_plan, {"scenarios": 0}, "scenarios is 0"),
        (partial(plan_wait, "e1"), {"budget": "much"}, "budget is 'much'; give"),
        (_goal, {"scenarios": 0}, "scenarios is 0"),
        (_goal, {"goal": "cost"}, "goal is 'cost'; give a Goal"),
        (_goal, {"goal": Goal("speed")}, "objective is 'speed'; give reward, cost, failures"),  # type: ignore[arg-type]
        (_goal, {"goal": Goal("cost", reward=float("nan"))}, "reward is nan; give 0 to"),
        (_goal, {"goal": Goal("cost", power=-1.0)}, "power is -1.0; give 0 to"),
        (_goal, {"goal": Goal(reward=1.0)}, "reward is the objective, so it takes no limit"),
        (_front, {"seed": -1}, "seed is -1"),
        (_front, {"objectives": ["reward"]}, "a front has two or three objectives"),
        (_front, {"objectives": ["reward", "cost", "failures", "power"]}, "two or three"),
        (_front, {"objectives": ["cost", "cost"]}, "'cost,cost' are no different objectives"),
        (_front, {"objectives": ["cost", "speed"]}, "there are reward, cost, failures, power"),
        (_front, {"most": 4}, "most is 4; give a whole number, 5 to 1000 points"),
        (_plan, {"solver": "simplex"}, "solver is 'simplex'; give decomposition, direct"),
        (_plan, {"solver": "direct", "whole": True}, "'direct' does not go with whole"),
        (_plan, {"solver": "direct", "risk": 0.5}, "'direct' does not go with risk"),
        (_plan, {"whole": "yes"}, "whole is 'yes'; give True, False"),
        (_plan, {"points": "random"}, "points is 'random'; give independent, latin, sobol"),
        (_plan, {"budget": float("inf")}, "budget is inf"),
        (_plan, {"risk": -1.0}, "risk is -1.0"),
        (_fair_shares, {"bandwidth": 0.0}, "bandwidth is 0.0; give 1e-06 to"),
        (_fair_shares, {"buffers": -1.0}, "buffers is -1.0"),
        (_fair_shares, {"seconds": -1.0}, "seconds is -1.0"),
        (_fair_shares, {"seed": -1}, "seed is -1"),
        (_derive, {"statistic": "mode"}, "statistic is 'mode'; give mean, median, trimmed"),
        (_derive, {"machine": "rack"}, "machine is 'rack'; give node, core, gpu, job"),
        (_derive, {"min_runs": 0}, "min_runs is 0; give a whole number, 1 to"),
        (_derive, {"rare": "keep"}, "rare is 'keep'"),
        (_derive, {"rare_below": 0}, "rare_below is 0"),
        (_derive, {"log_format": "pbs"}, "log_format is 'pbs'; give sacct, swf, runs"),
        (_replay, {"policies": "max-upr"}, "policies is 'max-upr'; give a list"),
        (_fair_shares, {"policies": "fifo-rr"}, "policies is 'fifo-rr'; give a list"),
        (_plan, {"rules": "1 M1 <= 3"}, "rules is '1 M1 <= 3'; give a list"),
        (_derive, {"states": "FAILED"}, "states is 'FAILED'; give a list"),
        (_derive, {"logs": "nowhere.txt"}, "logs is 'nowhere.txt'; give a list"),
        (_derive, {"logs": Path("nowhere.txt")}, "logs is 'nowhere.txt'; give a list"),
        (_derive, {"allow": "*"}, "allow is '*'; give a list"),
        (_derive, {"allow": ["ab"]}, "allow has 'ab'; give pairs"),
        (_derive, {"allow": [("a",)]}, "allow has ('a',); give pairs"),
        (_export, {"to": "pdf"}, "to is 'pdf'; give slurm, csv, json, xlsx"),
        (_export, {"max_array_size": 0}, "max_array_size is 0"),
    ],
)
def test_it_is_refused(
    asked: Callable[..., object],
    given: dict[str, Any],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput) as refused:
        asked(**given)
    assert said in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_what_is_unlimited_is_taken() -> None:
    shared = fair_shares("morning", bandwidth=float("inf"), buffers=float("inf"))
    assert shared.verified
