"""Sample workloads can be read, and are in the index."""

import pytest

from core.capabilities.arrivals.files.workload_reader import inspect_workload
from core.files.samples.folders import WORKLOADS, workload_folder


@pytest.mark.parametrize("name", WORKLOADS)
def test_a_sample_workload_is_read_without_a_complaint(name: str) -> None:
    reading = inspect_workload(workload_folder(name))
    assert reading.problems == ()
    assert len(reading.require().workload.jobs) > 50


def test_every_folder_is_a_workload_and_in_the_index() -> None:
    folder = workload_folder("blades").parent
    assert {entry.name for entry in folder.iterdir()} == set(WORKLOADS)
    index = (folder.parent / "README.md").read_text(encoding="utf-8")
    for name in WORKLOADS:
        readme = (folder / name / "README.md").read_text(encoding="utf-8")
        title = readme.partition("\n")[0].removeprefix("# ")
        assert f"| [`{name}`](workloads/{name}/README.md) | {title} |" in index


def test_the_blades_have_the_published_budget_in_three_hours() -> None:
    file = inspect_workload(workload_folder("blades")).require()
    assert file.windows.joules.tolist() == pytest.approx([2.8e6])
    assert len(file.workload.jobs) == 90


def test_an_unknown_workload_is_named_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="no sample workload is called 'blade'; did you mean bl"):
        workload_folder("blade")
