"""A log becomes a system: measured pairs by their median, others by estimates that are marked."""

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from core.derive.derivation import Derivation, NothingDerived, derive
from core.logs.reading import read_logs
from core.runs.settings import RunSettings

SECONDS = {("a", "x"): 100, ("a", "y"): 50, ("b", "x"): 20, ("b", "y"): 10, ("c", "x"): 60}


def derived(folder: Path, settings: RunSettings, *, estimates: bool = True) -> Derivation:
    rows = [
        f"{task},{machine},{seconds + change},300"
        for (task, machine), seconds in SECONDS.items()
        for change in (-1, 0, 1)
    ]
    log = folder / "runs.csv"
    log.write_text("task,machine,seconds,watts\n" + "\n".join(rows) + "\n")
    store = read_logs([log], folder=folder)
    try:
        return derive(store, settings, estimates=estimates)
    finally:
        store.close()


def test_pairs_never_measured_are_estimated_and_marked(tmp_path: Path) -> None:
    found = derived(tmp_path, RunSettings(rare_below=1))
    system = found.system
    assert system.task_names == ("a", "b", "c")
    assert system.machine_names == ("x", "y")
    assert system.task_counts.tolist() == [6, 6, 3]
    np.testing.assert_allclose(system.etc, [[100, 50], [20, 10], [60, 30]])
    assert system.apc is not None
    np.testing.assert_allclose(system.apc, 300)
    assert system.estimated is not None
    assert np.argwhere(system.estimated).tolist() == [[2, 1]]
    assert found.pairs == {"measured": 5, "estimated": 1, "impossible": 0}
    assert found.rows == found.used == 15


def test_without_estimates_they_cannot_run(tmp_path: Path) -> None:
    found = derived(tmp_path, RunSettings(rare_below=1), estimates=False)
    assert np.isinf(found.system.etc[2, 1])
    assert found.system.estimated is None
    assert found.pairs == {"measured": 5, "estimated": 0, "impossible": 1}
    assert found.held_out_error is None


def test_too_few_runs_are_refused_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(NothingDerived, match="4 runs; ask for fewer runs"):
        derived(tmp_path, RunSettings(rare_below=1, min_runs=4))


@pytest.mark.parametrize(
    ("runs", "least"),
    [
        ((3, 3), 3),
        ((3, 2, 1), 3),
        ((3, 2, 2), 2),
        ((2, 1, 1), 2),
        ((2, 1, 1, 1), 1),
        ((1,), 1),
        ((9, 1, 1, 1), 3),
    ],
)
def test_most_runs_are_of_measured_pairs(tmp_path: Path, runs: tuple[int, ...], least: int) -> None:
    """Unless somebody says how many runs a measured pair needs."""
    rows = [f"t{task},x,{5 + k}" for task, count in enumerate(runs) for k in range(count)]
    log = tmp_path / "runs.csv"
    log.write_text("task,machine,seconds\n" + "\n".join(rows) + "\n")
    with closing(read_logs([log], folder=tmp_path)) as store:
        found = derive(store)
        assert found.settings.min_runs == least
        assert found.measured.sum() == sum(count >= least for count in runs)
        asked = derive(store, RunSettings(min_runs=1))
        assert (asked.settings.min_runs, asked.measured.sum()) == (1, len(runs))
