"""Headers of `sacct` are known by their titles, whatever stands between them."""

import pytest
from engines.logs.mutated import REAL
from log_stores import runs_of

from core.engines.logs.reading import limits
from core.engines.logs.reading.layout import Form
from core.engines.logs.reading.sacct import (
    header_layout,
    is_finished,
    is_fixed_header,
    lacks_times,
    layout_of,
    state_called,
)


@pytest.mark.parametrize(
    ("line", "separator", "cells"),
    [
        (b"JobID|Elapsed|State\r\n", b"|", 3),
        (b"JobID,Elapsed", b",", 2),
        (b"job_id;ELAPSED;x", b";", 3),
        (b'"JobID"\t"Elapsed"', b"\t", 2),
        (b"JobID^Elapsed^State", b"^", 3),
        (b"JobID|Elapsed|State|", b"|", 4),
        (b"JobID|Elapsed|a|b", b"|", 4),
        # Of separators that make a header each, that with more columns is the separator.
        (b"JobID|Elapsed|a,Elapsed,State,End", b",", 4),
        # Of several bytes; blanks beside a usual separator belong to the cells.
        (b"JobID||Elapsed||State", b"||", 3),
        (b"job::Elapsed::State::End::", b"::", 5),
        (b"JobID<|>Elapsed", b"<|>", 2),
        ("JobID\N{BROKEN BAR}Elapsed".encode(), "\N{BROKEN BAR}".encode(), 2),
        (b"JobID | Elapsed", b"|", 2),
        (b"JobID, Elapsed", b",", 2),
        (b"JobID^^Elapsed^State", b"^", 4),
        (b"JobID Elapsed State", b" ", 3),
        (b"JobID!#%&()*+-./:<=>?Elapsed", b"!#%&()*+-./:<=>?", 2),
    ],
)
def test_separators(line: bytes, separator: bytes, cells: int) -> None:
    layout = header_layout(line)
    assert layout is not None
    assert (layout.form, layout.separator, layout.cells) == (Form.SEPARATED, separator, cells)
    assert layout.quoting == (separator in b",;\t")


@pytest.mark.parametrize(
    "line",
    [
        b"JobID!#%&()*+-./:<=>?@Elapsed",  # more than 16 bytes are no separator
        b"JobID|State",  # no time
        b"Elapsed",
        b"JobID  Elapsed State",  # two blanks are of fixed columns
        b"JobID   ~ Elapsed   State   End",  # no separator stands behind all
        b"JobID|Elapsed|a|b|c",  # more titles are unknown
        b"1|00:00:05|COMPLETED",
        b"",
    ],
)
def test_what_is_no_header(line: bytes) -> None:
    assert header_layout(line) is None
    assert layout_of([line]) is None


@pytest.mark.parametrize(
    ("lines", "most"),
    [([b"JobID|Elapsed|State"], 3), ([b"JobID    Elapsed", b"----- ----------"], 1)],
)
def test_there_are_only_so_many_columns(
    monkeypatch: pytest.MonkeyPatch, lines: list[bytes], most: int
) -> None:
    monkeypatch.setattr(limits, "HEADER_COLUMNS", most)
    assert layout_of(lines) is not None
    monkeypatch.setattr(limits, "HEADER_COLUMNS", most - 1)
    assert layout_of(lines) is None


def test_fixed_columns_lie_above_dashes() -> None:
    lines = [b"       JobID    Elapsed      Sta", b"------------ ---------- --------  "]
    layout = layout_of(lines)
    assert layout is not None
    assert (layout.form, layout.edges, layout.job) == (Form.COLUMNS, (0, 13, 24, 33), 0)
    assert "state" not in layout.texts  # several titles begin with "Sta"
    assert layout_of(lines[:1]) is None
    assert layout_of([b"JobI Elaps Stat", b"---- ----- ----"]) is None
    cut = layout_of([b"JobID    Elapsed  NodeLi AllocTRE", b"----- ---------- ------- --------"])
    assert cut is not None
    assert (cut.texts, cut.sources["gpus"][0].cell) == ({"nodelist": 2}, 3)


def test_the_first_three_letters_of_a_title_may_be_enough() -> None:
    for title, name in ((b"Clu", "cluster"), (b"Cl", "cl"), (b"Clx", "clx")):
        layout = layout_of([b"JobID Elapsed " + title, b"----- ------- ---"])
        assert layout is not None
        assert layout.texts == {name: 2}


