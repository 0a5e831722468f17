"""Whatever an address says, the page is there: what cannot be read is ignored, in few words."""

from itertools import cycle

import pytest
from pages import Open, html

from dashboard.pages import PAGES
from dashboard.workspace import address, trade_off_settings
from dashboard.workspace.page_state import all_parameters
from dashboard.workspace.parameters import Parameters

HOSTILE = {
    "huge": "1e308",
    "beyond": "1e400",
    "not a number": "nan",
    "negative": "-1",
    "digits": "9" * 100_000,
    "markup": "<script>alert(1)</script>**x** [a](javascript:1) $x$",
    "100 kB": "a" * 100_000,
    "words": " ".join(f"w{number}" for number in range(10_000)),
    "pairs": " ".join(f"{number}:1" for number in range(10_000)),
    "empty": "",
    "control characters": "\0\r\n\x1b[31m",
}
NAMES = sorted(address.SYSTEM | all_parameters())


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
def test_every_reader_takes_every_value(value: str) -> None:
    given = dict.fromkeys(NAMES, value)
    _, notes = address.read(given)
    _, more = trade_off_settings.read(given)
    assert all(len(note) < 1_000 for note in (*notes, *more))
    assert len(notes) + len(more) <= 2 * len(NAMES)


def test_a_list_of_choices_complains_once() -> None:
    reader = Parameters({"show": HOSTILE["words"]})
    assert reader.choices("show", ("vertices",)) == ()
    assert len(reader.notes) == 1


@pytest.mark.parametrize(("view", "kind"), [*zip([page.folder for page in PAGES], cycle(HOSTILE))])
def test_a_page_is_there_with_few_words(open_page: Open, view: str, kind: str) -> None:
    """All pages read all that is said, whichever is open: each kind once is enough."""
    # Streamlit ignores an address of more than half a million characters.
    value = HOSTILE[kind][: 300_000 // len(NAMES)]
    strangers = {f"stranger{number}": value for number in range(20)}
    page = open_page(view, **(dict.fromkeys(NAMES, value) | strangers))
    assert not page.error
    assert "<script>" not in html(page)
    assert "were ignored" in page.warning[0].value
    (notes,) = (one.value for one in page.get("html") if " more</li></ul>" in one.value)
    assert notes.count("<li>") == 11
    assert len(html(page)) < 30_000
