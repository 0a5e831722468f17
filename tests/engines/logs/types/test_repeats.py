"""A run that other rows of the logs count already is told apart, by its reason."""

from log_stores import dump, store_of, swf

from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.repeats import PART, TWICE, repeated


def rows_of(store: RunStore) -> dict[str, list[str]]:
    """The log and the line of each run that is repeated."""
    found: dict[str, list[str]] = {}
    for reason, rows in repeated(store).items():
        logs, lines = store.column("log")[rows], store.column("line")[rows]
        found[reason] = [f"{log}:{line}" for log, line in zip(logs, lines, strict=True)]
    return found


def test_a_job_counts_once_where_dumps_overlap() -> None:
    """Issue 33, point 9: of two dumps that overlap, each job counts once."""
    monday, tuesday = {"JobID": 7}, {"JobID": 8, "Start": "2024-03-02T00:00:00"}
    again = {"JobID": 7, "Start": "2024-03-02T00:00:00"}  # the same job, started once more
    with store_of(dump(monday, tuesday), dump(tuesday, again)) as store:
        assert rows_of(store) == {TWICE: ["1:2"], PART: []}
    with store_of(dump({**monday, "Cluster": "a"}, {**monday, "Cluster": "b"})) as store:
        assert rows_of(store) == {TWICE: [], PART: []}


def test_of_a_job_that_was_running_the_last_word_counts() -> None:
    """Issue 33, point 9: in whichever order the dumps are given."""
    running = dump({"State": "RUNNING", "Elapsed": "00:00:30"})
    ended = dump({"State": "COMPLETED", "Elapsed": "00:01:00"})
    with store_of(running, ended) as store:
        assert rows_of(store)[TWICE] == ["0:2"]
    with store_of(ended, running) as store:
        assert rows_of(store)[TWICE] == ["1:2"]
    with store_of(ended, ended + "\n") as store:
        assert rows_of(store)[TWICE] == ["1:2"]


def test_a_log_that_is_given_twice_counts_once() -> None:
    """Issue 33, point 9: also a table of runs, whose rows have no numbers."""
    table = "task,machine,seconds\na,m,5\na,m,5\n"
    with store_of(table, table) as store:
        assert rows_of(store)[TWICE] == ["1:2", "1:3"]
    with store_of(table, table + "b,m,4\n") as store:
        assert rows_of(store)[TWICE] == []


def test_jobs_of_two_clusters_are_not_one_for_their_numbers() -> None:
    """SWF logs number jobs from 1 and seconds from 0, each its own."""
    with store_of(swf({4: 60}, {4: 50}), swf({4: 61}, {4: 50, 5: 2}, {4: 9})) as store:
        assert rows_of(store) == {TWICE: [], PART: []}
    with store_of(swf({4: 60}, {4: 50}), swf({4: 60}, {4: 51}, {4: 9})) as store:
        assert rows_of(store)[TWICE] == ["1:2"]


def test_parts_of_a_job_with_checkpoints_are_counted_by_its_summary() -> None:
    """Issue 33, point 9: states 2 to 4. Without a summary in the log, parts are all that there is;
    a part that lasted as long as its job does not put the summary aside.
    """
    parts = [{1: 5, 3: 0, 4: 40, 11: 2}, {1: 5, 3: 90, 4: 20, 11: 3}]
    with store_of(swf({1: 5, 4: 60}, *parts, {1: 6, 11: 4})) as store:
        assert rows_of(store) == {TWICE: [], PART: ["0:3", "0:4"]}
    with store_of(swf(*parts), swf({1: 5, 4: 60})) as store:
        assert rows_of(store) == {TWICE: [], PART: []}
    with store_of(swf({1: 5, 2: 0, 4: 60, 11: 4}, {1: 5, 2: 0, 4: 60})) as store:
        assert rows_of(store) == {TWICE: [], PART: ["0:2"]}
    with store_of(swf(*parts), swf(*parts, {1: 9})) as store:
        assert rows_of(store) == {TWICE: ["1:2", "1:3"], PART: []}
    summed = [{1: 5, 4: 60}, *parts]
    later = [{**row, 1: 6} for row in summed]
    with store_of(swf(*summed), swf({}), swf(*later)) as store:
        assert rows_of(store) == {TWICE: [], PART: ["0:3", "0:4", "2:3", "2:4"]}


def test_no_run_has_two_reasons() -> None:
    """Issue 33, point 9: parts of a log that is given twice are parts."""
    log = swf({1: 5, 4: 60}, {1: 5, 3: 0, 4: 40, 11: 2})
    with store_of(log, log) as store:
        assert rows_of(store) == {TWICE: ["1:2"], PART: ["0:3", "1:3"]}


def test_only_parts_of_swf_logs_have_a_summary() -> None:
    """A dump of `sacct` may call a state 2, whatever that means; its jobs are its own."""
    dumped = dump({"JobID": 5, "State": 2, "Start": "2024-03-02T00:00:00"}, {"JobID": 5})
    with store_of(swf({1: 5, 11: 2}), dumped) as store:
        assert rows_of(store) == {TWICE: [], PART: []}


def test_of_a_log_given_twice_and_a_later_dump_each_job_counts_once() -> None:
    """Issue 33, point 9: whichever has the last word."""
    early, late = ({"JobID": 7, "Elapsed": f"00:0{minutes}:00"} for minutes in (1, 2))
    for first, second in ((early, late), (late, early)):
        again = dump(first)
        with store_of(again, again, dump(second)) as store:
            dropped = rows_of(store)[TWICE]
            assert dropped == (["0:2", "1:2"] if second is late else ["1:2", "2:2"])
