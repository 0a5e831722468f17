"""Jobs in JSON have the cells that `sacct` writes without it."""

import json
from typing import Any

import pytest

from core.engines.logs.reading import limits
from core.engines.logs.reading.sacct_json import (
    _TITLES,
    JsonJobs,
    _amount,
    _is_cut_off,
    _state,
    _tres,
    begins_json,
)
from core.files.findings import Unreadable


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5, "5"),
        (5.0, "5"),
        (0.5, "0.5"),
        (0, "0"),
        ("12", "12"),
        ("x", ""),
        (True, ""),
        (None, ""),
        ({"set": True, "infinite": False, "number": 7}, "7"),
        ({"set": False, "number": 7}, ""),
        ({"infinite": True, "number": 7}, ""),
        ({"number": 7}, "7"),
        ([7], ""),
        (float("nan"), "nan"),
        *((value, "") for value in (2**32 - 2, 2**32 - 1, 2**63, 2**64 - 2, 2**64 - 1)),
        *((value, str(value)) for value in (2**32 - 3, 2**32, 2**32 + 2, 2**53 - 1)),
    ],
)
def test_amounts(value: Any, text: str) -> None:
    assert _amount(value) == text


def test_states_and_lists() -> None:
    assert _state({"current": ["COMPLETED", "X"]}) == "COMPLETED"
    assert _state({"current": "FAILED"}) == "FAILED"
    assert _state("TIMEOUT") == "TIMEOUT"
    assert _state(["A"]) == "A"
    assert _state([]) == _state(None) == _state({}) == ""
    entries = [
        {"type": "cpu", "count": 4},
        {"type": "mem", "count": 512},
        {"type": "gres", "name": "gpu", "count": 2},
    ]
    assert _tres(entries) == "cpu=4,mem=512M,gres/gpu=2"
    assert _tres(None) == ""


def taken(*parts: bytes) -> tuple[list[list[str]], JsonJobs]:
    jobs = JsonJobs()
    text = b"".join(jobs.take(part, final=k == len(parts) - 1) for k, part in enumerate(parts))
    rows = text.decode().splitlines()
    return [row.split("\x1f") if "\x1f" in row else row.split("|") for row in rows], jobs


def test_a_job_that_comes_in_parts_is_one() -> None:
    text = '{"jobs": [{"job_id": 1, "name": "é"}, {"job_id": 2}], "x": 1}'.encode()
    ones = [text[at : at + 1] for at in range(len(text))]
    for parts in (*([text[:cut], text[cut:]] for cut in range(len(text))), ones):
        rows, jobs = taken(*parts)
        assert (len(rows), jobs.jobs, jobs.cut_off) == (2, 2, "")
        assert [row[_TITLES.index("JobID")] for row in rows] == ["1", "2"]
        assert rows[0][_TITLES.index("JobName")] == "é"


def test_a_dump_that_ends_anywhere_has_its_whole_jobs() -> None:
    """The rest of a job is cut off, and not damaged: within a number, a word or an escape."""
    second = '{"job_id": 22, "name": "\\ud83d\\ude00\\n", "x": [true, -1.5e3]}'
    begin = '{"jobs": [{"job_id": 1}, '
    for end in range(len(begin), len(begin + second)):
        rows, jobs = taken((begin + second)[:end].encode())
        assert [row[0] for row in rows] == ["1"], end
        assert jobs.cut_off == second[: end - len(begin)], end
    for damage in ("!", '{"job_id": !, "name": "a name of more than twelve characters"}'):
        with pytest.raises(Unreadable, match="is damaged or cut off in job 2 "):
            taken(f"{begin}{damage}                ]}}".encode())


@pytest.mark.parametrize(("back", "cut"), [(0, True), (12, True), (13, False)])
def test_an_escape_of_twelve_characters_may_be_cut_off(back: int, cut: bool) -> None:
    text = "x" * 40
    assert _is_cut_off(json.JSONDecodeError("Invalid escape", text, 40 - back), text) == cut
    assert not _is_cut_off(ValueError("too large"), text)


def test_a_job_may_have_so_many_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = b'{"job_id": 1, "name": "'
    monkeypatch.setattr(limits, "JSON_JOB_CHARACTERS", len(begun))
    jobs = JsonJobs()
    assert jobs.take(b'{"jobs": [{"job_id": 7},' + begun, final=False)
    with pytest.raises(Unreadable, match="is damaged or cut off in job 2 "):
        jobs.take(b"x" * 40, final=False)


def test_the_list_of_jobs_is_looked_for_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [begins_json(data) for data in (b" \n{", b"JobID|{", b"")] == [True, False, False]
    monkeypatch.setattr(limits, "JSON_JOB_CHARACTERS", 10)
    jobs = JsonJobs()
    assert jobs.take(b"{" + b" " * 9, final=False) == b""
    with pytest.raises(Unreadable, match='has no list "jobs"'):
        jobs.take(b" ", final=False)


@pytest.mark.parametrize(
    ("more", "number"),
    [
        ({}, "13"),
        ({"array": {"job_id": 12, "task_id": 4}}, "12_4"),
        ({"array": {"job_id": 12, "task_id": {"set": True, "number": 0}}}, "12_0"),
        ({"array": {"job_id": 12, "task_id": None}}, "13"),
        ({"array": {"job_id": 0, "task_id": 4}}, "13"),
        ({"array": {"task_id": 4}}, "13"),
        ({"het": {"job_id": 12, "job_offset": 1}}, "12+1"),
        ({"het": {"job_id": 12}}, "12+0"),
        ({"het": {"job_id": 0, "job_offset": 1}, "array": {}}, "13"),
        ({"array": {"job_id": 12, "task_id": 4}, "het": {"job_id": 11}}, "12_4"),
    ],
)
def test_a_job_has_the_number_that_sacct_writes(more: dict[str, Any], number: str) -> None:
    rows, _ = taken(json.dumps({"jobs": [{"job_id": 13, **more}]}).encode())
    assert [row[0] for row in rows] == [number]


@pytest.mark.parametrize(
    ("step", "word", "joules"),
    [
        ({"step": {"id": "7.batch", "name": "batch"}}, "batch", ""),
        ({"step": {"id": {"job_id": 7, "step_id": "extern"}}}, "extern", ""),
        ({"step": {"id": {"step_id": 4294967290}}}, "interactive", ""),
        ({"step": {"id": {"step_id": 3}, "name": "batch"}}, "0", ""),
        ({"step": {"name": "batch"}}, "batch", ""),
        ({"step": {"name": "a.out"}}, "0", ""),
        ({"statistics": {"energy": {"consumed": 30}}, "tres": {}}, "0", "30"),
        ({"tres": {"consumed": {"total": [{"type": "cpu", "count": 1}]}}}, "0", ""),
        (
            {"tres": {"consumed": {"total": [{"type": "x"}, {"type": "energy", "count": 9}]}}},
            "0",
            "9",
        ),
    ],
)
def test_a_step_has_its_word_and_its_energy(step: Any, word: str, joules: str) -> None:
    rows, _ = taken(json.dumps({"jobs": [{"job_id": 13, "steps": [step]}]}).encode())
    assert (rows[1][0], rows[1][-1]) == (f"13.{word}", joules)
    assert set(rows[1][1:-1]) == {""}


def test_what_is_no_job_has_no_number() -> None:
    rows, _ = taken(b'{"jobs": [5, {"job_id": 1, "steps": [{"step": {"id": "1.batch"}}, 7]}]}')
    numbers = [row[_TITLES.index("JobID")] for row in rows]
    assert numbers == ["?", "1", "1.batch", "1.0"]
