"""What a log is shows in its first lines; where it is none, the remedy is said."""

import pytest

from core.engines.logs.reading import recognising
from core.engines.logs.reading.layout import Form
from core.engines.logs.reading.limits import ROW_BYTES
from core.engines.logs.reading.recognising import almost_a_log, end_of_header, recognise
from core.engines.logs.reading.sacct import layout_of
from core.files.findings import Unreadable

SACCT = b"JobID|Elapsed|State\n1|00:00:05|CD\n"
SWF = b"; Version: 2\n" + b" ".join([b"1"] * 18) + b"\n"
RUNS = b"task,machine,seconds\na,b,1\n"
FIXED = b"JobID    Elapsed      State\n----- ---------- ----------\n1       00:00:05  COMPLETED\n"


@pytest.mark.parametrize(
    ("data", "name", "form", "begin"),
    [
        (SACCT, "sacct", Form.SEPARATED, 20),
        (b"a warning\n\n" + SACCT, "sacct", Form.SEPARATED, 31),
        (FIXED, "sacct", Form.COLUMNS, 56),
        (SWF, "swf", Form.WORDS, 0),
        (RUNS, "runs", Form.SEPARATED, 21),
        (b"note\n" + RUNS, "runs", Form.SEPARATED, 26),
        (SACCT[:19], "sacct", Form.SEPARATED, 19),
    ],
)
def test_formats(data: bytes, name: str, form: Form, begin: int) -> None:
    found = recognise(data, None, final=True)
    assert found is not None
    assert (found.format, found.layout.form, found.begin) == (name, form, begin)
    assert recognise(data, name, final=True) == found  # type: ignore[arg-type]


def test_more_is_asked_for_until_there_are_twenty_lines() -> None:
    assert recognise(SACCT, None, final=False) is None
    assert recognise(SACCT + b"1|00:00:05|CD\n" * 17, None, final=False) is None
    assert recognise(SACCT + b"1|00:00:05|CD\n" * 18, None, final=False) is not None


def test_the_header_begins_in_the_first_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognising, "_BYTES", 100)
    assert recognise(b"x" * 98 + b"\n" + SACCT, None, final=True) is not None
    with pytest.raises(Unreadable, match="is not recognised"):
        recognise(b"x" * 99 + b"\n" + SACCT, None, final=True)


def test_a_line_without_end_is_waited_for_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognising, "ROW_BYTES", 50)
    monkeypatch.setattr(recognising, "_BYTES", 100)
    assert recognise(b"x" * 150, None, final=False) is None
    with pytest.raises(Unreadable, match=r"^begins with a line of more than 50 bytes; give"):
        recognise(b"x" * 151, None, final=False)


NO_HEADER = "has no header; dump it again without --noheader"
NOT_SWF = "is not recognised; give an SWF log, which has 18 numbers on each line"
NOT_RUNS = "is not recognised; give a table with the columns task, machine and seconds"
NOT_KNOWN = f"is not recognised; give {recognising._WANTED[None]}"


@pytest.mark.parametrize(
    ("data", "wanted", "said"),
    [
        (b"", None, "is empty; give a log with its rows"),
        (b"\n \n", None, "is empty; give a log with its rows"),
        (b"1|a|COMPLETED\n", None, NO_HEADER),
        (b" 1_2,a\n", "sacct", NO_HEADER),
        (b"1|a|COMPLETED\n", "runs", NOT_RUNS),
        (b"JobID|Elapsed\r1|00:00:05\r", None, recognising._LONE_RETURNS),
        (b"1|a|COMPLETED\r2|a|COMPLETED", None, recognising._LONE_RETURNS),
        (b"; Version: 2\r1 2 3\r", "swf", recognising._LONE_RETURNS),
        (b"x" * ROW_BYTES, None, NOT_KNOWN),
        (
            b"x" * (ROW_BYTES + 1),
            "swf",
            NOT_SWF.replace("is not recognised", "begins with a line of more than 1,048,576 bytes"),
        ),
        (b"hello\n", None, NOT_KNOWN),
        (SACCT[:19] + b"|x" * 997, None, NOT_KNOWN),
        (SACCT[:19] + b"|x" * 998, None, "has more than 1,000 columns; dump it again with fewer"),
        (RUNS, "swf", NOT_SWF),
        (SACCT, "runs", NOT_RUNS),
        (b"JobID|JobName|State\n1|a|b\n", "swf", NOT_SWF),
    ],
)
def test_what_is_no_log_is_refused(data: bytes, wanted: object, said: str) -> None:
    with pytest.raises(Unreadable) as refused:
        recognise(data, wanted, final=True)  # type: ignore[arg-type]
    assert str(refused.value) == said


def test_a_dump_without_times_is_told_from_other_texts() -> None:
    for lines in (b"JobID|JobName|State\n1|a|b\n", b"note\nJobID JobName State\n"):
        with pytest.raises(Unreadable, match=r"^has no column Elapsed; dump it again"):
            recognise(lines, None, final=True)


def test_what_is_almost_a_log_is_told_from_other_tables() -> None:
    """Issue 33, point 11: a dump without header is no table of jobs."""
    dump = b"7|train|COMPLETED|00:05:00\n8_1|train|FAILED|00:00:01\n"
    assert almost_a_log(dump) == "has no header; dump it again without --noheader"
    assert almost_a_log(b"JobID|JobName|State\n").startswith("has no column Elapsed")
    assert almost_a_log(b",".join([b"1"] * 18)).startswith("has commas between its numbers")
    for other in (b"", b"0,60\n5,70\n", b"arrival,seconds\n1,2\n", SACCT, SWF, b"\0\1"):
        assert almost_a_log(other) == ""


def test_headers_in_the_middle() -> None:
    layout = layout_of([b"JobID,Elapsed,State,x", b""])
    assert layout is not None
    assert (layout.cells, end_of_header(b"1\n2\n3\n", 0, layout)) == (4, 2)
    assert layout_of([b"1|00:00:05|CD", b""]) is None
    fixed = layout_of(FIXED.splitlines()[:2])
    assert fixed is not None
    assert [end_of_header(b"1\n2\n3\n", at, fixed) for at in (0, 2, 4)] == [4, 6, 6]
