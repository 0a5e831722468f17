"""Logs of the Standard Workload Format are read with their comments and missing values."""

import gzip
from pathlib import Path

from core.engines.logs.reading.logs import read_logs

LOG = """\
; Computer: Paragon
; UnixStartTime: 1000000
; MaxProcs: 8
 1 10 5 60 -1 -1 -1 4 900 1024 1 7 1 3 2 1 -1 -1
 2 20 -1 30 2 -1 512 2 -1 -1 0 8 1 -1 2 -1 -1 -1
; UnixStartTime: 2000000
 3 0 0 10 1 -1 -1 1 -1 -1 5 8 1 4 2 -1 -1 -1
"""


def test_missing_values_and_comments(tmp_path: Path) -> None:
    log = tmp_path / "log.swf.gz"
    log.write_bytes(gzip.compress(LOG.encode()))
    store = read_logs([log], folder=tmp_path)
    assert store.column("cores").tolist() == [4, 2, 1]  # what was asked for where -1 was given
    assert store.column("elapsed").tolist() == [60, 30, 10]
    assert store.column("submit").tolist() == [1_000_010, 1_000_020, 2_000_000]
    assert store.column("start").tolist() == [1_000_015, 1_000_020, 2_000_000]
    assert store.column("memory").tolist()[:2] == [4.0, 1.0]  # MiB, of all processors
    assert store.logs[0].facts["Computer"] == "Paragon"
    assert store.logs[0].facts["MaxProcs"] == "8"
    texts = [store.values("application")[k] for k in store.column("application")]
    assert texts == ["3", "-1", "4"]
    assert store.rows == 3
    assert store.rejected == {}
    store.close()
