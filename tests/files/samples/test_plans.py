"""Sample plans can be read, and have the numbers that their READMEs name."""

import numpy as np
import pytest

from benchmarks.publications.provision.examples import E1_SPREADS, e1, like_e3
from core.capabilities.provision.files.plan_format import inspect_plan, read_plan
from core.files.samples.folders import PLANS, plan_folder
from core.files.samples.named import load_sample


@pytest.mark.parametrize("name", PLANS)
def test_a_sample_plan_is_read_without_a_complaint(name: str) -> None:
    reading = inspect_plan(plan_folder(name))
    assert reading.problems == ()
    assert reading.unread == ("README.md",)


def test_every_folder_is_a_plan_and_in_the_index() -> None:
    folder = plan_folder("e1").parent
    assert {entry.name for entry in folder.iterdir()} == set(PLANS)
    index = (folder.parent / "README.md").read_text(encoding="utf-8")
    for name in PLANS:
        readme = (folder / name / "README.md").read_text(encoding="utf-8")
        title = readme.partition("\n")[0].removeprefix("# ")
        assert f"| [`{name}`](plans/{name}/README.md) | {title} |" in index


def test_the_published_plan_is_as_published() -> None:
    file = read_plan(plan_folder("e1"))
    assert file.plan.times.tolist() == e1().times.tolist()
    assert (file.offers, file.demands, file.limits) == (e1().offers, e1().demands, e1().limits)
    arrivals = file.sampling.scenarios(file.plan).arrivals
    assert np.abs(arrivals - 1).max(axis=0) == pytest.approx(E1_SPREADS, abs=0.01)


def test_the_plan_like_the_published_one_is_that_of_its_reproduction() -> None:
    file = read_plan(plan_folder("e3"))
    ours = like_e3()
    assert file.plan.times.tolist() == ours.times.tolist()
    assert (file.offers, file.demands, file.limits) == (ours.offers, ours.demands, ours.limits)


def test_the_plan_of_the_nine_types_begins_with_its_system() -> None:
    file, system = read_plan(plan_folder("nine")), load_sample("nine")
    assert file.types.etc.tolist() == system.etc.tolist()
    assert file.types.task_counts.tolist() == system.task_counts.tolist()
    assert file.plan.counts.tolist() == system.machine_counts.tolist()
    assert file.plan.arrival_rates * 86400 == pytest.approx(40 * system.task_counts)


def test_an_unknown_plan_is_named_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="no sample plan is called 'nien'; did you mean nine"):
        plan_folder("nien")
