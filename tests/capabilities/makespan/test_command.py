"""`solve` gives a verified schedule, its bound and its gap; or says why it cannot."""

import io
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from examples import examples
from hypothesis import given
from strategies import systems
from studied import uneven

from core.capabilities.makespan import command
from core.capabilities.makespan.methods import METHODS, SolveProgress
from core.capabilities.makespan.solve import solve
from core.engines.rivals import MissingExtra
from core.engines.verify.judge import verify_stated
from core.files import inspect_schedule, write_system
from core.files.samples.named import load_sample
from core.shells.cli import progress
from core.vocabulary.problems import Problem

KEYS = [
    "method",
    "lower_bound",
    "makespan",
    "energy",
    "gap",
    "tasks",
    "machines",
    "seconds",
    "verified",
]
TWO = ("solve", "two-by-two", "--seconds", 0)
SUFFIXES = [".csv", ".json", ".xlsx"]


def test_in_words_bounds_are_rounded_down_and_what_a_schedule_takes_up(wattfront, tmp_path):
    write_system(uneven(), tmp_path / "uneven.json")
    said = wattfront("solve", tmp_path / "uneven.json", "--seconds", 0).out
    rows = dict(re.findall(r"^  (\S.*?)  +(\S.*)$", said, re.MULTILINE))
    assert (rows["Makespan"], rows["Energy"]) == ("100.1 s", "200.1 Wh")
    assert rows["Lower bound"] == "100 s"
    said = wattfront("solve", tmp_path / "uneven.json", "--minimise", "energy", "--seconds", 0).out
    assert ": All tasks take 100 Wh. No schedule can take less." in said


@pytest.mark.thorough
@pytest.mark.parametrize("wish", [(), ("--deadline", "50 min")])
def test_the_same_work_gives_the_same_again(wattfront, wish):
    first, second = (
        wattfront("solve", "nine", "--idle-power", 0.1, "--work", 0.1, *wish, "--json").data
        for _ in range(2)
    )
    assert first.pop("seconds")["polish"] > 0
    del second["seconds"]
    assert first == second


@pytest.mark.thorough
@pytest.mark.parametrize("method", METHODS)
def test_every_method_can_be_asked_for(wattfront, method):
    # CP-SAT ends once its schedule is proven best; in a short time it may find none.
    seconds = 60 if method == "cp-sat" else 0.2
    data = wattfront(
        "solve", "two-by-two", "--method", method, "--seconds", seconds, "--threads", 1, "--json"
    ).data
    assert (data["method"], data["verified"]) == (method, True)
    assert data["gap"] >= 0


def test_energy_can_be_minimised(wattfront):
    least = wattfront("solve", "nine", "--minimise", "energy", "--seconds", 0, "--json").data
    fastest = wattfront("solve", "nine", "--seconds", 0, "--json").data
    assert least["energy"] < fastest["energy"]
    assert least["makespan"] > fastest["makespan"]
    saved = least["energy"] / least["lower_bound"] - 1
    assert least["gap"] == pytest.approx(saved, abs=1e-12)


@examples(3)
@given(system=systems(dyadic=True))
def test_any_system_is_solved(wattfront, tmp_path_factory, system):
    path = tmp_path_factory.mktemp("any") / "system.json"
    write_system(system, path)
    outcome = wattfront("solve", path, "--method", "paper", "--json")
    assert outcome.status == 0
    assert outcome.data["verified"] is True
    assert outcome.data["tasks"] == system.tasks


class TestOutput:
    @pytest.mark.parametrize("suffix", SUFFIXES)
    def test_the_schedule_is_written_as_its_suffix_says(self, wattfront, tmp_path, suffix):
        path = tmp_path / f"schedule{suffix}"
        data = wattfront("solve", "nine", "--seconds", 0, "-o", path, "--json").data
        nine = load_sample("nine")
        verdict = verify_stated(inspect_schedule(path, nine).require(), nine)
        assert verdict.ok
        assert verdict.makespan == pytest.approx(data["makespan"], rel=1e-12)

    @pytest.mark.parametrize("name", ["s.txt", "s", "missing/s.csv"])
    def test_what_cannot_be_written_is_refused_before_the_work(
        self, wattfront, tmp_path, name, monkeypatch
    ):
        monkeypatch.setattr(command, "solve", None)
        outcome = wattfront("solve", "nine", "-o", tmp_path / name)
        (complaint,) = outcome.complaints
        assert "cannot be written" in complaint
        assert outcome.status == 2

    def test_a_schedule_that_is_wrong_is_neither_praised_nor_written(
        self, wattfront, tmp_path, monkeypatch
    ):
        def wrong(*arguments, **options):
            solution = solve(*arguments, **options)
            fault = Problem("schedule", "T1", "count", "1 of 6 tasks are missing; add them")
            return replace(solution, verdict=replace(solution.verdict, problems=(fault,)))

        monkeypatch.setattr(command, "solve", wrong)
        path = tmp_path / "s.csv"
        outcome = wattfront("solve", "two-by-two", "--seconds", 0, "-o", path, "--json")
        assert outcome.status == 1
        assert list(outcome.data) == KEYS
        assert outcome.data["verified"] is False
        assert "1 of 6 tasks are missing" in outcome.err
        assert not path.exists()
        assert "do not use this schedule" in wattfront("solve", "two-by-two", "--seconds", 0).out


