"""Jobs that asked for similar resources are of one type, whatever they took."""

import numpy as np
import pytest
from log_stores import dump, store_of

from core.engines.logs.types import clusters as room
from core.engines.logs.types.clusters import Clusters
from core.engines.logs.types.rule_parts import RuleRefused

SMALL = {"AllocCPUS": 1, "ReqMem": "1G", "Timelimit": "01:00:00"}
LARGE = {"AllocCPUS": 64, "ReqMem": "256G", "Timelimit": "1-00:00:00"}
GPU = {"AllocCPUS": 8, "ReqMem": "32G", "Timelimit": "04:00:00", "AllocTRES": "gres/gpu=4"}


def labels(wanted: str, *rows: dict[str, object]) -> list[str]:
    with store_of(dump(*rows)) as store:
        made = Clusters(store, wanted)
        (block,) = store.blocks(made.columns)
        return [made.label(key) for key in made.keys(block).tolist()]


def test_kinds_of_requests_are_found() -> None:
    near = [{**SMALL, "AllocCPUS": 2}, {**LARGE, "ReqMem": "250G"}]
    found = labels("", *[SMALL] * 30, *[LARGE] * 20, *[GPU] * 10, *near)
    assert len({*found}) == 3
    assert (found[60], found[61]) == (found[0], found[30])
    assert found[30] == "64 cores 256 GiB up to 1 d"
    assert found[50] == "8 cores 4 GPUs 32 GiB up to 4 h"


@pytest.mark.parametrize("wanted", [2, 3, 5])
def test_as_many_are_found_as_were_asked_for(wanted: int) -> None:
    rows = [{"AllocCPUS": 2**k} for k in range(5)]
    assert len({*labels(str(wanted), *rows)}) == wanted


def test_the_same_log_gives_the_same_clusters() -> None:
    random = np.random.default_rng(3)
    rows = [{"AllocCPUS": c, "ReqMem": f"{m}G"} for c, m in random.integers(1, 99, (80, 2))]
    assert labels("4", *rows) == labels("4", *rows)


def test_requests_beyond_the_most_frequent_go_to_the_nearest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(room, "_MOST_CELLS", 2)
    found = labels("", *[SMALL] * 9, *[LARGE] * 9, {**LARGE, "AllocCPUS": 32})
    assert found[-1] == found[9]


@pytest.mark.parametrize(
    ("wanted", "known"), [("1", False), ("2", True), ("50", True), ("51", False)]
)
def test_two_to_fifty_can_be_asked_for(wanted: str, known: bool) -> None:
    rows = [SMALL, LARGE]
    if known:
        assert len({*labels(wanted, *rows)}) == 2
    else:
        with pytest.raises(RuleRefused, match="give 2 to 50 clusters"):
            labels(wanted, *rows)


def test_equal_requests_have_no_clusters() -> None:
    with pytest.raises(RuleRefused, match="choose another rule"):
        labels("", SMALL, SMALL)


def test_of_requests_as_frequent_the_smallest_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(room, "_MOST_CELLS", 2)
    rows = [{"AllocCPUS": 2**k} for k in reversed(range(20))]
    found = labels("2", *rows)
    assert {*found} == {"1 core", "2 cores"}


def test_many_points_go_to_the_nearest_centre() -> None:
    points = np.arange((1 << 14) + 3.0)[:, None]
    nearest = room._nearest(points, np.array([[0.0], [1e9], [16_385.0]]))
    assert len(nearest) == len(points)
    assert np.flatnonzero(nearest == 2)[0] == 8_193
    assert (np.diff(nearest) >= 0).all()
