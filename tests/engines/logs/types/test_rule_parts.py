"""Texts get numbers, and keep them; a million of them stay packed."""

import numpy as np
import pytest

from core.engines.logs.reading import limits
from core.engines.logs.types.rule_parts import Labels


def test_equal_texts_have_equal_numbers() -> None:
    labels = Labels()
    assert labels.numbers(["b", "", "näh", "b"]).tolist() == [0, 1, 2, 0]
    assert labels.numbers(["a", "näh"]).tolist() == [3, 2]
    assert labels.numbers([]).tolist() == []
    assert [*labels] == ["b", "", "näh", "a"]
    assert (labels[0], labels[-1], labels[1:3]) == ("b", "a", ["", "näh"])
    with pytest.raises(IndexError):
        labels[4]


@pytest.mark.parametrize("count", [(1 << 14) - 1, 1 << 14, (1 << 14) + 1])
def test_lookups_hold_wherever_texts_are_numbered_together(count: int) -> None:
    labels = Labels()
    texts = [None if k % 5 == 0 else f"t{k % 7}" for k in range(count)]
    found = labels.lookup(texts, count)
    assert len(found) == count + 1
    assert found[-1] == -3
    assert [None if k < 0 else labels[k] for k in found[:-1]] == texts
    assert np.unique(found[:-1]).tolist() == [-1, 0, 1, 2, 3, 4, 5, 6]


def test_texts_beyond_the_limit_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MANY_VALUES", 512)
    labels = Labels()
    found = labels.lookup((f"t{k}" for k in range(600)), 600)
    assert found.tolist() == [*range(512), *[-3] * 89]
    assert labels[511] == "t511"