class TestRefusals:
    @pytest.mark.thorough
    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["nine", "--method", "cp-sat", "--seconds", "0"], "needs time"),
            (["nine", "--method", "cp-sat", "--seconds", "1e-9"], "allow more seconds"),
        ],
    )
    def test_what_cannot_be_answered_is_one_message(self, wattfront, words, said):
        outcome = wattfront("solve", *words, "--json")
        (complaint,) = outcome.complaints
        assert said in complaint
        assert (outcome.status, outcome.data["ok"]) == (2, False)

    def test_a_missing_extra_is_named(self, wattfront, monkeypatch):
        def missing(*_, **__):
            raise MissingExtra("cp-sat needs OR-tools: pip install 'wattfront[cp-sat]'")

        monkeypatch.setattr(command, "solve", missing)
        outcome = wattfront("solve", "nine", "--method", "cp-sat")
        assert outcome.complaints == [
            "error: nine: cp-sat needs OR-tools: pip install 'wattfront[cp-sat]'"
        ]
        assert outcome.status == 2


class TestWishes:
    """Each is answered by a schedule; where none meets it, by the nearest, with a status of 3."""

    @pytest.mark.parametrize(
        ("flag", "amount", "asked"),
        [
            ("--deadline", "20s", 20),
            ("--energy-budget", "1.2kJ", 1200),
            ("--power-cap", "0.06kW", 60),
            ("--exchange-rate", "25", 25),
        ],
    )
    def test_it_is_met_with_a_proof(self, wattfront, flag, amount, asked):
        data = wattfront(*TWO, flag, amount, "--json").data
        wish = data["wish"]
        assert list(data) == [*KEYS, "wish"]
        assert (wish["kind"], wish["asked"], wish["possible"]) == (flag[2:], asked, "met")
        assert data["verified"] is True
        assert data["gap"] == wish["gap"] == wish["value"] / wish["bound"] - 1
        energy, makespan = data["energy"], data["makespan"]
        met, value = {
            "deadline": (makespan <= asked, energy),
            "energy-budget": (energy <= asked, makespan),
            "power-cap": (energy / makespan <= asked, makespan),
            "exchange-rate": (True, energy + 25 * makespan),
        }[wish["kind"]]
        assert met
        assert wish["value"] == pytest.approx(value)
        assert data["lower_bound"] == wish["bound"] <= value * (1 + 1e-9)

    def test_what_is_given_up_is_counted_from_the_ends(self, wattfront):
        data, fastest, thriftiest = (
            wattfront(*TWO, *more, "--json").data
            for more in (["--deadline", 20], ["--exchange-rate", 1e9], ["--deadline", "1h"])
        )
        wish = data["wish"]
        assert wish["slower_than_fastest"] == pytest.approx(data["makespan"] - fastest["makespan"])
        assert wish["dearer_than_thriftiest"] == pytest.approx(
            data["energy"] - thriftiest["energy"]
        )

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["--deadline", 5], "no schedule takes less than 10.79 s"),
            (["--energy-budget", "0.8kJ"], "no schedule takes less than 899.9 J"),
            (
                ["--power-cap", 1, "--idle-power", 0.1],
                "no schedule draws less than 39.99 W on average",
            ),
            (["--cost-budget", 1, "--energy-price", 7200], "no schedule takes less than 1.799"),
        ],
    )
    def test_the_impossible_is_proven_so(self, wattfront, tmp_path, words, said):
        path = tmp_path / "nearest.csv"
        outcome = wattfront(*TWO, *words, "-o", path, "--json")
        (complaint,) = outcome.complaints
        assert " The nearest schedule: " in complaint
        assert "Impossible: " in complaint
        assert said in complaint
        assert outcome.status == 3
        assert outcome.data["wish"]["possible"] == "no"
        assert outcome.data["lower_bound"] is outcome.data["gap"] is None
        system = load_sample("two-by-two")
        verdict = verify_stated(inspect_schedule(path, system).require(), system)
        assert verdict.makespan == pytest.approx(outcome.data["makespan"])

    def test_the_unknown_is_not_called_impossible(self, wattfront):
        outcome = wattfront(*TWO, "--deadline", 10.9, "--json")
        (complaint,) = outcome.complaints
        assert "it is not proven impossible" in complaint
        assert outcome.status == 3
        assert outcome.data["wish"]["possible"] == "unknown"
        assert outcome.data["wish"]["bound"] > 1390

    def test_money_is_joules_by_the_tariff(self, wattfront):
        data = wattfront(
            *TWO, "--cost-budget", 3, "--energy-price", 7200, "--carbon", 0.5,
            "--carbon-price", 100, "--pue", 1.2, "--json",
        ).data  # fmt: skip
        per_joule = 1.2 * (7200 + 0.5 * 100) / 3.6e6
        assert data["wish"]["cost"] == pytest.approx(per_joule * data["energy"])
        assert data["wish"]["cost"] <= 3
        assert data["wish"]["carbon"] == pytest.approx(1.2 * 0.5 * data["energy"] / 3.6e6)

    def test_what_contradicts_itself_is_refused_all_at_once(self, wattfront, monkeypatch):
        monkeypatch.setattr(command, "study", None)
        outcome = wattfront(
            "solve", "e1", "--deadline", 5, "--power-cap", 3, "--pue", 2, "--cost-budget", 1,
            "--minimise", "energy", "--method", "mct",
        )  # fmt: skip
        assert outcome.status == 2
        said = "\n".join(outcome.complaints)
        assert len(outcome.complaints) == 5
        for fault in (
            "makespan only",
            "more than one wish",
            "--energy-price",
            "--minimise",
            "no wish;",
        ):
            assert fault in said

    @pytest.mark.parametrize(
        "wish",
        [
            ("--deadline", "inf"),
            ("--deadline", "1e999"),
            ("--energy-budget", "1e400kWh"),
            ("--power-cap", "nan"),
            ("--exchange-rate", "inf"),
            ("--cost-budget", "inf", "--energy-price", 1),
            ("--cost-budget", 1, "--energy-price", 0),
        ],
    )
    def test_neither_infinity_nor_energy_for_nothing_is_a_wish(self, wattfront, wish):
        outcome = wattfront(*TWO, *wish)
        assert outcome.status == 2
        assert "give" in outcome.err

    def test_without_powers_there_is_nothing_to_trade(self, wattfront):
        outcome = wattfront("solve", "e1", "--deadline", 5)
        assert "has no APC matrix" in outcome.err
        assert outcome.status == 2

    @pytest.mark.parametrize("deadline", [20, 5])
    def test_a_study_that_is_wrong_is_not_written(
        self, wattfront, monkeypatch, tmp_path, study_that_is_wrong, deadline
    ):
        """Nobody knows then whether the wish can be met."""
        monkeypatch.setattr(command, "study", study_that_is_wrong)
        outcome = wattfront(*TWO, "--deadline", deadline, "-o", tmp_path / "s.csv")
        assert outcome.status == 1
        assert "independent check disagrees" in outcome.err
        assert "nothing was written" in outcome.out
        assert not (tmp_path / "s.csv").exists()


class Terminal(io.StringIO):
    def isatty(self):
        return True


class TestProgress:
    @pytest.mark.parametrize("stream", [Terminal, io.StringIO])
    def test_it_is_shown_on_a_terminal_only(self, wattfront, monkeypatch, stream):
        def reporting(*arguments, report, **options):
            if report:
                report(SolveProgress(0.5, 2.0, 0.0123))
            return solve(*arguments, **options)

        stderr = stream()
        monkeypatch.setattr(command, "solve", reporting)
        monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=stderr))
        outcome = wattfront("solve", "two-by-two", "--seconds", 0, "--json")
        shown = "0.5 of 2 s: at most 1.3 % above what any schedule could reach (proven)"
        assert (shown in stderr.getvalue()) == stderr.isatty()
        assert stderr.isatty() or not stderr.getvalue()
        assert outcome.data["verified"] is True
