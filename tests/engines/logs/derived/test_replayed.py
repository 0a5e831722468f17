"""What the runs of a log took is added up from their own energy, or from that of their pairs."""

from dataclasses import replace

import pytest
from log_stores import dump, store_of

from core.engines.logs.derived.derivation import derive
from core.engines.logs.derived.replayed import Energies, Replayed, replayed
from core.engines.logs.reading import store as store_module
from core.engines.logs.types.node_table import Machine, NodeTable
from core.engines.logs.types.settings import RunSettings

SETTINGS = RunSettings(task_type="name", machine_type="partition", machine="node", rare_below=1)


def taken(*rows: dict[str, object], table: NodeTable | None = None) -> Replayed:
    with store_of(dump(*rows)) as store:
        found = replayed(derive(store, SETTINGS, table), store)
    assert found is not None
    return found


def energies_of(found: Replayed) -> Energies:
    assert found.energies is not None
    return found.energies


def test_energy_is_that_of_the_shares_of_nodes() -> None:
    jobs = [
        {"Start": f"1970-01-01T0{k}:00:00", "AllocCPUS": cores, "ConsumedEnergyRaw": 60 * watts}
        for k, (cores, watts) in enumerate([(8, 300), (4, 200), (2, 400)])
    ]
    found = taken(*jobs)
    assert (found.begin, found.end, found.makespan) == (0, 2 * 3600 + 60, 2 * 3600 + 60)
    assert found.runs == 3
    assert found.joules == pytest.approx(60 * (300 + 200 / 2 + 400 / 4))
    assert found.estimated == 0


def test_idle_nodes_draw_their_idle_power() -> None:
    table = NodeTable({"cpu": Machine(nodes=2, idle_watts=100)})
    jobs = [{"Start": f"1970-01-01T00:0{k}:00", "ConsumedEnergyRaw": 60 * 300} for k in range(3)]
    found = taken(*jobs, table=table)
    assert found.joules == pytest.approx(3 * 60 * 300 + 3 * 60 * 100)


def test_a_run_without_energy_takes_that_of_its_pair() -> None:
    jobs = [{"ConsumedEnergyRaw": joules} for joules in (60 * 100, 60 * 300, 60 * 200, "")]
    found = taken(*jobs)
    assert found.joules == pytest.approx(60 * (100 + 300 + 200 + 200))
    assert found.estimated == 0.25


def test_without_energy_only_the_time_is_known() -> None:
    found = taken(*[{}] * 3)
    assert (found.joules, found.makespan) == (None, 60)


def test_the_recorded_energy_and_that_of_the_tables_differ_for_reasons() -> None:
    """Issue 33, point 2: meters count whole nodes, medians leave out long runs, some have none."""
    table = NodeTable({"cpu": Machine(nodes=1, cores=8, idle_watts=10)})
    jobs = [
        {"Start": f"1970-01-01T0{k}:00:00", "AllocCPUS": cores, "ConsumedEnergyRaw": 60 * watts}
        for k, (cores, watts) in enumerate([(8, 300), (4, 300), (4, 300)])
    ]
    jobs.append({"Start": "1970-01-01T03:00:00", "AllocCPUS": 4, "ConsumedEnergyRaw": ""})
    with store_of(dump(*jobs)) as store:
        found = replayed(derive(store, replace(SETTINGS, statistic="median"), table), store)
    assert found is not None
    energies = energies_of(found)
    assert energies.recorded == 3 * 60 * 300
    assert energies.shared == -2 * 30 * 300
    assert energies.unknown == 30 * 300
    assert energies.typical == pytest.approx(4 * 30 * 300 - (60 + 3 * 30) * 300)
    assert energies.idle == pytest.approx(10 * (3 * 3600 + 60 - 4 * 30))
    assert energies.tables == found.joules == pytest.approx(4 * 30 * 300 + energies.idle)
    assert (found.seconds, found.table_seconds) == (150, 120)


@pytest.mark.parametrize(("watts", "counted"), [("300", 300), ("", 200)])
def test_runs_of_a_pair_that_the_system_has_not_cost_what_they_took(
    watts: str, counted: float
) -> None:
    """Or without a power as their machine type does."""
    rows = "a,x,10,100,0\n" * 3 + "b,y,20,200,50\n" * 3 + f"a,y,30,{watts},90\n"
    with store_of(f"task,machine,seconds,watts,start\n{rows}") as store:
        asked = RunSettings(rare_below=1, min_runs=3)
        found = replayed(derive(store, asked, estimates=False), store)
    assert found is not None
    assert found.table_seconds == 3 * 10 + 3 * 20 + 30
    assert found.joules == pytest.approx(3 * 10 * 100 + 3 * 20 * 200 + 30 * counted)
    assert energies_of(found).unknown == pytest.approx(0 if watts else 30 * counted)


def test_an_energy_that_no_node_can_draw_is_not_recorded() -> None:
    """Issue 33, point 2: such a run counts as its pair does, so its own energy is left out."""
    found = taken(*[{"ConsumedEnergyRaw": 60 * watts} for watts in (100, 100, 1_000_000)])
    assert (energies_of(found).recorded, energies_of(found).unknown) == (2 * 60 * 100, 60 * 100)
    assert found.estimated == pytest.approx(1 / 3)


def test_machines_that_are_fewer_than_their_runs_never_idle() -> None:
    """Issue 33, point 2: a table may have one node where two runs were at once."""
    table = NodeTable({"cpu": Machine(nodes=1, idle_watts=100)})
    rows = [{"ConsumedEnergyRaw": 60 * 300, "NodeList": f"n{k}"} for k in (1, 2)]
    found = taken(*rows, table=table)
    assert (found.joules, energies_of(found).idle) == (2 * 60 * 300, 0)


@pytest.mark.parametrize("start", ["Unknown", ""])
def test_without_starts_nothing_is_known(start: str) -> None:
    with store_of(dump(*[{"Start": start}] * 3)) as store:
        assert replayed(derive(store, SETTINGS), store) is None


@pytest.mark.parametrize("block", [1, 2, 1 << 19])
@pytest.mark.parametrize(("unit", "least"), [("node", 1), ("core", 8)])
def test_energy_is_the_same_in_any_unit_and_blocks(
    monkeypatch: pytest.MonkeyPatch, block: int, unit: str, least: int
) -> None:
    """Of machines that are cores, eight draw what a node does."""
    monkeypatch.setattr(store_module, "_BLOCK", block)
    table = NodeTable({"cpu": Machine(nodes=1, idle_watts=80)})
    failed = {"State": "FAILED", "Start": "1970-01-01T00:09:00"}
    jobs = [
        {"Start": "1970-01-01T00:00:00", "AllocCPUS": 8, "ConsumedEnergyRaw": 60 * 300},
        failed,
        {"Start": "1970-01-01T00:01:00", "AllocCPUS": 4, "ConsumedEnergyRaw": 60 * 200},
        failed,
        {"Start": "1970-01-01T00:02:00", "AllocCPUS": 8, "ConsumedEnergyRaw": 60 * 400},
    ]
    settings = replace(SETTINGS, machine=unit)  # type: ignore[arg-type]
    with store_of(dump(*jobs)) as store:
        derivation = derive(store, settings, table)
        found = replayed(derivation, store)
    assert found is not None
    assert derivation.system.machine_counts.tolist() == [least]
    assert (found.runs, found.begin, found.end) == (3, 0, 180)
    # For a minute, half of the machine is idle.
    assert found.joules == pytest.approx(60 * (300 + 200 / 2 + 400) + 60 * 80 / 2)
