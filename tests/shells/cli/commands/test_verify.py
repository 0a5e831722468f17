"""`verify` accepts what `solve` wrote, and says what is wrong with anything else."""

import pytest

KEYS = ["ok", "problems", "makespan", "energy", "tasks", "machines"]


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


def test_in_words_what_the_schedule_takes_is_rounded_up(wattfront, tmp_path):
    """100.00004 s and 700.00328 J."""
    times, powers, path = (tmp_path / name for name in ("etc.csv", "apc.csv", "schedule.csv"))
    times.write_text("task type,M\nT,100.00004\n")
    powers.write_text("task type,M\nT,7.00003\n")
    assert wattfront("solve", tmp_path, "--seconds", 0, "-o", path).status == 0
    said = wattfront("verify", tmp_path, path).out
    assert "100.001 s" in said
    assert "700.004 J" in said


@pytest.mark.parametrize("content", [b"", b"\x00\xff", b"{", b"PK\x03\x04", b"a,b\n1,2\n"])
def test_what_is_no_schedule_file_is_refused(wattfront, tmp_path, content):
    (tmp_path / "s.csv").write_bytes(content)
    outcome = wattfront("verify", "nine", tmp_path / "s.csv", "--json")
    assert (outcome.status, outcome.data["ok"]) == (2, False)
    assert outcome.complaints
