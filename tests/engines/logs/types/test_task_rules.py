"""A rule gives each run a task type, and says what it means."""

import numpy as np
import pytest
from log_stores import dump, store_of, swf

from core.engines.logs.reading import limits
from core.engines.logs.types.rule_parts import MOST_PARTS, NOT_KEPT, UNKNOWN, RuleRefused
from core.engines.logs.types.task_rules import task_rule


def types(rule: str, *logs: str) -> list[str | None]:
    with store_of(*logs) as store:
        made = task_rule(rule, store)
        (block,) = store.blocks(made.columns)
        return [made.name(key) if key >= 0 else None for key in made.keys(block).tolist()]


ROWS = (
    {"JobName": "sort_1", "Account": "a", "AllocCPUS": 1, "ReqMem": "1G"},
    {"JobName": "sort_2", "Account": "", "AllocCPUS": 2, "ReqMem": "1025M"},
    {"JobName": "md", "Account": "a", "AllocCPUS": 3, "ReqMem": ""},
    {"JobName": "", "Account": "b", "AllocCPUS": 4, "ReqMem": "1M"},
)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("name", ["sort_1", "sort_2", "md", "(none)"]),
        ("stem", ["sort", "sort", "md", "(none)"]),
        ("account", ["a", "(none)", "a", "b"]),
        ("column:account", ["a", "(none)", "a", "b"]),
        ("pattern:[a-z]+", ["sort", "sort", "md", None]),
        ("pattern:_(.)|(m)", ["1", "2", "m", None]),
        ("size", ["1 core 1 GiB", "2 cores 2 GiB", "4 cores", "4 cores 1 GiB"]),
        ("stem+account", ["sort, a", "sort, (none)", "md, a", "(none), b"]),
        ("account+pattern:o+|d", ["a, o", "(none), o", "a, d", None]),
        (" account + stem ", ["a, sort", "(none), sort", "a, md", "b, (none)"]),
        ("account+stem+size", None),
    ],
)
def test_each_rule_names_the_types_of_runs(rule: str, expected: list[str | None] | None) -> None:
    found = types(rule, dump(*ROWS))
    assert found == (
        expected or [f"{a}, {b}, {c}" for a, b, c in zip(*parts_of(rule), strict=True)]
    )


def parts_of(rule: str) -> list[list[str | None]]:
    return [types(part, dump(*ROWS)) for part in rule.split("+")]


def test_gpus_are_part_of_the_size() -> None:
    log = dump(*({"AllocTRES": f"cpu=4,gres/gpu={gpus}", "ReqMem": ""} for gpus in (1, 3)))
    assert types("size", log) == ["4 cores 1 GPU", "4 cores 4 GPUs"]


def test_numbers_of_swf_are_names_and_minus_one_is_none() -> None:
    log = swf({14: 7}, {14: 8}, {14: -1})
    assert types("application", log) == ["7", "8", "(none)"]


def test_names_that_are_not_kept_are_told_from_no_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MANY_VALUES", 512)
    rows = [{"JobName": f"j{chr(97 + k % 26)}{chr(97 + k // 26)}x"} for k in range(676)]
    with store_of(dump(*rows)) as store:
        for rule, some_have_none in (("name", False), ("size+pattern:jb", True)):
            made = task_rule(rule, store)
            (block,) = store.blocks(made.columns)
            keys = made.keys(block)
            lost = block["name"] == -1
            assert lost.sum() > 100
            assert np.all(keys[lost] == NOT_KEPT)
            assert np.any(keys[~lost] == UNKNOWN) == some_have_none


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("", "a part of the rule is blank"),
        ("name+", "a part of the rule is blank"),
        ("colour", "'colour' is no column of this log; its columns are name, state, nodelist"),
        ("column:elapsed", "is no column of this log"),
        ("name+name+name+name", "more than 3 parts; leave some out"),
        ("clusters:1", "give 2 to 50 clusters"),
        ("clusters:x", "give 2 to 50 clusters"),
        ("clusters:", "all jobs asked for the same resources"),
        ("pattern:(", "no regular expression"),
        ("<b>", "'<b>' is no column"),
    ],
)
def test_a_rule_that_cannot_be_used_says_why(rule: str, message: str) -> None:
    with store_of(dump({})) as store, pytest.raises(RuleRefused, match=message):
        task_rule(rule, store)


def test_numbers_of_texts_fit_into_a_part_of_a_key() -> None:
    assert limits.MANY_VALUES**MOST_PARTS < 2**63