def test_no_column_of_sacct_is_one_of_others() -> None:
    """Those that Slurm had in 2023: which are texts to keep, and which are lists with commas."""
    header = (REAL / "all-columns.txt").read_bytes().partition(b"\n")[0]
    titles = header.decode().split("|")
    layout = header_layout(header.replace(b"|", b","))
    assert layout is not None
    texts = (
        "User Group Account Cluster Container Comment NodeList Partition QOS ReqTRES Reservation"
    )
    assert {name: titles[cell] for name, cell in layout.texts.items()} == {
        **{
            title.lower(): title
            for title in (*texts.split(), "State", "Reservation", "WCKey", "WorkDir")
        },
        **{"name": "JobName", "features": "Constraints"},
    }
    lists = {titles[cell] for cell in layout.lists}
    assert {title for title in titles if "TRES" in title} < lists
    assert lists >= {"JobID", "NodeList", "Partition", "Flags", "Reservation"}
    assert len(lists) == 23


def test_headers_that_are_not_whole() -> None:
    assert is_fixed_header(b"   JobID    Elapsed      State")
    assert not is_fixed_header(b"   JobID    State")
    assert lacks_times(b"JobID|JobName|State")
    assert lacks_times(b"  JobID   State")
    assert not lacks_times(b"JobID|JobName|Elapsed")
    assert not lacks_times(b"hello|world")


def test_the_best_source_of_a_number_comes_first() -> None:
    layout = header_layout(b"JobID|NNodes|AllocNodes|Elapsed|ElapsedRaw|AllocTRES|JobIDRaw")
    assert layout is not None
    assert [source.cell for source in layout.sources["nodes"]] == [2, 1, 5]
    assert [source.cell for source in layout.sources["elapsed"]] == [4, 3]
    assert layout.job == 0
    raw = header_layout(b"JobIDRaw|Elapsed")
    assert raw is not None
    assert raw.job == 0
    assert header_layout(b"State|Elapsed").job is None  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "state", "finished"),
    [
        ("CANCELLED by 1000", "CANCELLED", True),
        ("OUT_OF_ME+", "OUT_OF_MEMORY", True),
        ("COMPLETI+", "COMPLETING", False),
        ("cd", "COMPLETED", True),
        ("R", "RUNNING", False),
        ("PD", "PENDING", False),
        ("S", "SUSPENDED", False),
        ("ZZ+", "ZZ+", True),
        ("odd", "ODD", True),
    ],
)
def test_states(text: str, state: str, finished: bool) -> None:
    assert state_called(text) == state
    assert is_finished(state) == finished


def test_units_of_numbers() -> None:
    titles = (
        "Submit Eligible Start End ElapsedRaw Elapsed TimelimitRaw Timelimit AllocNodes NNodes "
        "AllocTRES ReqNodes AllocCPUS NCPUS ReqCPUS ReqTRES ReqMem ConsumedEnergyRaw "
        "ConsumedEnergy TRESUsageInTot"
    )
    layout = header_layout("|".join(titles.split()).encode())
    assert layout is not None
    assert {
        name: [source.factor for source in sources] for name, sources in layout.sources.items()
    } == {
        **{"submit": [1, 1], "start": [1], "end": [1], "elapsed": [1, 1], "limit": [60, 1]},
        **{"nodes": [1] * 4, "cores": [1] * 4, "gpus": [1, 1], "joules": [1, 1, 1]},
        "memory": [1, 2**-20, 2**-20],
    }
    assert {source.key for sources in layout.sources.values() for source in sources} == {
        *("", "node", "cpu", "gres/gpu", "mem", "energy")
    }


@pytest.mark.parametrize(
    ("name", "wanted", "cells"),
    [
        ("ReqMem", "memory", {"4Gc": 16384, "4000Mn": 8000, "16G": 16384, "512": 512, "16?": None}),
        ("ConsumedEnergy", "joules", {"1.5K": 1500, "2M": 2e6, "0": 0, "": None, "9e18": None}),
        ("ConsumedEnergyRaw", "joules", {"12": 12, "1e15": 1e15, "1000000000000001": None}),
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
