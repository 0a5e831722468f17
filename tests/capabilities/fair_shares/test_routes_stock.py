"""What is on workers is computed where it costs least, before its deadline and within memory."""

from dataclasses import replace

import numpy as np
import pytest
from capabilities.fair_shares.made import made

from core.capabilities.fair_shares.bags import BagWork
from core.capabilities.fair_shares.epochs import epochs_between
from core.capabilities.fair_shares.routes import StockColumns
from core.engines.lp.program import Program, ProgramSolution


def half_a_bag(counts: tuple[int, ...]) -> BagWork:
    """Bags of tasks of 1 s and 2 MB on one machine that has half of their tasks."""
    work = made(counts, [[1.0] * len(counts)], data=2.0).work
    return replace(work, counts=work.counts / 2, stock=work.counts[:, None] / 2)


def solved(
    work: BagWork, costs: list[list[float]], room: float | None = None, until: float = 10.0
) -> ProgramSolution:
    """With two intervals of so many seconds, and so many MB at the date between them."""
    program = Program()
    cpus = program.add_rows(-np.inf, np.array([until, 10.0])).reshape(1, 2)
    memory = np.full((1, 2), -1)
    if room is not None:
        memory[0, 1] = program.add_rows(-np.inf, np.array([room]))[0]
    stock = StockColumns(program, work, cpus, memory, (1.0, 1.0))
    ideal = np.arange(1.0, 3.0)[-len(work.counts) :]
    stock.keep_to(epochs_between(work.release, ideal, 1.0, np.inf))
    stock.aim(np.array(costs))
    return program.minimise()


def test_tasks_cost_as_parts_of_their_bag() -> None:
    two = half_a_bag((4, 8))
    found = solved(two, [[4.0, 0.0], [3.0, 2.0]])
    # The first bag is due at the date between; half of each bag is there.
    assert found.objective == pytest.approx(0.5 * 4 + 0.5 * 2)
    assert found.values.tolist() == pytest.approx([1, 0, 0, 1])
    assert solved(two, [[4.0, 0.0], [2.0, 3.0]]).objective == pytest.approx(0.5 * 4 + 0.5 * 2)


def test_machines_compute_no_more_than_they_can() -> None:
    found = solved(half_a_bag((4, 8)), [[1.0, 1.0], [0.0, 1.0]], until=3.0)
    # Of 4 s of the second bag, 1 s is left beside 2 s of the first.
    assert found.objective == pytest.approx(0.5 * 1 + 0.5 * 3 / 4)


def test_it_fills_memory_until_it_is_computed() -> None:
    found = solved(half_a_bag((4, 8)), [[1.0, 1.0], [1.0, 0.0]], room=2.0)
    # One task of four may wait.
    assert found.objective == pytest.approx(0.5 * 1 + 0.5 * 3 / 4)
