"""The judge finds what cannot have happened to a job that was stopped."""

from dataclasses import replace

import pytest
from engines.replay.stopping.stopped_days import (
    GREEDY,
    LONG,
    MINUTE,
    Job,
    day,
    run,
)

from core.engines.replay.judge import judge_stated
from core.engines.replay.outcome import StatedOutcome

pytestmark = pytest.mark.usefixtures("kernels_interpreted")


class TestJudge:
    """What cannot have happened is found."""

    @pytest.fixture
    def stated(self) -> StatedOutcome:
        outcome = run(day([1], [LONG, Job(7, {0: 5}, 10)]), GREEDY, checkpoints=240.0)
        return StatedOutcome.of(outcome)

    @pytest.mark.parametrize(
        ("column", "row", "value", "said"),
        [
            ("start", 1, 360.0, "before the end of the part before it"),
            ("end", 0, 500.0, "1 units, but"),
            ("option", 1, 1, "no option of this job"),
        ],
    )
    def test_of_parts(self, stated, column, row, value, said):
        values = getattr(stated, column).copy()
        values[row] = value
        problems = judge_stated(replace(stated, **{column: values})).problems
        assert any(said in problem.message for problem in problems), problems

    @pytest.mark.parametrize(
        ("name", "value", "said"), [("kept", 420.0, "may be kept"), ("lead", 30.0, "going on")]
    )
    def test_of_what_is_kept(self, stated, name, value, said):
        values = getattr(stated.parts, name).copy()
        values[0 if name == "kept" else 1] = value
        parts = stated.parts._replace(**{name: values})
        problems = judge_stated(replace(stated, parts=parts)).problems
        assert any(said in problem.message for problem in problems), problems

    @pytest.mark.parametrize(
        ("rule", "said"),
        [({"most_stops": 0}, "more stops"), ({"least_run": 9 * MINUTE}, "the least run")],
    )
    def test_of_stops(self, stated, rule, said):
        wrong = replace(stated, stopping=replace(stated.stopping, **rule))
        problems = judge_stated(wrong).problems
        assert any(said in problem.message for problem in problems), problems

    def test_parts_without_notes_are_refused(self, stated):
        """Nobody would know what may be kept: a part could claim that nearly all was done."""
        (problem,) = judge_stated(replace(stated, stopping=None)).problems
        assert problem.column == "part"
        assert "give the notes beside the outcome" in problem.message

    @pytest.mark.parametrize(
        ("row", "column", "value", "said"),
        [
            (1, "option", 1, "is not that of the part before, of which something is kept"),
            (0, "estimated_end", 600.0, "is a part after the one that ended the job"),
            (0, "end", 660.0, "is after the job would have ended"),
        ],
    )
    def test_of_parts_in_two_pools(self, row, column, value, said):
        jobs = [Job(0, {0: 10, 1: 10}, 1), Job(0, {1: 60}, 3), Job(7, {0: 5}, 10)]
        stated = StatedOutcome.of(run(day([1, 1], jobs), GREEDY, checkpoints=240.0))
        values = getattr(stated, column).copy()
        values[row] = value
        problems = judge_stated(replace(stated, **{column: values})).problems
        assert any(said in problem.message for problem in problems), problems
