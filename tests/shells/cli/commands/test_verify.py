"""`verify` accepts what `solve` wrote, and says what is wrong with anything else."""

import json

import pytest

KEYS = ["ok", "problems", "makespan", "energy", "tasks", "machines"]


@pytest.fixture
def solved(wattfront, tmp_path):
    """A schedule of the two-by-two sample: its file, and what was said of it."""
    path = tmp_path / "schedule.csv"
    outcome = wattfront("solve", "two-by-two", "--seconds", 0, "-o", path, "--json")
    return path, outcome.data


@pytest.mark.parametrize("suffix", [".csv", ".json", ".xlsx"])
@pytest.mark.parametrize("idle", [[], ["--idle-power", "0.5"]])
def test_the_figures_are_those_of_solve(wattfront, tmp_path, suffix, idle):
    path = tmp_path / f"schedule{suffix}"
    said = wattfront("solve", "nine", "--seconds", 0, *idle, "-o", path, "--json").data
    outcome = wattfront("verify", "nine", path, *idle, "--json")
    assert outcome.status == 0
    assert list(outcome.data) == KEYS
    assert (outcome.data["ok"], outcome.data["problems"]) == (True, [])
    for key in ("makespan", "energy", "tasks", "machines"):
        assert outcome.data[key] == pytest.approx(said[key], rel=1e-9)


def test_its_help_says_what_else_it_judges(wattfront):
    said = " ".join(wattfront("verify", "--help").out.split())
    assert "Whether a schedule is one of a system, or an outcome one of a workload." in said
    assert "Also: wattfront verify WORKLOAD OUTCOME, whether what wattfront replay -o" in said


def test_in_words_it_says_what_was_checked(wattfront, solved):
    path, _ = solved
    outcome = wattfront("verify", "two-by-two", path)
    assert "is a schedule of two-by-two" in outcome.out
    assert "every task is placed exactly once" in outcome.out
    assert "12 tasks on 2 of 2 machines" in outcome.out


def test_in_words_what_the_schedule_takes_is_rounded_up(wattfront, tmp_path):
    """100.00004 s and 700.00328 J."""
    times, powers, path = (tmp_path / name for name in ("etc.csv", "apc.csv", "schedule.csv"))
    times.write_text("task type,M\nT,100.00004\n")
    powers.write_text("task type,M\nT,7.00003\n")
    assert wattfront("solve", tmp_path, "--seconds", 0, "-o", path).status == 0
    said = wattfront("verify", tmp_path, path).out
    assert "100.001 s" in said
    assert "700.004 J" in said


def test_a_missing_task_is_found(wattfront, solved):
    path, _ = solved
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:-1]) + "\n")
    outcome = wattfront("verify", "two-by-two", path, "--json")
    assert outcome.status == 2
    assert list(outcome.data) == KEYS
    assert (outcome.data["ok"], outcome.data["makespan"]) == (False, None)
    assert any("tasks are missing" in problem["message"] for problem in outcome.data["problems"])
    assert len(outcome.complaints) == len(outcome.data["problems"])


def test_a_part_of_the_tasks_is_a_schedule_if_that_is_said(wattfront, solved):
    path, _ = solved
    lines = path.read_text().splitlines()
    _, _, _, count, *_ = lines[-1].split(",")
    path.write_text("\n".join(lines[:-1]) + "\n")
    outcome = wattfront("verify", "two-by-two", path, "--part", "--json")
    assert (outcome.status, list(outcome.data)) == (0, KEYS)
    assert outcome.data["tasks"] == 12 - int(count)
    said = wattfront("verify", "two-by-two", path, "--part").out
    assert "is a schedule of part of two-by-two" in said
    assert f"{12 - int(count)} of 12 tasks on" in said
    assert "no task is placed more than once" in said


def test_but_none_twice(wattfront, solved):
    path, _ = solved
    text = path.read_text()
    path.write_text(text + text.splitlines()[1] + "\n")
    outcome = wattfront("verify", "two-by-two", path, "--part", "--json")
    assert (outcome.status, outcome.data["ok"]) == (2, False)
    assert any("tasks are there, but the system has" in said for said in outcome.complaints)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"end": 1e9}, "should last"),
        ({"task_type": "T9"}, "is not a task type"),
        ({"machine": 2}, "there is no machine 2"),
        ({"count": 0}, "0 is out of range"),
        ({"start": "soon"}, "give"),
    ],
)
def test_a_changed_block_is_found(wattfront, tmp_path, change, said):
    path = tmp_path / "schedule.json"
    wattfront("solve", "two-by-two", "--seconds", 0, "-o", path)
    document = json.loads(path.read_text())
    document["blocks"][0] |= change
    path.write_text(json.dumps(document))
    outcome = wattfront("verify", "two-by-two", path, "--json")
    assert (outcome.status, outcome.data["ok"]) == (2, False)
    assert any(said in problem["message"] for problem in outcome.data["problems"])


@pytest.mark.parametrize("content", [b"", b"\x00\xff", b"{", b"PK\x03\x04", b"a,b\n1,2\n"])
def test_what_is_no_schedule_file_is_refused(wattfront, tmp_path, content):
    (tmp_path / "s.csv").write_bytes(content)
    outcome = wattfront("verify", "nine", tmp_path / "s.csv", "--json")
    assert (outcome.status, outcome.data["ok"]) == (2, False)
    assert outcome.complaints


def test_so_is_what_does_not_exist(wattfront, tmp_path):
    outcome = wattfront("verify", "nine", tmp_path / "s.csv")
    assert outcome.complaints == ["error: s.csv: does not exist; check the path"]
    assert outcome.status == 2
