"""The log that is measured is read in full, and what pandas computes of it is the same."""

from pathlib import Path

import pytest

from benchmarks.logs import CASE, OURS, PANDAS, STATES, tell, write_log
from core.engines.logs.derived.derivation import derive
from core.engines.logs.reading.logs import read_logs


def test_every_row_is_a_run_of_its_types(tmp_path: Path) -> None:
    log = tmp_path / "dump.txt"
    write_log(log, 3_000)
    store = read_logs([log], folder=tmp_path)
    found = derive(store)
    assert len(store) == found.rows == 3_000
    assert found.used == log.read_text().count("|COMPLETED|")
    assert {*found.rejected} == {"ended as FAILED", "ended as CANCELLED"}
    assert (len(found.system.task_types), len(found.system.machine_types)) == (10, 3)
    store.close()
    again = tmp_path / "again.txt"
    write_log(again, 3_000)
    assert again.read_bytes() == log.read_bytes()
    assert all(state in log.read_text() for state in STATES)


def test_both_find_the_same_medians() -> None:
    measured = {name: part.measure(True) for name, part in CASE.parts.items()}
    assert "differ by at most 0.000 %" in tell(measured).body
    assert len(measured[OURS]["medians"]) == 30


@pytest.mark.parametrize(
    ("theirs", "differ"),
    [({"a b": 2.0}, "100.000 %"), ({"a c": 4.0}, "∞"), ({"a b": 4.0}, "0.000 %")],
)
def test_times_and_differences_are_told(theirs: dict[str, float], differ: str) -> None:
    told = tell(
        {
            OURS: {"rows": 1_000, "seconds": 61.0, "processor": 30.0, "medians": {"a b": 4.0}},
            PANDAS: {"rows": 1_000, "seconds": 30.0, "processor": 20.0, "medians": theirs},
        }
    )
    (target,) = told.targets
    assert (target.value, target.met) == (61.0, False)
    assert "| wattfront derive | 61 s | 30 s | 30 ms |" in told.body
    assert f"differ by at most {differ}." in told.body
