"""Logs with faults are read, or refused with a message that names them; no row is lost unseen,
wherever they are cut into blocks.
"""

from pathlib import Path

import pytest
from engines.logs.mutated import block, check, logs, mutant

LOGS = 80


def test_logs_with_faults(tmp_path: Path) -> None:
    originals, read = logs(), 0
    for number in range(LOGS):
        data = mutant(number, originals)
        read += check(data, tmp_path, block(number, data)) is not None
    assert LOGS // 3 < read < LOGS


RUNS_OF = [10, 36, 35, 11, 37, 36, 36, 10, None, 36, 36, None, 29, 29, 29, 36]


@pytest.mark.parametrize("original", range(len(logs())))
def test_logs_without_faults(tmp_path: Path, original: int) -> None:
    assert check(logs()[original], tmp_path, 61) == RUNS_OF[original]
