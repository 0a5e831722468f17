"""A run measures the cases that were named, and leaves the results of the others alone."""

import json

import pytest

from benchmarks import __main__ as program


@pytest.fixture
def kept(monkeypatch, tmp_path, apples, outcome):
    """Two cases, one of them measured long ago; gives where results are kept."""

    def run(name, *, command, quick, only):
        made = outcome() | {"command": f"{command}, {name}, {'small' if quick else 'in full'}"}
        return made | {"parts": {n: p for n, p in made["parts"].items() if not only or n in only}}

    monkeypatch.setattr(program, "CASES", ("old", "new", "slow"))
    monkeypatch.setattr(program, "WHEN_NAMED", ("slow",))
    monkeypatch.setattr(program, "load", lambda _name: apples)
    monkeypatch.setattr(program, "run", run)
    monkeypatch.setattr(program, "KEPT", tmp_path / "results.json")
    monkeypatch.setattr(program, "TOLD", tmp_path / "RESULTS.md")
    program.KEPT.write_text(json.dumps({"old": outcome(picked=77)}), encoding="utf-8")
    return program.KEPT


def call(monkeypatch, *arguments):
    monkeypatch.setattr("sys.argv", ["benchmarks", *arguments])
    program.main()
    return program.TOLD.read_text(encoding="utf-8") if program.TOLD.exists() else ""


def test_only_named_cases_are_measured(kept, monkeypatch, outcome):
    told = call(monkeypatch, "new")
    results = json.loads(kept.read_text(encoding="utf-8"))
    assert results["old"] == outcome(picked=77)
    assert results["new"]["command"] == "python -m benchmarks new, new, in full"
    assert "Ours picked 77." in told
    assert "Ours picked 3." in told


def test_all_cases_are_measured_when_none_is_named(kept, monkeypatch):
    told = call(monkeypatch)
    assert "Ours picked 77." not in told
    assert "python -m benchmarks, old, in full" in told
    assert "python -m benchmarks, new, in full" in told


def test_what_takes_hours_is_measured_when_it_is_named(kept, monkeypatch):
    assert "slow" not in call(monkeypatch)
    assert "python -m benchmarks slow, slow, in full" in call(monkeypatch, "slow")


def test_only_named_parts_are_measured(kept, monkeypatch, outcome):
    """Ours had picked 77; the rival is measured anew."""
    call(monkeypatch, "old", "--part", "rival")
    results = json.loads(kept.read_text(encoding="utf-8"))
    assert results["old"]["command"] == "python -m benchmarks old, old, in full"
    assert results["old"]["parts"] == outcome(picked=77)["parts"]
    call(monkeypatch, "old", "--part", "ours")
    results = json.loads(kept.read_text(encoding="utf-8"))
    assert results["old"]["parts"] == outcome()["parts"]


@pytest.mark.parametrize("cases", [["old", "new"], [], ["new"]])
def test_parts_are_those_of_one_case(kept, monkeypatch, capsys, cases):
    with pytest.raises(SystemExit):
        call(monkeypatch, *cases, "--part", "ours" if len(cases) != 1 else "theirs")
    assert "--part names parts of one case" in capsys.readouterr().err


def test_a_quick_run_is_printed_and_not_kept(kept, monkeypatch, capsys):
    before = kept.read_text(encoding="utf-8")
    assert call(monkeypatch, "new", "--quick") == ""
    assert kept.read_text(encoding="utf-8") == before
    assert "python -m benchmarks new --quick, new, small" in capsys.readouterr().out


def test_a_quick_run_of_a_part_prints_what_was_measured(kept, monkeypatch, capsys):
    """Without the other parts there is no chapter to print."""
    before = kept.read_text(encoding="utf-8")
    assert call(monkeypatch, "old", "--quick", "--part", "rival") == ""
    assert kept.read_text(encoding="utf-8") == before
    assert list(json.loads(capsys.readouterr().out)["old"]["parts"]) == ["rival"]


def test_telling_again_measures_nothing(kept, monkeypatch):
    before = kept.read_text(encoding="utf-8")
    told = call(monkeypatch, "--tell")
    assert "Ours picked 77." in told
    assert "in full" not in told
    assert kept.read_text(encoding="utf-8") == before


def test_an_unknown_case_is_refused(kept, monkeypatch, capsys):
    with pytest.raises(SystemExit):
        call(monkeypatch, "newest")
    assert "no case newest; there are old, new, slow" in capsys.readouterr().err
