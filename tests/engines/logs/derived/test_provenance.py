"""The provenance has what the runs of each pair say, and how estimates were found."""

import json
from pathlib import Path

import pytest
from log_stores import store_of

from core.engines.logs.derived.derivation import derive
from core.engines.logs.derived.provenance import provenance, provenance_path, provenance_text
from core.engines.logs.types.settings import RunSettings

ROWS = "".join(f"a,é,{seconds},{2 * seconds}\n" for seconds in range(1, 10))
LOG = f"task,machine,seconds,watts\n{ROWS}a,y,5,\nb,é,7,\n"
SETTINGS = RunSettings(rare_below=1, min_runs=1, statistic="median")


def test_each_pair_has_its_estimate_with_intervals() -> None:
    with store_of(LOG) as store:
        found = provenance(derive(store, SETTINGS), store)
        text = provenance_text(derive(store, SETTINGS), store)
    assert json.loads(text) == json.loads(json.dumps(found))
    assert '"machine_type": "é"' in text
    assert text.startswith('{\n "format": "wattfront provenance",\n "version": 1,\n')
    assert text.endswith("}\n")
    pairs = {(pair["task_type"], pair["machine_type"]): pair for pair in found["pairs"]}
    assert len(pairs) == 4
    assert pairs["a", "é"]["origin"] == "measured"
    # Of 9 values, the second smallest and the second largest enclose the median in 96 % of cases.
    time = {"runs": 9, "value": 5, "confidence95": [2, 8], "half_between": [3, 7]}
    assert pairs["a", "é"]["time"] == time
    assert pairs["a", "é"]["power"] == {
        **{"runs": 9, "value": 10, "confidence95": [4, 16], "half_between": [6, 14]}
    }
    one = {"runs": 1, "value": 5, "confidence95": None, "half_between": [5, 5]}
    assert (pairs["a", "y"]["time"], pairs["a", "y"]["power"]) == (one, None)
    assert pairs["b", "y"]["origin"] == "estimated"
    assert (pairs["b", "y"]["time"], pairs["b", "y"]["power"]) == (None, None)
    assert (found["kinds_of_operations"], found["powers_from"]) == (1, "runs")
    assert (found["rows"], found["used"], found["rejected"]) == (11, 11, {})


def test_without_estimates_and_powers_nothing_is_said_of_them() -> None:
    with store_of("task,machine,seconds\na,x,5\na,y,5\nb,x,5\n") as store:
        found = provenance(derive(store, SETTINGS, estimates=False), store)
    assert [found[name] for name in ("kinds_of_operations", "powers_from", "held_out_error")] == [
        None
    ] * 3
    assert len(found["pairs"]) == 3


@pytest.mark.parametrize(
    ("system", "beside"),
    [
        ("x/cluster.xlsx", "x/cluster.provenance.json"),
        ("x/cluster", "x/cluster.provenance.json"),
        ("a.b.json", "a.b.provenance.json"),
    ],
)
def test_it_is_beside_the_system(system: str, beside: str) -> None:
    assert provenance_path(Path(system)) == Path(beside)
