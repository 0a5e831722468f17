"""XML parsed as a stream by expat; hostile documents are refused before they take memory.

Document types are refused, so no entity can be defined or expanded. Depth and the number of
different names are limited, because expat stores them.
"""

from collections.abc import Callable, Iterator
from typing import Final
from xml.parsers import expat

from core.files import limits
from core.files.findings import Unreadable

Attributes = dict[str, str]

_CHUNK: Final = 2**16
_DEPTH: Final = 100
_DIFFERENT_NAMES: Final = 10_000


def parse(
    content: bytes,
    start: Callable[[str, Attributes], object],
    end: Callable[[str], object] | None = None,
    text: Callable[[str], object] | None = None,
) -> None:
    """Call back for each element and text; names of elements have no namespace."""
    for _ in parsing(content, start, end, text):
        pass


def parsing(
    content: bytes,
    start: Callable[[str, Attributes], object],
    end: Callable[[str], object] | None = None,
    text: Callable[[str], object] | None = None,
) -> Iterator[None]:
    """`parse` in chunks, with a pause after each."""
    names: dict[str, str] = {}
    local: dict[str, str] = {}
    depth = declared = elements = 0

    def start_element(tag: str, attributes: Attributes) -> None:
        nonlocal depth, elements
        depth += 1
        elements += 1
        if depth > _DEPTH or len(names) > _DIFFERENT_NAMES or elements > limits.XML_ELEMENTS:
            raise _hostile("is too deep, or has too many names or elements")
        if tag not in local:
            local[tag] = tag.rpartition(" ")[2]
        start(local[tag], attributes)

    def end_element(tag: str) -> None:
        nonlocal depth
        depth -= 1
        if end:
            end(local[tag])

    def declare_namespace(*_: object) -> None:
        nonlocal declared
        declared += 1
        if declared > _DIFFERENT_NAMES:
            raise _hostile("has too many names")

    def declare_type(*_: object) -> None:
        raise _hostile("declares a document type")

    # UTF-8, whatever is declared: Excel always writes it, and expat knows few encodings.
    parser = expat.ParserCreate("utf-8", namespace_separator=" ", intern=names)
    parser.buffer_text = True
    parser.buffer_size = 2 * limits.CELL_CHARACTERS
    parser.StartElementHandler = start_element
    parser.EndElementHandler = end_element
    parser.StartNamespaceDeclHandler = declare_namespace
    parser.StartDoctypeDeclHandler = declare_type
    if text:
        parser.CharacterDataHandler = text
    view = memoryview(content)
    try:
        for position in range(0, len(content), _CHUNK):
            chunk = view[position : position + _CHUNK]
            parser.Parse(chunk, False)
            if position + len(chunk) - parser.CurrentByteIndex > limits.XML_TOKEN_BYTES:
                raise _hostile("has an endless tag")
            yield
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise Unreadable("is a damaged workbook: its XML is broken; save it again") from error
    yield


def _hostile(why: str) -> Unreadable:
    return Unreadable(f"is a hostile workbook: its XML {why}; save it again")
