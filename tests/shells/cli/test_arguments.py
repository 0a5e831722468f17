"""A system is found by path or by name, and its idle power is what was asked for."""

import pytest

from core.capabilities.makespan.solve import solve as solve_system
from core.files.samples.named import load_sample, sample_folder

LONE_TABLE = "time,M\nT,1\n"
TIMES = "1\n2\n3\n4\n5\n6\n"


class TestSystems:
    def test_a_sample_goes_by_its_name(self, wattfront):
        assert wattfront("check", "nine", "--json").data["tasks"] == load_sample("nine").tasks

    def test_what_lies_at_a_path_wins(self, wattfront, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "nine").write_text(LONE_TABLE)
        assert wattfront("check", "nine", "--json").data["tasks"] == 1

    def test_so_does_a_link_to_nowhere(self, wattfront, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "nine").symlink_to("nowhere")
        outcome = wattfront("check", "nine")
        assert "does not exist" in outcome.err
        assert outcome.status == 2

    @pytest.mark.parametrize(("name", "hint"), [("nien", "did you mean nine"), ("x" * 5000, "e1")])
    def test_an_unknown_name_names_the_samples(self, wattfront, name, hint):
        outcome = wattfront("check", name)
        (complaint,) = outcome.complaints
        assert complaint.startswith("error: there is no such file or folder, and no sample")
        assert hint in complaint
        assert outcome.status == 2

    def test_an_unknown_path_does_not(self, wattfront, tmp_path):
        (complaint,) = wattfront("check", tmp_path / "nine").complaints
        assert complaint == "error: nine: does not exist; check the path"

    def test_sizes_are_those_of_a_benchmark_without_them(self, wattfront, tmp_path):
        path = tmp_path / "u_c_hihi.0"
        path.write_text(TIMES)
        assert "give the sizes" in wattfront("check", path).err
        data = wattfront("check", path, "--sizes", 3, 2, "--json").data
        assert (data["tasks"], data["machines"]) == (3, 2)
        outcome = wattfront("check", path, "--sizes", 4, 2)
        assert outcome.status == 2
        assert "there are 6 times" in outcome.err

    def test_idle_power_is_a_share_of_the_mean_of_a_column(self, wattfront):
        solve = ("solve", "two-by-two", "--method", "paper", "--json")
        as_it_stands, idle = (wattfront(*solve, *more).data for more in ([], ["--idle-power", 0.5]))
        schedule = solve_system(load_sample("two-by-two"), method="paper").schedule
        waiting = idle["makespan"] - schedule.busy_seconds
        assert idle["makespan"] == as_it_stands["makespan"]
        assert idle["energy"] == pytest.approx(as_it_stands["energy"] + waiting @ [50, 15])

    def test_without_powers_there_is_no_such_mean(self, wattfront):
        refused = wattfront("solve", sample_folder("e1"), "--idle-power", 0.5)
        assert "has no APC matrix" in refused.err
        assert refused.status == 2
