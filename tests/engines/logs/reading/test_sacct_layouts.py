"""Cells become numbers, whatever way a release or a site writes them."""

import pytest
from log_stores import runs_of


@pytest.mark.parametrize(
    ("name", "wanted", "cells"),
    [
        ("ReqMem", "memory", {"4Gc": 16384, "4000Mn": 8000, "16G": 16384, "512": 512, "16?": None}),
        ("ConsumedEnergy", "joules", {"1.5K": 1500, "2M": 2e6, "0": 0, "": None, "9e18": None}),
        ("ConsumedEnergyRaw", "joules", {"12": 12, "9223372036854775808": None}),
        ("TimelimitRaw", "limit", {"5": 300, "": None}),
        ("Timelimit", "limit", {"1-00:00:00": 86_400, "UNLIMITED": None, "Partition_Limit": None}),
        ("AllocTRES", "gpus", {"cpu=4,gres/gpu=2": 2, "gres/gpu:a=1,gres/gpu:b=2": 3, "cpu=4": 0}),
        # Issue 33, point 11: GPUs of one kind count once, whichever entry comes first.
        ("AllocTRES", "gpus", {"gres/gpu=2,gres/gpu:a100=2": 2, "gres/gpu:a100=2,gres/gpu=2": 2}),
        ("ReqTRES", "gpus", {"gres/gpu=3,gres/gpu:a=1,gres/gpu:b=2": 3}),
        ("ReqTRES", "memory", {"cpu=1,mem=2G,node=1": 2048, "mem=500M": 500}),
        ("Submit", "submit", {"1970-01-02T00:00:00": 86_400, "86400": 86_400, "Unknown": None}),
        (
            "Submit",
            "submit",
            {"2024-02-29 12:00:00+0100": 1_709_208_000, "2024-13-01T00:00:00": None},
        ),
    ],
)
def test_columns_of_sacct(name: str, wanted: str, cells: dict[str, float | None]) -> None:
    rows = "".join(f"{k}|00:00:09|4|2|{cell}\n" for k, cell in enumerate(cells, 1))
    with runs_of(f"JobID|Elapsed|AllocCPUS|NNodes|{name}\n{rows}", wanted) as (_, found):
        assert found[wanted] == [*cells.values()]
