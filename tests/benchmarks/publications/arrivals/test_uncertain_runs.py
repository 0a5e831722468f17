"""Results of methods are compared as the publication does, in shares of what it says."""

from collections.abc import Sequence

import numpy as np
import pytest
from capabilities.arrivals.bags import workload_of

from benchmarks.publications.arrivals.uncertain import figures
from benchmarks.publications.arrivals.uncertain_runs import (
    DEVIATION,
    IMPROVEMENT,
    OFFLINE,
    READINGS,
    RUN,
    WAITING,
    WINS,
    OtherReading,
    ReadCells,
    UncertainCell,
    UncertainCells,
    instances_of,
    measure,
    measure_readings,
    read_instance,
    run_shared,
    with_speeds,
)
from benchmarks.publications.arrivals.uncertain_words import (
    PRINTED_RATIOS,
    normaliser_said,
    otherwise,
    ratio_claims,
)
from core.capabilities.arrivals.uncertain.bags import (
    ERROR_LEVELS,
    MACHINES,
    RATES,
    UncertainSettings,
    draw_uncertain,
)
from core.capabilities.arrivals.uncertain.methods import METHODS, run_method
from core.engines.compute.executors import InThisThread
from core.engines.replay.judge import judge_outcome
from core.engines.replay.workload import Truth


def cell() -> UncertainCell:
    """Two instances: on the first, method k takes k + 1 s and 10 J; on the second, 10 - k s, 20 J.

    The weighed method takes 2 s and 5 J, the one that waits 4 s and 5 J; the bound is 1 s, 5 J.
    """
    place = np.arange(len(METHODS), dtype=float)
    first = np.column_stack([place + 1, np.full(len(place), 10.0)])
    second = np.column_stack([10 - place, np.full(len(place), 20.0)])
    own = [[2.0, 5.0], [4.0, 5.0]]
    actual = np.array([[*first.tolist(), *own], [*second.tolist(), *own]])
    expected = np.tile([20.0, 40.0], (2, len(OFFLINE), 1))
    return UncertainCell(actual, expected, np.array([[1.0, 5.0]] * 2))


def test_shares_are_of_the_expected_and_of_the_worst() -> None:
    found = cell()
    assert found.deviation[0, :, 0] == pytest.approx([0.95, 0.9, 0.85])
    assert found.deviation[1, :, 1] == pytest.approx([0.5] * 3)
    assert found.improvement[0, 0] == pytest.approx([7 / 8, 0.0])
    assert found.improvement[1, 7] == pytest.approx([0.7, 0.0])


def test_equals_share_a_win() -> None:
    wins = cell().wins
    assert wins[0].tolist() == [1, 0, 0, 0, 0, 0, 0, 1]
    assert wins[1].tolist() == [2] * 8


def test_differences_are_of_pairs_and_in_shares_of_the_other() -> None:
    """Offline MaxMin takes 1 and 10 s, the weighed method 2 and 2: on average 3.5 of 5.5 s less."""
    found = cell()
    less = found.less("weighed", "offline-maxmin", 0)
    assert less.mean == pytest.approx(3.5 / 5.5)
    assert less.low < 0 < less.high
    assert found.less("weighed", WAITING, 1).mean == 0
    assert found.above("weighed", 0).mean == pytest.approx(1.0)


def test_instances_are_of_every_kind_alike() -> None:
    asked = instances_of(12, "low", 200)
    assert len(set(asked)) == 200
    for rate in RATES:
        for kind in ("high", "low"):
            same = [one for one in asked if (one.rate, one.heterogeneity) == (rate, kind)]
            assert sorted(one.seed for one in same) == list(range(50))


def test_the_printed_tables_add_up_as_the_specification_says() -> None:
    def total(errors: bool, measure: int) -> list[int]:
        rows = [row[measure] for (_, level), row in WINS.items() if (level != "none") == errors]
        return np.sum(rows, axis=0).tolist()

    assert total(False, 0)[0] == 474
    assert total(True, 0)[3:6] == [971, 697, 79]
    assert total(False, 1)[0] == 220
    assert total(True, 1)[3:6] == [663, 963, 128]
    assert len(DEVIATION) == 9
    assert max(row[0][3] for row in IMPROVEMENT.values()) == 50.2
    assert max(row[1][4] for row in IMPROVEMENT.values()) == 32.0


