"""A dump has the runs that an oracle reads, wherever its bytes are cut into blocks."""

import math
import tempfile
from pathlib import Path

import pytest
from engines.logs.dumps import Run, dumps, oracle, read
from hypothesis import given
from hypothesis import strategies as st

from core.engines.logs.reading import limits


def comparable(runs: list[Run]) -> list[tuple[object, ...]]:
    return [
        (
            run.job,
            run.task,
            run.name,
            run.elapsed,
            run.cores,
            None if run.joules is None or math.isnan(run.joules) else run.joules,
            run.start,
        )
        for run in runs
    ]


@given(dumps(), st.sampled_from([7, 64, 333, 1 << 20]))
def test_runs_are_those_of_the_oracle_wherever_blocks_are_cut(text: str, block: int) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "BLOCK_BYTES", block)
        runs, rejected, rows = read(text.encode(), Path(folder))
    assert comparable(runs) == comparable(oracle(text))
    assert rows == len(runs) + sum(rejected.values())
