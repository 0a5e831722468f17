"""Texts on disk are as those in memory."""

from pathlib import Path

import numpy as np
import pytest

from core.engines.logs.reading.store import StoredTexts

TEXTS = [b"a", b"", "näh".encode(), "näh".encode("latin-1"), b"x" * 998 + "ä".encode()[:1]]


def stored(folder: Path, texts: list[bytes]) -> StoredTexts:
    file = folder / "values"
    file.write_bytes(b"".join(texts))
    return StoredTexts(file, np.cumsum([0, *map(len, texts)]))


def test_texts_are_read_one_by_one_and_all_together(tmp_path: Path) -> None:
    texts = stored(tmp_path, TEXTS)
    assert [*texts] == ["a", "", "näh", "näh", "x" * 998 + "Ã"]
    assert [texts[k] for k in range(len(texts))] == [*texts]
    assert (texts[-2], texts[1:3]) == ("näh", ["", "näh"])
    with pytest.raises(IndexError):
        texts[5]


@pytest.mark.parametrize("count", [0, (1 << 14) - 1, 1 << 14, (1 << 14) + 1])
def test_many_texts_are_read_in_parts(tmp_path: Path, count: int) -> None:
    texts = stored(tmp_path, [b"%d" % k for k in range(count)])
    assert [*texts] == [str(k) for k in range(count)]


def test_a_text_that_was_cut_off_ends_with_a_whole_character(tmp_path: Path) -> None:
    cut = ("x" * 999 + "ä").encode()[:1000]
    assert stored(tmp_path, [cut])[0] == "x" * 999
