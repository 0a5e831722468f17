"""What the garbage collector is told to leave alone pays, and the case tells how much."""

from benchmarks.garbage import WITH, WITHOUT, figure_of, tell


def test_workers_share_the_memory_that_they_were_forked_from() -> None:
    assert figure_of("worker", WITH) < figure_of("worker", WITHOUT) / 4


def test_medians_are_told() -> None:
    figures = {"collection": 0.5e-3, "start": 1.5, "worker": 2e6}
    told = tell(
        {
            "Collector": {f"{name} {WITH}": [0.0, value, 9e9] for name, value in figures.items()}
            | {f"{name} {WITHOUT}": [2 * value] for name, value in figures.items()}
        }
    )
    (target,) = told.targets
    assert (target.value, target.met) == (0.5e-3, True)
    assert "| memory of its own of a worker | 2 MB | 4 MB |" in told.body
    assert "| all collections during the start | 1.5 s | 3 s |" in told.body