def test_all_figures_come_of_a_few_small_instances() -> None:
    heard: list[str] = []
    cells = measure(2, heard.append, tasks=30)
    assert list(cells) == [(count, level) for count in MACHINES for level in ERROR_LEVELS]
    assert len(heard) == len(cells)
    found = figures(cells, measure_readings(1, tasks=12))
    assert [figure.number for figure in found] == ["6.2", "6.3", "6.4", "R", "W"]
    claims = [claim for figure in found for claim in figure.claims]
    assert len({claim.claim for claim in claims}) == len(claims)
    assert sum(claim.ours for claim in claims) == 25
    for figure in found:
        assert all(len(row) == len(figure.table.head) for row in figure.table.rows)
    for one in cells.values():
        assert one.actual.shape == (2, len(RUN), 2)
        assert (one.actual >= one.bound[:, None] * (1 - 1e-12)).all()
    exact = cells[8, "none"]
    np.testing.assert_allclose(exact.deviation[..., 0], 0, atol=1e-12)


NAMES = list(METHODS)
SMALL = UncertainSettings(tasks=700, errors="medium", seed=1)


def ran(reading: OtherReading) -> tuple[np.ndarray, np.ndarray]:
    found = read_instance(reading, SMALL)
    return np.array(found.actual), np.array(found.expected)


@pytest.fixture(scope="module")
def usual() -> tuple[np.ndarray, np.ndarray]:
    return ran(READINGS["as here"])


def test_the_first_reading_is_that_of_the_tables(usual) -> None:
    workload, truth = draw_uncertain(SMALL)
    for place, method in enumerate(METHODS.values()):
        outcome = run_method(workload, truth, method)
        assert usual[0][place].tolist() == [outcome.makespan, outcome.joules]


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("queue of a machine", OFFLINE),
        ("task energy", [one for one in NAMES if one.endswith("energy")]),
        ("task energy offline", [one for one in OFFLINE if one.endswith("energy")]),
        ("machine energy offline", [one for one in OFFLINE if one.endswith("energy")]),
        ("both offline", OFFLINE),
        ("slow batches", [one for one in NAMES if one.startswith("batch")]),
    ],
)
def test_a_reading_changes_what_it_says(usual, name: str, others: Sequence[str]) -> None:
    actual, expected = ran(READINGS[name])
    differs = (actual != usual[0]).any(axis=1)
    assert [one for one, other in zip(NAMES, differs, strict=True) if other] == list(others)
    criterion = READINGS[name].offline.criterion
    assert (expected == usual[1]).all() == (criterion == "total")


def test_machines_that_are_off_at_the_end_only_save_energy(usual) -> None:
    actual, _ = ran(READINGS["off at the end"])
    assert (actual[:, 0] == usual[0][:, 0]).all()
    assert (actual[:, 1] < usual[0][:, 1]).all()


@pytest.mark.parametrize(("power", "ratio"), [(0.0, 1.0), (1.0, 2.0), (3.0, 8.0)])
def test_speeds_are_raised_to_a_power(power: float, ratio: float) -> None:
    """Machines that take 1 and 2 s for the first task, and 3 and 6 s for the second."""
    seconds = np.array([[1.0, 2.0], [3.0, 6.0]])
    workload = workload_of([0.0, 0.0], seconds, np.ones((2, 2)), [1, 1], 0.0)
    found = with_speeds(workload, power).options.seconds
    assert found[1::2] / found[::2] == pytest.approx([ratio, ratio])
    assert np.sqrt(found[::2] * found[1::2]) == pytest.approx([2**0.5, 3 * 2**0.5])


def test_speeds_of_a_reading_are_used(usual) -> None:
    for name in ("equal speeds", "speeds far apart"):
        assert (ran(READINGS[name])[1] != usual[1]).all()


def test_a_core_that_is_free_takes_the_next_task_of_its_machine() -> None:
    """Tasks of 4, 3, 2 and 1 s on two cores; the first takes 1 s. By core, the third waits for the
    second until 3 s; of one queue, it begins at 1 s.
    """
    seconds = np.array([[4.0], [3.0], [2.0], [1.0]])
    workload = workload_of([0.0] * 4, seconds, np.ones((4, 1)), [2], 5.0)
    exact, truth = Truth.as_estimated(4), Truth(np.array([0.25, 1, 1, 1]), np.ones(4))
    maxmin = METHODS["offline-maxmin"]
    plan = run_method(workload, exact, maxmin)
    assert plan.start.tolist() == [0, 0, 3, 4]
    assert run_method(workload, truth, maxmin).makespan == 5
    outcome = run_shared(plan, truth)
    assert outcome.start.tolist() == [0, 0, 1, 3]
    assert outcome.makespan == 4
    assert outcome.joules == pytest.approx(1 + 3 + 2 + 1 + 2 * 5 * 4)


def test_a_queue_of_a_machine_runs_exact_plans_as_they_are() -> None:
    workload, truth = draw_uncertain(SMALL)
    exact = Truth.as_estimated(len(truth.time))
    for name in OFFLINE:
        plan = run_method(workload, exact, METHODS[name])
        assert run_shared(plan, exact).start == pytest.approx(plan.start)
        assert judge_outcome(run_shared(plan, truth)).ok


