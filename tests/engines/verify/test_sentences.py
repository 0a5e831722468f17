"""What the judge says of a fault, word for word: what is wrong, where, and what to do."""

from collections.abc import Callable

import pytest
from claims import Claim, Stated, claim, sample, stated

from core.engines.verify.judge import verify, verify_stated
from core.engines.verify.verdict import Verdict


def said(verdict: Verdict) -> list[str]:
    return [f"{p.row} | {p.column} | {p.message}" for p in verdict.problems]


def change(name: str, row: int, value: float) -> Callable[[Claim], None]:
    def spoil(c: Claim) -> None:
        getattr(c.timeline, name)[row] = value

    return spoil


def lose_tasks(c: Claim) -> None:
    c.tasks[0] -= 1


def move_to_where_it_cannot_run(c: Claim) -> None:
    c.tasks[1, 1] -= 1
    c.tasks[3, 1] += 1


def add_machines(c: Claim) -> None:
    c.machines[0] += 1


CLAIMED: list[tuple[Callable[[Claim], None], list[str]]] = [
    (
        lambda c: setattr(c, "makespan", 9.0),
        [" | makespan | is said to be 9 s, but adds up to 8 s"],
    ),
    (
        lambda c: setattr(c, "energy_if_known", None),
        [" | energy | is said to be unknown, but adds up to 740 J"],
    ),
    (
        lambda c: setattr(c, "tasks", c.tasks[:, :1]),
        [" |  | its groups are not for this system; make the schedule again"],
    ),
    (
        change("machines", 0, 1),
        [
            "A #1 | machine | block 1 is on 1 machines from here, which are no group",
            "A #1 to #2 | count | the timeline has 0 tasks of type T2, but 2 are placed here",
            "A #1 to #2 | start | block 2, 6 to 7 s, leaves the machine waiting from 0 s",
        ],
    ),
    (
        change("first_machine", 3, 2),
        [
            "B #2 | count | the timeline has 4 tasks of type T1, but 0 are placed here",
            "B #1 | count | the timeline has 0 tasks of type T1, but 4 are placed here",
        ][::-1],
    ),
    (
        change("first_machine", 0, 3),
        [
            "A #3 | machine | block 1 is on 2 machines from here, which are no group",
            "A #1 to #2 | count | the timeline has 0 tasks of type T2, but 2 are placed here",
            "A #1 to #2 | start | block 2, 6 to 7 s, leaves the machine waiting from 0 s",
        ],
    ),
    (
        lose_tasks,
        [
            "T1 | count | 2 of 6 tasks are missing; add them",
            "T2 | count | 2 of 6 tasks are missing; add them",
            "A #1 to #2 | count | the timeline has 1 tasks of type T1, but 0 are placed here",
            "A #1 to #2 | count | the timeline has 2 tasks of type T2, but 1 are placed here",
            " | energy | is said to be 740 J, but adds up to 548 J",
        ],
    ),
    (
        move_to_where_it_cannot_run,
        [
            "B #2 | task_type | cannot run tasks of type T2; move these 1 to a machine that can",
            "A #3 | count | the timeline has 2 tasks of type T2, but 1 are placed here",
            "B #2 | count | the timeline has 0 tasks of type T2, but 1 are placed here",
            " | energy | is said to be 740 J, but adds up to 653 J",
        ],
    ),
    (
        add_machines,
        [
            "A | machines | 4 machines are there, but the system has 3; correct it",
            "T1 | count | 7 tasks are there, but the system has 6; remove 1",
            "T2 | count | 8 tasks are there, but the system has 6; remove 2",
        ],
    ),
]


@pytest.mark.parametrize(("spoil", "words"), CLAIMED)
def test_of_a_schedule(spoil: Callable[[Claim], None], words: list[str]) -> None:
    broken = claim(sample())
    spoil(broken)
    assert said(verify(broken, sample().system))[: len(words)] == words


STATED: list[tuple[Callable[[Stated], Stated], list[str]]] = [
    (
        lambda s: s.set(4, machine_type=2),
        [
            " | machine_type | block 5 is on machine type number 3, which is not there; correct it",
            "T2 | count | 2 of 6 tasks are missing; add them",
        ],
    ),
    (
        lambda s: s.set(4, machine=4),
        [
            "A #4 | machine | block 5 is on machine 4 of 1 to 3; correct the number",
            "T2 | count | 2 of 6 tasks are missing; add them",
        ],
    ),
    (
        lambda s: s.set(5, machine=3),
        [
            "B #3 | machine | block 6 is on machine 3 of 1 to 2; correct the number",
            "T1 | count | 4 of 6 tasks are missing; add them",
        ],
    ),
    (
        lambda s: s.set(4, task_type=2),
        [
            "A #3 | task_type | block 5 is of task type number 3, which is not there; correct it",
            "T2 | count | 2 of 6 tasks are missing; add them",
        ],
    ),
    (
        lambda s: s.set(5, count=0),
        [
            "B #1 | count | block 6 has 0 tasks; give 1 or more",
            "T1 | count | 4 of 6 tasks are missing; add them",
        ],
    ),
    (
        lambda s: s.set(5, count=2000),
        [
            "T1 | count | 2,002 tasks are there, but the system has 6; remove 1,996",
            "B #1 | end | block 6, 0 to 8 s, should last 4000 s for 2,000 tasks of type T1; "
            "correct its times or its count",
        ],
    ),
    (
        lambda s: s.set(0, start=-0.5, end=5.5),
        ["A #1 | start | block 1 starts at -0.5 s; give a time from 0 on"],
    ),
    (
        lambda s: s.set(3, end=5.0),
        ["A #2 | end | block 4 ends at 5 s; give a time after its start, 6 s"],
    ),
    (
        lambda s: s.set(3, start=5.5, end=6.5),
        [
            "A #2 | start | block 4, 5.5 to 6.5 s, starts before the block before it ends, 6 s",
        ],
    ),
    (
        lambda s: s.take([0, 1, 3, 2, 4, 5]),
        [
            "A #2 | start | block 4, 0 to 6 s, is listed after a later one; list blocks in the "
            "order run",
        ],
    ),
    (
        lambda s: s.set(4, machine_type=1, machine=1),
        [
            "B #1 | task_type | cannot run tasks of type T2; move these 2 to a machine that can",
            "B #1 | start | block 6, 0 to 8 s, starts before the block before it ends, 6 s",
        ],
    ),
    (lambda s: s.set(1, start=6.0, end=7.0), []),
    (lambda s: s.set(1, start=9.0, end=10.0), []),
]


@pytest.mark.parametrize(("spoil", "words"), STATED)
def test_of_the_rows_of_a_file(spoil: Callable[[Stated], Stated], words: list[str]) -> None:
    assert said(verify_stated(spoil(stated(sample())), sample().system)) == words
