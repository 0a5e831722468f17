"""A study file keeps bags with their network, the what-if and the clock."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from capabilities.fair_shares.made import f12, random_bags
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core import study
from core.capabilities.fair_shares import CAPABILITY
from core.capabilities.fair_shares.day_clock import USUAL_CLOCK, DayClock
from core.capabilities.fair_shares.shares import (
    NO_CHANGE,
    AskedBags,
    BagsChange,
    MachinesAdded,
    OneMoreBag,
)
from core.capabilities.fair_shares.study_block import commands, read, written
from core.files.findings import Findings
from core.files.samples.named import load_sample
from core.files.strict_json import Fields
from core.shells.studies import StudySettings, inspect_study, write_study

CHANGE = BagsChange(OneMoreBag(1, 7, 2.5), MachinesAdded(0, -1), 5e6)


def told(content: dict[str, object]) -> tuple[AskedBags | None, list[str]]:
    findings = Findings()
    asked = read(Fields(content, "s.json [stretch]", findings), None)
    return asked, [f"{one.file} {one.column}: {one.message}" for one in findings.problems()]


def same(one: AskedBags, other: AskedBags) -> bool:
    a, b = one.bags, other.bags
    arrays = zip(
        (a.release, a.data, a.network.links, a.network.memory, a.network.bandwidth),
        (b.release, b.data, b.network.links, b.network.memory, b.network.bandwidth),
        strict=True,
    )
    return (
        a.system == b.system
        and all(np.allclose(x, y, rtol=1e-12) for x, y in arrays)
        and (one.name, one.clock, one.change) == (other.name, other.clock, other.change)
    )


@examples(24)
@given(st.integers(0, 10**6), st.floats(0, 86_000), st.sampled_from([NO_CHANGE, CHANGE]))
def test_what_is_written_is_read_back(seed: int, begins: float, change: BagsChange) -> None:
    bags = random_bags(seed)
    if len(bags.system.task_types) < 2:
        change = NO_CHANGE
    asked = AskedBags(bags, "mine", change, DayClock(begins))
    content = json.loads(json.dumps(written(asked), allow_nan=False))
    back, problems = told(content)
    assert problems == []
    assert back is not None
    assert same(asked, back)


def test_a_study_file_keeps_it(tmp_path: Path) -> None:
    asked = AskedBags(f12(), "mine", CHANGE)
    settings = StudySettings("mine", blocks=CAPABILITY.block(asked))
    front = study(load_sample("two-by-two"), method="bound")
    write_study(front, settings, tmp_path / "s.json")
    back = inspect_study(tmp_path / "s.json").require().settings
    found = back.block(AskedBags)
    assert found is not None
    assert same(asked, found)
    assert commands(found) == [[]]


def test_a_study_without_bags_asks_nothing() -> None:
    assert StudySettings("mine").block(AskedBags) is None
    assert CAPABILITY.block(None) == {}
    assert written(None) == {}


def broken(change: Callable[[dict[str, Any]], object]) -> list[str]:
    content = json.loads(json.dumps(written(AskedBags(f12(), "mine", CHANGE, USUAL_CLOCK))))
    change(content)
    return told(content)[1]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda it: it.pop("bags"), "bags: is not an object"),
        (lambda it: it["another"].update(like="X"), "like: is no type of these bags"),
        (lambda it: it["another"].update(tasks=0), "tasks: 0 is out of range"),
        (lambda it: it["machines"].update(more="2"), "more: "),
        (lambda it: it["machines"].update(type="T0"), "type: is no type of these bags"),
        (lambda it: it.update(bandwidth=-1), "bandwidth: -1 is out of range"),
        (lambda it: it.update(begins=86_400), "begins: 86400 is out of range"),
        (lambda it: it.update(speed=1), ": keys that are not used: speed; remove them"),
        (lambda it: it["bags"]["task_types"][0].update(release="soon"), "release: "),
        (lambda it: it["bags"]["task_types"][0].update(release=1e300), "release: "),
        (lambda it: it["bags"].update(network={"bandwidth": 0}), "bandwidth: "),
        (lambda it: it["bags"].update(etc=[[1]]), "etc"),
    ],
)
def test_what_is_wrong_is_named(change: Callable[[dict[str, Any]], object], said: str) -> None:
    (problem, *_) = broken(change)
    assert problem.startswith("s.json [stretch]")
    assert said in problem


def test_no_limit_is_nothing_in_the_file() -> None:
    bags = random_bags(3)
    content = written(AskedBags(bags))
    machines = content["bags"]["machine_types"]  # type: ignore[index]
    for machine, link in zip(machines, bags.network.links.tolist(), strict=True):
        assert ("link" in machine) == math.isfinite(link)
