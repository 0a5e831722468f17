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
        """The first job is stopped at 420 s and goes on at 780 s; its units are free at 450 s."""
        jobs = day([1], [LONG, Job(7, {0: 5}, 10)])
        costs = {"stop_seconds": 30.0, "resume_seconds": 20.0}
        return StatedOutcome.of(run(jobs, GREEDY, checkpoints=240.0, **costs))

    @pytest.mark.parametrize(
        ("column", "row", "value", "place", "said"),
        [
            ("start", 1, 360.0, 2, "is 360 s, before part 1 ends at 450 s; let it start then or"),
            (
                "end",
                1,
                900.0,
                2,
                "is 120 s after the start, but the job takes 380 s more: 600 s, of which 240 s "
                "were kept before, and 20 s until it goes on; correct the end, or add the part",
            ),
            (
                "end",
                0,
                20.0,
                1,
                "is 20 s, but the part starts at 0 s, and 30 s pass until its units are free; let "
                "it end at 30 s or later",
            ),
            (
                "end",
                0,
                690.0,
                1,
                "is 690 s, so the job was stopped at 660 s, but would have ended at 600 s; stop it "
                "before that, or give the part an estimated end",
            ),
            (
                "estimated_end",
                0,
                600.0,
                2,
                "is 780 s, but part 1 ended the job at 450 s; remove one of the two, or leave",
            ),
            ("option", 1, 1, 2, "is no option of this job, which has 1; give its number, from 1"),
            ("pool", 0, 7, 1, "is no pool of the workload, but option 1 of this job runs on p0; "),
        ],
    )
    def test_of_parts(self, stated, column, row, value, place, said):
        values = getattr(stated, column).copy()
        values[row] = value
        problems = judge_stated(replace(stated, **{column: values})).problems
        assert (f"1, part {place}", said) in [
            (problem.row, problem.message[: len(said)]) for problem in problems
        ], problems

    def test_a_part_that_goes_backwards_is_said_once(self, stated):
        """What it kept, and how soon it went on, would be below nothing."""
        values = stated.end.copy()
        values[0] = -5.0
        (problem,) = judge_stated(replace(stated, end=values)).problems
        assert problem.message.startswith("is -5 s, but the part starts at 0 s")

    @pytest.mark.parametrize(
        ("name", "row", "value", "said"),
        [
            (
                "kept",
                0,
                420.0,
                "is 420 s, but of the 420 s for which the job ran in this part, 240 s are kept; "
                "correct it",
            ),
            (
                "lead",
                1,
                30.0,
                "is 30 s, but the job goes on after 20 s (resume_seconds, 20 s, if anything is "
                "kept); correct it",
            ),
        ],
    )
    def test_of_what_is_kept(self, stated, name, row, value, said):
        values = getattr(stated.parts, name).copy()
        values[row] = value
        parts = stated.parts._replace(**{name: values})
        problems = judge_stated(replace(stated, parts=parts)).problems
        found = [(problem.row, problem.column, problem.message) for problem in problems]
        assert (f"1, part {row + 1}", name, said) in found, problems

    @pytest.mark.parametrize(
        ("rule", "column", "said"),
        [
            (
                {"most_stops": 0},
                "part",
                "is 1 and stopped, but most_stops is 0; leave out the stops that are too many",
            ),
            (
                {"least_run": 9 * MINUTE},
                "end",
                "is 450 s, so the job was stopped after 420 s, but least_run is 540 s; stop it "
                "later",
            ),
        ],
    )
    def test_of_stops(self, stated, rule, column, said):
        wrong = replace(stated, stopping=replace(stated.stopping, **rule))
        (problem,) = judge_stated(wrong).problems
        assert (problem.row, problem.column, problem.message) == ("1, part 1", column, said)

    def test_parts_without_notes_are_refused(self, stated):
        """Nobody would know what may be kept: a part could claim that nearly all was done."""
        (problem,) = judge_stated(replace(stated, stopping=None)).problems
        assert problem.column == "part"
        assert "give the notes (.toml) that were written beside the outcome" in problem.message

    @pytest.mark.parametrize(
        ("columns", "said"),
        [
            (("option",), "is p0, but option 2 of this job runs on p1; correct the pool or the"),
            (
                ("option", "pool"),
                "is 2 (on p1), but part 1 ran option 1 (on p0), and 240 s are kept; let it go on "
                "there, or keep 0 s",
            ),
        ],
    )
    def test_of_parts_in_two_pools(self, columns, said):
        jobs = [Job(0, {0: 10, 1: 10}, 1), Job(0, {1: 60}, 3), Job(7, {0: 5}, 10)]
        stated = StatedOutcome.of(run(day([1, 1], jobs), GREEDY, checkpoints=240.0))
        for column in columns:
            values = getattr(stated, column).copy()
            values[1] = 1
            stated = replace(stated, **{column: values})
        problems = judge_stated(stated).problems
        assert ("1, part 2", said) in [
            (problem.row, problem.message[: len(said)]) for problem in problems
        ], problems
