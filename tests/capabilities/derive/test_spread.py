"""`derive --spread` writes how run times vary, and a plan takes it as its empirical law."""

from pathlib import Path

import numpy as np
import pytest
from log_stores import dump, store_of

from core.engines.logs.derived.derivation import derive
from core.engines.logs.pairs import measuring
from core.engines.logs.pairs.measuring import time_ratios
from core.engines.logs.types.settings import RunSettings


def runs(name: str, *minutes: int, partition: str = "cpu") -> list[dict[str, object]]:
    return [
        {"JobName": name, "Partition": partition, "Elapsed": f"00:{minute:02}:00"}
        for minute in minutes
    ]


LOG = dump(*runs("a", 1, 2, 3), *runs("b", 10, 20, 60, 30), *runs("b", 7, partition="gpu"))
SHARES = [10 / 30, 0.5, 20 / 30, 1, 1, 1.5, 2]
"""Those of a, and those of b on cpu; b on gpu was seen once."""
SETTINGS = RunSettings(task_type="name", machine_type="partition", min_runs=2, rare_below=1)


def test_ratios_are_shares_of_the_mean_of_measured_pairs() -> None:
    with store_of(LOG) as store:
        found = derive(store, SETTINGS)
        taken = time_ratios(store, found.classified, found.machines, found.measured)
    assert taken.tolist() == pytest.approx(SHARES)


def test_of_many_runs_quantiles_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "RATIOS", 4)
    with store_of(dump(*runs("a", *range(1, 17)))) as store:
        found = derive(store, SETTINGS)
        taken = time_ratios(store, found.classified, found.machines, found.measured)
    assert taken == pytest.approx(np.array([3, 7, 11, 15]) / 8.5)


def test_the_command_writes_a_table(wattfront, tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text(LOG)
    wattfront(
        *("derive", tmp_path / "log.txt", "-o", tmp_path / "s.json", "--task-type", "name"),
        *("--machine-type", "partition", "--min-runs", "2", "--spread", tmp_path / "seen.csv"),
    )
    title, *cells = (tmp_path / "seen.csv").read_text().splitlines()
    assert title == "share_of_mean"
    assert [float(cell) for cell in cells] == pytest.approx(SHARES)
