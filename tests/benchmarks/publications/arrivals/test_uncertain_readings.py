"""Each other reading changes what it says and nothing else, and the report says how near it is."""

from collections.abc import Sequence

import numpy as np
import pytest
from capabilities.arrivals.bags import workload_of

from benchmarks.publications.arrivals.uncertain import figures
from benchmarks.publications.arrivals.uncertain_ratios import (
    PRINTED_RATIOS,
    normaliser_said,
    ratio_claims,
)
from benchmarks.publications.arrivals.uncertain_readings import (
    READINGS,
    OtherReading,
    ReadCells,
    measure_readings,
    read_instance,
    run_shared,
    with_speeds,
)
from benchmarks.publications.arrivals.uncertain_runs import OFFLINE, UncertainCell, UncertainCells
from benchmarks.publications.arrivals.uncertain_tables import IMPROVEMENT
from benchmarks.publications.arrivals.uncertain_words import otherwise
from core.capabilities.arrivals.uncertain.bags import UncertainSettings, draw_uncertain
from core.capabilities.arrivals.uncertain.methods import METHODS, run_method
from core.engines.compute.executors import InThisThread
from core.engines.replay.judge import judge_outcome
from core.engines.replay.workload import Truth

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
