"""Logs with faults are read, or refused with a message that names them; no row is lost unseen."""

import random
from pathlib import Path

import pytest
from logs.mutated import check, logs, mutant

from core.logs import limits

LOGS = 120


def test_logs_with_faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    originals, read = logs(), 0
    for number in range(LOGS):
        monkeypatch.setattr(limits, "BLOCK_BYTES", random.Random(number).choice((61, 1_000, 9_999)))
        read += check(mutant(number, originals), tmp_path) is not None
    assert LOGS // 3 < read < LOGS


RUNS_OF = [9, 36, 35, 11, 37, 36, 36, 10, None, 36, 36, None, 29, 29]


@pytest.mark.parametrize("block", [61, 1 << 20])
@pytest.mark.parametrize("original", range(len(logs())))
def test_logs_without_faults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, original: int, block: int
) -> None:
    monkeypatch.setattr(limits, "BLOCK_BYTES", block)
    assert check(logs()[original], tmp_path) == RUNS_OF[original]
