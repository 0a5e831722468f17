"""The commands in a study file run, and find what the study holds."""

import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from strategies import names

from core.capabilities.profit import CAPABILITY as PROFIT
from core.capabilities.profit.program import most_profit, most_profit_of_part
from core.capabilities.profit.settings import ProfitSettings
from core.engines.front.study import Study
from core.engines.front.wish import Deadline
from core.engines.relaxed import trace_front
from core.files.samples.named import load_sample
from core.shells.cli import main
from core.shells.studies import Choice, StudySettings, commands, write_study
from core.vocabulary.prices.site import Site
from core.vocabulary.without_work import WithoutWork

IDLE = WithoutWork(0.1)


class TestCommands:
    def test_a_sample_goes_by_its_name_and_a_wish_by_its_flag(self, small: Study) -> None:
        choice = Choice(small.schedules[0], "soon", Deadline(7200.5))
        asked = StudySettings("nine", "nine", WithoutWork(0.2, 15.0), seconds=1.0, seed=7)
        assert commands(asked, choice) == [
            "wattfront front nine --method lp --spacing 0.01 --seconds 1 --threads 1 --seed 7 "
            "--idle-power 0.2 --asleep-watts 15",
            "wattfront solve nine --deadline 7200.5 --method lp --seconds 1 --threads 1 --seed 7 "
            "--idle-power 0.2 --asleep-watts 15",
        ]

    def test_without_a_front_there_is_none_of_what_needs_it(self) -> None:
        asked = StudySettings("mine", blocks=PROFIT.block(ProfitSettings(price=5.0)))
        assert len(commands(asked, None)) == 2
        assert commands(asked, None, has_front=False) == []

    def test_counted_work_is_counted_again(self, small: Study) -> None:
        choice = Choice(small.schedules[0], "soon", Deadline(7200.5))
        asked = StudySettings("nine", "nine", threads=4, work=3.5)
        front, solve = commands(asked, choice)
        assert front == "wattfront front nine --method lp --spacing 0.01 --work 3.5 --seed 0"
        assert solve == "wattfront solve nine --deadline 7200.5 --method lp --work 3.5 --seed 0"
        profit = ProfitSettings(ratio=1.5)
        front, found = commands(replace(asked, method="bound", blocks=PROFIT.block(profit)), None)
        assert front == "wattfront front nine --method bound --spacing 0.01 --seed 0"
        assert found.endswith("--work 3.5 --seed 0")

    @given(file=names())
    def test_any_other_system_is_read_from_the_file_whatever_its_name(self, file: str) -> None:
        (line,) = commands(StudySettings("mine"), None, file)
        word = shlex.split(line)[2]
        assert word.removeprefix("./") == file.removeprefix("./")
        assert not word.startswith("-")

    def test_they_run_and_find_the_same_front(
        self, small: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "study.json"
        write_study(small, StudySettings("mine", seconds=0.0, idle=WithoutWork(0.5)), path)
        (line,) = commands(StudySettings("mine", seconds=0.0), None, str(path))
        assert main([*shlex.split(line)[1:], "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["vertices"] == small.front.points.tolist()


class TestProfitCommands:
    """The settings of profit in a study, as `wattfront profit` takes them."""

    def run(self, asked: StudySettings, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
        answers = []
        for line in commands(asked, None)[1:]:
            assert main([*shlex.split(line)[1:], "--seconds", "0", "--json"]) == 0
            answers.append(json.loads(capsys.readouterr().out))
        return answers

    @pytest.mark.parametrize("electricity", ["kWh", "joule"])
    @pytest.mark.parametrize("by", ["ratio", "bag"])
    def test_they_run_and_find_the_same_profit(
        self,
        capsys: pytest.CaptureFixture[str],
        by: Any,
        electricity: Any,
    ) -> None:
        system = load_sample("testbed").with_idle_fraction(0.1)
        first, last = system.machine_types[0].name, system.machine_types[-1].name
        asked = ProfitSettings(
            by=by,
            ratio=1.5,
            price=0.5 if electricity == "kWh" else 5e6,
            electricity=electricity,
            site=Site(
                carbon=0.4,
                carbon_price=0.1,
                pue=1.2,
                cap_kw=0.4,
                day_tariff=((7.5, 0.4), (20.0, 0.2)),
            ),
            overhead=0.01,
            wear=((last, 0.02),),
            depreciation=((first, 0.01), (last, 0.03)),
        )
        front = trace_front(system)
        (found,) = self.run(StudySettings("t", "testbed", IDLE, blocks=PROFIT.block(asked)), capsys)
        bound = most_profit(system, asked.terms(front)).value
        per = 3600.0 if found["unit"] == "money per hour" else 1.0
        assert found["upper_bound"] == pytest.approx(per * bound, rel=1e-9)
        tariff = asked.site.day
        assert tariff is not None
        assert found["day"]["best"]["second"] in (0.0, 20 * 3600.0)

    def test_part_of_a_bag_is_one_of_its_own(self, capsys: pytest.CaptureFixture[str]) -> None:
        system = load_sample("testbed").with_idle_fraction(0.1)
        names = [task.name for task in system.task_types]
        asked = ProfitSettings(
            deadline=600.0, rewards=tuple((name, 1e-4) for name in names), site=Site(pue=1.2)
        )
        _, part = self.run(StudySettings("t", "testbed", IDLE, blocks=PROFIT.block(asked)), capsys)
        terms = asked.terms_at(0.0, system)
        bound = most_profit_of_part(system, terms, asked.rewards_in(system), 600.0)
        assert part["upper_bound"] == pytest.approx(3600 * bound.value, rel=1e-9)
