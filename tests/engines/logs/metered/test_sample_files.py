"""Files of power samples are read, whoever wrote them, and each fault has its place."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.logs.metered.power_samples import PowerSamples, gathered
from core.engines.logs.metered.sample_files import (
    is_power_samples,
    parse_power_samples,
    require_power_samples,
)
from core.files.findings import Findings, Unreadable
from core.vocabulary.problems import InvalidInput

TIME = 1_772_445_600.0
"""2026-03-02 10:00:00 UTC."""


def read(tmp_path: Path, text: str | bytes, name: str = "gv01.csv") -> PowerSamples:
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return require_power_samples([path])


def listed(found: PowerSamples) -> list[tuple[str, float, float]]:
    return [
        (found.nodes[int(node)], end - TIME, watts)
        for node, end, watts in zip(
            found.node.tolist(), found.end.tolist(), found.watts.tolist(), strict=True
        )
    ]


PROMETHEUS = {
    "status": "success",
    "data": {
        "resultType": "matrix",
        "result": [
            {
                "metric": {"__name__": "DCGM_FI_DEV_POWER_USAGE", "gpu": gpu, "Hostname": "gv01"},
                "values": [[TIME, "61.5"], [TIME + 15, "62.5"]],
            }
            for gpu in "01"
        ],
    },
}
RAPL = {
    "metric": {"__name__": "node_rapl_package_joules_total", "instance": "gv01:9100", "index": "0"},
    "values": [1000, 2000],
    "timestamps": [TIME * 1000, TIME * 1000 + 10_000],
}
TABLES: dict[str, tuple[str, list[tuple[str, float, float]]]] = {
    "plain": ("time,node,watts\n2026-03-02 10:00:00,gv01,90\n", [("gv01", 0, 90)]),
    "with a zone": ("timestamp,host,power_w\n2026-03-02T11:00:00+01:00,a,90\n", [("a", 0, 90)]),
    "UTC": ("Time;Host;Power (kW)\n2026-03-02T10:00:00.500Z;a;0,09\n", [("a", 0.5, 90)]),
    "seconds": (f"ts,node,w\n{TIME:.0f},a,90\n", [("a", 0, 90)]),
    "milliseconds": (f"ts,instance,power_mw\n{TIME * 1000:.0f},a:9100,90000\n", [("a", 0, 90)]),
    "German": ("Zeit\ttime\tnode\twatts\nx\t02.03.2026 10:00:00\ta\t90\n", [("a", 0, 90)]),
    "nvidia-smi": (
        "timestamp, index, power.draw [W], power.limit [W]\n"
        "2026/03/02 10:00:00.000, 0, 61.50 W, 300.00 W\n"
        "2026/03/02 10:00:00.003, 1, 62.50 W, 300.00 W\n"
        "2026/03/02 10:00:05.000, 0, [N/A], 300.00 W\n"
        "2026/03/02 10:00:05.003, 1, 62.50 W, 300.00 W\n",
        [("gv01", 0.003, 124)],
    ),
    "joules": (
        "time,node,socket,energy_uj\n2026-03-02 10:00:00,a,0,5000000\n2026-03-02 10:00:10,a,0,"
        "905000000\n2026-03-02 10:00:00,a,1,0\n2026-03-02 10:00:10,a,1,100000000\n",
        [("a", 10, 100)],
    ),
    "a column a node": (
        '"Time","gv01","power{instance=""gv02:9100""}"\n2026-03-02 10:00:00,90 W,1.2 kW\n',
        [("gv01", 0, 90), ("gv02", 0, 1200)],
    ),
    "ipmi-sensors": (
        "time,node,ID,Name,Type,Reading,Units,Event\n"
        "2026-03-02 10:00:00,a,1,Fan,Fan,4000,RPM,'OK'\n"
        "2026-03-02 10:00:00,a,2,Pwr Consumption,Current,220.00,W,'OK'\n",
        [("a", 0, 220)],
    ),
    "dcmi": (
        "a:     Instantaneous power reading:                   220 Watts\n"
        "a:     Minimum during sampling period:                 90 Watts\n"
        "a:     IPMI timestamp:                           Mon Mar  2 10:00:00 2026\n"
        "    Instantaneous power reading:                    90 Watts\n"
        "    IPMI timestamp:                           03/02/2026 10:00:05 AM UTC\n",
        [("a", 0, 220), ("gv01", 5, 90)],
    ),
    "Prometheus": (json.dumps(PROMETHEUS), [("gv01", 0, 123), ("gv01", 15, 125)]),
    "an export by lines": (json.dumps(RAPL) + "\n" + "\n", [("gv01", 10, 100)]),
}


@pytest.mark.parametrize("name", TABLES)
def test_samples_of_many_makers(tmp_path: Path, name: str) -> None:
    text, expected = TABLES[name]
    assert is_power_samples(text.encode())
    found = listed(read(tmp_path, text))
    assert [one[0] for one in found] == [one[0] for one in expected]
    assert [one[1:] for one in found] == [pytest.approx(one[1:], abs=1e-4) for one in expected]


def test_compressed_files_and_several_are_read_together(tmp_path: Path) -> None:
    paths = [tmp_path / "a.csv.gz", tmp_path / "b.csv"]
    paths[0].write_bytes(gzip.compress(b"time,node,watts\n2026-03-02 10:00:00,a,90\n"))
    paths[1].write_bytes(b"time,node,watts\n2026-03-02 10:00:00,b,80\n")
    assert listed(require_power_samples(paths)) == [("a", 0, 90), ("b", 0, 80)]


@pytest.mark.parametrize(
    "text",
    [
        "task,machine,seconds,watts\na,x,1,90\n",
        "task,machine,time,watts\na,x,1.5,90\n",
        "JobID|JobName|State|Start|Elapsed\n1|a|COMPLETED|2026-03-02T10:00:00|00:01:00\n",
        "node,type,idle_watts\na,b,90\n",
        "time,m1,m2\nsort,1,2\n",
        '{"format": "wattfront system"}',
        "",
    ],
)
def test_other_files_are_no_samples(text: str) -> None:
    assert not is_power_samples(text.encode())


HEAD = "time,node,watts\n2026-03-02 10:00:00,a,90\n"


@pytest.mark.parametrize(
    ("text", "row", "column", "said"),
    [
        ("", "", "", "is empty; give a table with a time, a node and watts"),
        ("x,y\n1,2\n", "", "", "is not recognised as samples of power; give a table"),
        ("time,node,watts\n", "", "", "has no samples below its titles"),
        (f"{HEAD}noon,a,90\n", "line 3", "time", "'noon' is no time; write it as 2026-03-02T10"),
        (f"{HEAD}\n2026-03-02 10:01:00,a,x\n", "line 4", "watts", "'x' is no power; write"),
        (f"{HEAD}2026-03-02 10:01:00,a,9 J\n", "line 3", "watts", "'9 J' is no power; write"),
        (f"{HEAD}2026-03-02 10:01:00,,9\n", "line 3", "node", "is blank; give the name of a node"),
        (f"{HEAD}2026-03-02 10:01:00,a\n\n", "line 3", "", "has 2 cells below 3 titles; correct"),
        ("time,node,watts\n12,a,90\n", "line 2", "time", "'12' is no time; write it as"),
        (
            '{"data": {"result": [{"metric": {}, "values": []}]}}',
            "series 1",
            "metric",
            "names no node; let it have a label such as hostname, node, nodename",
        ),
        (
            '{"data": {"result": [{"metric": {"node": "a"}, "values": [[1, 2], [3]]}]}}',
            "series 1",
            "values",
            "are not pairs of a time and a number; export the series again",
        ),
        ('{"data": {"result": 3}, "metric": 1}', "", "", 'has no list "result" in "data"'),
        (HEAD.replace("\n", "\r"), "", "", "is not recognised as samples of power"),
        (f"{HEAD}2026-03-02 10:01:00,\0,9\n", "", "", "holds a NUL byte (line 3)"),
        ('{"data": {"metric": [', "", "", "is not valid JSON"),
        ("Instantaneous power reading: 9 Watts\n", "", "", "no 'IPMI timestamp' below them"),
    ],
)
def test_each_fault_has_its_place_and_remedy(
    tmp_path: Path, text: str, row: str, column: str, said: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        read(tmp_path, text, "w.csv")
    (problem,) = refused.value.problems
    assert (problem.file, problem.row, problem.column) == ("w.csv", row, column)
    assert problem.message.startswith(said) or said in problem.message


def test_a_last_row_that_is_cut_off_is_left_out(tmp_path: Path) -> None:
    found = read(tmp_path, f"{HEAD}2026-03-02 10:01:00,b")
    assert listed(found) == [("a", 0, 90)]
    assert "gv01.csv: line 3 is cut off and left out." in found.notes


def test_what_was_taken_for_granted_is_said(tmp_path: Path) -> None:
    found = read(tmp_path, "time,power\n2026-03-02 10:00:00,90\n")
    assert listed(found) == [("gv01", 0, 90)]
    said = " ".join(found.notes)
    assert "'power' is taken for watts" in said
    assert "no column names a node, so all is taken for node 'gv01'" in said


def test_many_samples_are_read_as_few_are(tmp_path: Path) -> None:
    moments = np.arange(20_000) + TIME
    lines = [f"{time:.0f},n{k % 7},{90 + k % 5}\n" for k, time in enumerate(moments.tolist())]
    found = read(tmp_path, "time,node,watts\n" + "".join(lines))
    assert len(found) == 20_000
    assert found.watts.sum() == sum(90 + k % 5 for k in range(20_000))


def test_other_encodings_are_read_or_refused(tmp_path: Path) -> None:
    found = read(tmp_path, HEAD.replace(",a,", ",Zürich,").encode("cp1252"))
    assert found.nodes == ("Zürich",)
    with pytest.raises(InvalidInput, match="mixes encodings"):
        read(tmp_path, HEAD.encode() + "2026-03-02 10:01:00,ä".encode() + b"\xff,9\n")


PIECES = (
    b",",
    b"\n",
    b'"',
    b"\0",
    b"\xff",
    b"1e999",
    b"nan",
    b"{",
    b"]",
    b"null",
    b"\r",
    b"9" * 400,
)


@given(
    st.sampled_from(sorted(TABLES)),
    st.lists(
        st.tuples(st.integers(0, 400), st.integers(0, 20), st.sampled_from(PIECES)), max_size=5
    ),
)
def test_files_with_faults_are_refused_or_read(
    name: str, faults: list[tuple[int, int, bytes]]
) -> None:
    data = TABLES[name][0].encode()
    for at, less, more in faults:
        data = data[:at] + more + data[at + less :]
    is_power_samples(data)
    findings = Findings()
    try:
        found = [*parse_power_samples(data, "w.csv", findings)]
    except Unreadable:
        pass
    else:
        assert findings.failed or np.isfinite(gathered(found).watts).all()