def as_printed() -> UncertainCells:
    """Cells of two equal instances whose improvements are those of the print."""
    found = {}
    for row, rows in IMPROVEMENT.items():
        left = 1 - np.array(rows).T / 100
        own = np.full((2, 2), 0.5)
        actual = np.array([[*left.tolist(), *own.tolist()]] * 2)
        found[row] = UncertainCell(actual, np.ones((2, 3, 2)), np.full((2, 2), 0.1))
    return found


def test_ratios_are_those_of_means_to_batch_maxmin() -> None:
    assert PRINTED_RATIOS[8, "none"][2] == pytest.approx([0.993 / 0.656, 0.994 / 0.868])
    cells = as_printed()
    assert cells[12, "low"].ratios == pytest.approx(PRINTED_RATIOS[12, "low"])
    claims = list(ratio_claims(cells, {"as here": cells}))
    assert len(claims) == 7 * 2 * 2
    assert all(claim.holds for claim in claims)
    assert len({claim.claim for claim in claims}) == len(claims)
    assert claims[0].published == claims[0].here == "1.00; 0.98; 0.97"


def test_one_ratio_that_differs_fails_its_claim_and_is_named() -> None:
    cells = as_printed()
    cells[8, "none"].actual[:, 2, 0] = 1.2 * 0.656
    failed = [one for one in ratio_claims(cells, {"as here": cells}) if not one.holds]
    (claim,) = failed
    assert claim.claim.startswith("offline SuffMIN takes so many times the makespan")
    assert (claim.here[:4], claim.published[:4], claim.difference) == (
        "1.20",
        "1.51",
        "at most 0.31",
    )
    said = "the same 2 instances of a row under the readings of table R: as here 0.31; all others "
    said += "the same."
    assert claim.cause.endswith(said)
    said = normaliser_said(cells, (8, "none"), 0)
    assert "takes 1.20 times the makespan of batch MaxMin; derived from the print: 1.52." in said
    assert said.endswith("for offline SuffMIN 1.20 (printed 1.51).")
    assert normaliser_said(cells, (8, "none"), 1).endswith("are within 0.1 for all methods.")


def test_a_cause_names_the_readings_that_change_it() -> None:
    here, other = as_printed(), as_printed()
    said = "It, on the same 2 instances of a row under the readings of table R: as here 0"

    def statistic(cells: UncertainCells) -> float:
        return float(cells is other)

    read = {"as here": here, "equal speeds": other, "slow batches": here}
    assert otherwise(read, statistic, "It", 0) == f"{said}; equal speeds 1; the rest as here."
    del read["slow batches"]
    assert otherwise(read, statistic, "It", 0) == f"{said}; equal speeds 1."


@pytest.fixture(scope="module")
def read() -> ReadCells:
    return measure_readings(2, engine=InThisThread(), tasks=12)


def test_all_readings_are_in_the_report_with_their_distances(read: ReadCells) -> None:
    assert list(read) == list(READINGS)
    printed = as_printed()
    found = {figure.number: figure for figure in figures(printed, {**read, "task energy": printed})}
    table = found["R"].table
    assert [row[0] for row in table.rows] == list(READINGS)
    assert dict(zip(table.head, table.rows[2], strict=True))["ratios, makespan"] == "0.0"
    (claim,) = found["R"].claims
    assert (claim.holds, claim.here, claim.ours) == (False, "task energy", True)
    (claim,) = next(one for one in figures(printed, read) if one.number == "R").claims
    assert claim.holds
    causes = {claim.claim: claim.cause for claim in found["6.2"].claims if not claim.holds}
    mixed = [said for said in causes.values() if "no mix of the two gives" in said]
    assert len(mixed) == 8
    assert any(
        "SuffMIN is printed with 11.3 %, below its makespan (27.8 %)" in one for one in mixed
    )


def test_every_claim_that_fails_says_what_was_measured(read: ReadCells) -> None:
    cells = read["as here"]
    own = np.ones((2, 2, 2))
    whole = {
        row: UncertainCell(
            np.concatenate([cell.actual, own], axis=1), cell.expected, np.full((2, 2), 1e-3)
        )
        for row, cell in cells.items()
    }
    for figure in figures(whole, read):
        for claim in figure.claims:
            if claim.holds or claim.ours:
                continue
            if claim.claim.startswith(("Offline plans", "Methods", "Headline", "offline", "batch")):
                assert claim.cause, claim.claim
            assert not claim.cause or any(one.isdigit() for one in claim.cause), claim.claim
