"""What is offered for download is the schedule or the system, readable and correct."""

import numpy as np
import pytest
from marked import marked

from core.capabilities.makespan.solve import solve
from core.engines.verify.judge import verify_stated
from core.files import inspect_schedule_bytes, inspect_system_bytes
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System
from dashboard.workspace.export import (
    FORMATS,
    SYSTEM_FORMATS,
    Format,
    blocks_fit,
    file_blocks,
    file_name,
    schedule_bytes,
    system_bytes,
    system_fits,
    template,
)


@pytest.mark.parametrize("suffix", [form.suffix for form in FORMATS])
def test_a_downloaded_schedule_verifies(suffix: str) -> None:
    system = load_sample("nine")
    schedule = solve(system, method="paper").schedule
    name = file_name("nine", suffix)
    reading = inspect_schedule_bytes(name, schedule_bytes(schedule, suffix), system)
    assert reading.value is not None
    assert len(reading.value) == file_blocks(schedule)
    verdict = verify_stated(reading.value, system)
    assert verdict.ok
    assert verdict.makespan == pytest.approx(schedule.makespan)


@pytest.mark.parametrize(
    ("system_name", "name"),
    [
        ("nine", "wattfront-nine-schedule.csv"),
        ("../../etc/passwd", "wattfront-etc-passwd-schedule.csv"),
        ("<b>", "wattfront-b-schedule.csv"),
        ("計算機", "wattfront-system-schedule.csv"),
        ("", "wattfront-system-schedule.csv"),
        ("Ä/\0", "wattfront-system-schedule.csv"),
        ("x" * 99, f"wattfront-{'x' * 60}-schedule.csv"),
    ],
)
def test_any_system_gives_a_harmless_file_name(system_name: str, name: str) -> None:
    assert file_name(system_name, ".csv") == name


@pytest.mark.parametrize("suffix", [form.suffix for form in SYSTEM_FORMATS])
def test_a_downloaded_system_is_the_same_when_uploaded(suffix: str) -> None:
    system = load_sample("testbed")
    name = file_name("testbed", suffix, "system")
    assert name == f"wattfront-testbed-system{suffix}"
    assert inspect_system_bytes(name, system_bytes(system, suffix)).value == system


def test_a_system_with_too_many_machine_types_fits_no_workbook() -> None:
    machines = tuple(MachineType(str(j)) for j in range(16_384))
    system = System((TaskType("T"),), machines, np.ones((1, 16_384)))
    assert [f.label for f in SYSTEM_FORMATS if system_fits(system, f.suffix)] == [
        "CSV tables",
        "JSON",
    ]


@pytest.mark.parametrize(
    ("blocks", "suffix", "fits"),
    [
        (1_048_574, ".xlsx", True),
        (1_048_575, ".xlsx", True),
        (1_048_576, ".xlsx", False),
        (2_999_999, ".csv", True),
        (4_000_000, ".csv", True),
        (4_000_001, ".csv", False),
    ],
)
def test_a_format_holds_so_many_blocks_and_not_one_more(
    blocks: int, suffix: str, fits: bool
) -> None:
    assert blocks_fit(blocks, suffix) == fits


@pytest.mark.parametrize(("machines", "fits"), [(16_382, True), (16_383, True), (16_384, False)])
def test_a_workbook_holds_so_many_machine_types_and_not_one_more(machines: int, fits: bool) -> None:
    types = tuple(MachineType(str(j)) for j in range(machines))
    system = System((TaskType("T"),), types, np.ones((1, machines)))
    assert system_fits(system, ".xlsx") == fits


@pytest.mark.parametrize("suffix", [form.suffix for form in SYSTEM_FORMATS])
def test_the_template_can_be_uploaded_as_it_was_downloaded(suffix: str) -> None:
    reading = inspect_system_bytes(f"template{suffix}", system_bytes(template(), suffix))
    assert reading.value == template()
    assert reading.problems == ()


def test_the_template_has_a_pair_that_cannot_run() -> None:
    assert np.isinf(template().etc).sum() == 1


@pytest.mark.parametrize("form", SYSTEM_FORMATS, ids=lambda form: form.suffix)
def test_an_exported_system_keeps_its_estimates(form: Format) -> None:
    system = marked(load_sample("two-by-two"), (0, 1))
    data = system_bytes(system, form.suffix)
    assert inspect_system_bytes(f"mine{form.suffix}", data).require() == system
