"""Rejected rows are counted by reason; some are kept, and some are examples."""

from pathlib import Path

import pytest

from core.engines.logs.reading import limits
from core.engines.logs.reading.rejections import Example, rejecting


def test_rows_are_counted_kept_and_shown_up_to_their_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "REJECTED_ROWS", 3)
    monkeypatch.setattr(limits, "EXAMPLES", 2)
    with rejecting(tmp_path) as rejections:
        rejections.count("step", 0)
        rejections.count("step", 2)
        rejections.count("step", 5)
        for line in range(1, 5):
            rejections.add("odd", "=log", line, b'a,"b\n\xff')
    assert rejections.counts == {"step": 7, "odd": 4}
    assert rejections.examples == {"odd": [Example("=log", k, 'a,"b\n\ufffd') for k in (1, 2)]}
    (file,) = tmp_path.iterdir()
    text = file.read_text(encoding="utf-8")
    assert text.partition("\n")[0] == "reason,log,line,row"
    assert text.partition("\n")[2] == "".join(
        f'odd,\'=log,{k},"a,""b\n\ufffd"\n' for k in (1, 2, 3)
    )


def test_of_a_long_row_the_beginning_is_kept(tmp_path: Path) -> None:
    with rejecting(tmp_path) as rejections:
        rejections.add("odd", "log", 1, b"x" * 10_000)
    (example,) = rejections.examples["odd"]
    assert example.text == "x" * len(example.text)
    assert 100 <= len(example.text) < 10_000
