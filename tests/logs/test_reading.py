"""A log is read into runs, whatever its format, and wherever its bytes are cut into blocks."""

from pathlib import Path

from core.logs.reading import read_logs

DUMP = """\
JobID|JobName|Partition|State|Start|End|Elapsed|AllocCPUS|NNodes|NodeList|ConsumedEnergyRaw
1|sort_1|cpu|COMPLETED|2024-03-01T00:00:00|2024-03-01T00:10:00|00:10:00|4|1|cpu1|
1.batch|batch||COMPLETED|2024-03-01T00:00:00|2024-03-01T00:10:00|00:10:00|4|1|cpu1|60000
2|a|b|cpu|COMPLETED|2024-03-01T01:00:00|2024-03-01T01:00:30|00:00:30|4|1|cpu2|3000
3|cut|cpu|COMPL"""


def test_a_dump_becomes_runs(tmp_path: Path) -> None:
    log = tmp_path / "dump.txt"
    log.write_text(DUMP)
    store = read_logs([log], folder=tmp_path)
    assert store.column("elapsed").tolist() == [600, 30]
    assert store.column("joules").tolist() == [60_000, 3_000]
    names = [store.values("name")[k] for k in store.column("name")]
    assert names == ["sort_1", "a|b"]
    assert store.column("line").tolist() == [2, 4]
    assert store.rejected == {
        "step, counted with its job": 1,
        "cut off at the end of the log": 1,
    }
    assert store.rows == 4
    store.close()
