"""Every reader is linear in its input: 32 times as much of anything hostile takes at most about 32
times the processor time, and by no means a thousand times.
"""

import io
import time
import zipfile
from collections.abc import Callable
from typing import Final

import pytest

from core.files import inspect_schedule_bytes
from core.files.samples.named import load_sample
from dashboard.workspace.upload import Upload

SIZE: Final = 1_000
MORE: Final = 32
MOST: Final = 180
"""Between 32 times and 32 x 32 times: five times as much as the one, a fifth of the other."""

Make = Callable[[int], bytes]


def of(form: str) -> Make:
    """So many bytes of one thing, between what stands around it: "before{repeated}after"."""
    before, _, rest = form.partition("{")
    unit, _, after = rest.rpartition("}")
    return lambda n: (before + unit * (n // len(unit)) + after).encode()


def not_utf8(make: Make) -> Make:
    """The same with a byte in front of it that is not UTF-8."""
    return lambda n: b"\xe9" + make(n)


TEXTS: Final[dict[str, Make]] = {
    "digits in a line": of("a,b\nT,{1}"),
    "accents": of("a,b\nT,{é}"),
    "accents, not UTF-8": not_utf8(of("a,b\nT,{é}")),
    "blanks in a line": of("a,b\nT,{ }x"),
    "blank lines": of("a,b\n{\n}T,1"),
    "lines that are short": of("a,b,c\n{T\n}"),
    "wide and ragged": lambda n: b"a" + b",M" * (n // 4) + b"\n" + b"a\n" * (n // 4),
    "quotation marks doubled": of('a,b\n"T{""}x'),
    "quotation marks open line by line": of('a,b\n{a","x\n}'),
    "signs": of("a,b\nT,{+-}"),
    "thousands": of("a,b\n{T,1'000\n}"),
    "groups without end": of("a;b\nT;{1,}"),
    "apostrophes": of("a,b\n{'}=T,1"),
    "units": of("a,b\n{T,12 seconds\n}"),
    "times in one line": of("3 4\n{12 }"),
    "blanks between sizes": of("3{ }x\n1"),
}
PASTED: Final = ("blanks in a line", "quotation marks doubled", "wide and ragged")
DOCUMENTS: Final[dict[str, Make]] = {
    "lists in lists": of('{"a": {[}'),
    "digits of a whole number": of('{"etc": [[{1}]]}'),
    "blanks before a colon": of('{"format"{ }"wattfront-study"}'),
    "types of one name": lambda n: (
        b'{"format": "wattfront-system", "version": 1, "machine_types": [{"name": "M", "count": 1}]'
        b', "etc": [' + b"[1]," * (n // 26) + b'[1]], "task_types": ['
        b'{"name": "T", "count": 1}' + b', {"name": "T", "count": 1}' * (n // 26) + b"]}"
    ),
}


def book(parts: dict[str, bytes]) -> bytes:
    """A workbook of one sheet, some parts of it given."""
    kind = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    usual = {
        "[Content_Types].xml": b"<Types/>",
        "_rels/.rels": b'<Relationships><Relationship Id="a" Type="%b/officeDocument" '
        b'Target="xl/workbook.xml"/></Relationships>' % kind,
        "xl/workbook.xml": b'<workbook xmlns:r="%b"><sheets><sheet name="etc" r:id="s"/></sheets>'
        b"</workbook>" % kind,
        "xl/_rels/workbook.xml.rels": b'<Relationships><Relationship Id="s" Type="%b/worksheet" '
        b'Target="sheet.xml"/><Relationship Id="t" Type="%b/sharedStrings" Target="texts.xml"/>'
        b'<Relationship Id="f" Type="%b/styles" Target="styles.xml"/></Relationships>'
        % (kind, kind, kind),
        "xl/sheet.xml": SHEET % b"",
        "xl/texts.xml": b"<sst/>",
        "xl/styles.xml": b"<styleSheet/>",
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in (usual | parts).items():
            archive.writestr(name, content)
    return stream.getvalue()


SHEET: Final = (
    b'<worksheet><sheetData><row r="1"><c t="inlineStr"><is><t>x</t></is></c><c t="inlineStr"><is>'
    b"<t>M</t></is></c></row>%b</sheetData></worksheet>"
)


def in_part(name: str, form: bytes, make: Make) -> Make:
    return lambda n: book({name: form % make(n)})


def in_sheet(make: Make) -> Make:
    return in_part("xl/sheet.xml", SHEET, make)


def shared(n: int) -> bytes:
    """Many cells of one long text."""
    cells = b'<c t="s"><v>0</v></c>' * (n // 40)
    texts = b"<sst><si><t> " + b"x" * (n // 2) + b" </t></si></sst>"
    rows = SHEET % (b"<row>" + cells + b"</row>") + b""
    header = rows.replace(b"</row>", cells + b"</row>", 1)
    return book({"xl/texts.xml": texts, "xl/sheet.xml": header})


WORKBOOKS: Final[dict[str, Make]] = {
    "rows far beside": in_sheet(of('{<row><c r="ZZ1"><v>1</v></c></row>}')),
    "elements in elements": in_sheet(of("{<a>}")),
    "one text in many cells": shared,
    "runs of a text": in_part(
        "xl/texts.xml", b"<sst><si>%b</si></sst>", of("{<r><t>x_x0041_</t></r>}")
    ),
    "brackets of a format": in_part(
        "xl/styles.xml", b'<styleSheet><numFmt formatCode="%b"/></styleSheet>', of("{[}")
    ),
}


def archive(n: int) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as opened:
        for k in range(n // 100):
            opened.writestr(f"t{k}.csv", b"a,b\nT,1\n")
    return stream.getvalue()


def seconds(read: Callable[[bytes], object], data: bytes) -> float:
    """The processor time that reading takes, the least of some."""
    taken = []
    for _ in range(2):
        begun = time.process_time()
        read(data)
        taken.append(time.process_time() - begun)
    return min(taken)


def upload(data: bytes) -> object:
    return Upload.read("a.csv", data)


def paste(data: bytes) -> object:
    return Upload.pasted(data.decode(), data.decode())


def document(data: bytes) -> object:
    return Upload.read("a.json", data)


TWO_BY_TWO: Final = load_sample("two-by-two")


def schedule(data: bytes) -> object:
    return inspect_schedule_bytes("s", data, TWO_BY_TWO)


CASES: Final[dict[str, tuple[Callable[[bytes], object], Make]]] = {
    **{name: (upload, make) for name, make in (TEXTS | WORKBOOKS).items()},
    **{f"{name}, pasted": (paste, TEXTS[name]) for name in PASTED},
    **{name: (document, make) for name, make in DOCUMENTS.items()},
    "files of an archive": (upload, archive),
    "lines of a schedule": (schedule, of("a,b\n{T,1\n}")),
}


@pytest.mark.thorough
@pytest.mark.parametrize("case", CASES)
def test_a_file_is_read_in_time_that_grows_as_it_does(case: str) -> None:
    read, make = CASES[case]
    assert seconds(read, make(MORE * SIZE)) < MOST * seconds(read, make(SIZE))
