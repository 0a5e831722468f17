"""What is offered for download is the schedule, readable and correct."""

import pytest

from core.files import read_schedule_bytes
from core.samples import load_sample
from core.solve import solve
from core.verify import verify_stated
from dashboard.logic.export import FORMATS, file_blocks, file_name, schedule_bytes


@pytest.mark.parametrize("suffix", [form.suffix for form in FORMATS])
def test_a_downloaded_schedule_verifies(suffix: str) -> None:
    system = load_sample("nine")
    schedule = solve(system, method="paper").schedule
    name = file_name("nine", suffix)
    reading = read_schedule_bytes(name, schedule_bytes(schedule, suffix), system)
    assert reading.blocks is not None
    assert len(reading.blocks) == file_blocks(schedule)
    verdict = verify_stated(reading.blocks, system)
    assert verdict.ok
    assert verdict.makespan == pytest.approx(schedule.makespan)


@pytest.mark.parametrize(
    ("system_name", "name"),
    [
        ("nine", "wattfront-nine-schedule.csv"),
        ("../../etc/passwd", "wattfront-etc-passwd-schedule.csv"),
        ("<b>", "wattfront-b-schedule.csv"),
        ("計算機", "wattfront-system-schedule.csv"),
    ],
)
def test_any_system_gives_a_harmless_file_name(system_name: str, name: str) -> None:
    assert file_name(system_name, ".csv") == name
