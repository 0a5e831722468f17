"""Every link of the documents leads somewhere, every document is linked, and README shows what
happens.
"""

import re
from pathlib import Path

from checkout import CHECKOUT, text_of

from dashboard.pages import PAGES

DOCUMENTS = [
    *sorted(CHECKOUT.glob("*.md")),
    *sorted((CHECKOUT / "docs").rglob("*.md")),
    *sorted((CHECKOUT / "sample_data").rglob("*.md")),
]
LINK = re.compile(r"(?:\]\(|(?:src|srcset)=\")([^)\"\s]+)")
TOOK = re.compile(r"(?m)^  took .*$")


def anchors(document: Path) -> set[str]:
    """The anchors of its headings, as the site of a repository makes them."""
    text = re.sub(r"(?ms)^```.*?^```", "", text_of(document))
    found = (re.sub(r"[^\w\- ]", "", title.lower()) for title in re.findall(r"(?m)^#+ (.+)$", text))
    return {title.replace(" ", "-") for title in found}


def links(document: Path) -> list[tuple[Path, str]]:
    """The files that it links to, each with an anchor or none."""
    named = LINK.findall(text_of(document))
    parts = (link.partition("#") for link in named if "://" not in link)
    return [((document.parent / path if path else document).resolve(), at) for path, _, at in parts]


def test_every_link_leads_somewhere() -> None:
    for document in DOCUMENTS:
        for path, anchor in links(document):
            assert path.exists(), f"{document}: {path}"
            assert not anchor or anchor in anchors(path), f"{document}: {path}#{anchor}"


def test_every_document_is_reached_from_the_readme() -> None:
    reached, ahead = set(), [CHECKOUT / "README.md"]
    while ahead:
        document = ahead.pop()
        if document not in reached and document.suffix == ".md" and document.is_file():
            reached.add(document)
            ahead += [path for path, _ in links(document)]
    assert {path.resolve() for path in (CHECKOUT / "docs").rglob("*.md")} <= reached


def test_each_screen_has_its_document() -> None:
    screens = {path.stem for path in (CHECKOUT / "docs" / "screens").glob("*.md")}
    pages = {page.title.lower().replace(" ", "-") for page in PAGES}
    assert screens == {"README", "fair-shares", *pages}


def test_the_readme_is_short_and_shows_what_commands_print(wattfront, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = text_of(CHECKOUT / "README.md")
    assert 60 <= len(text.splitlines()) <= 80
    shown = re.findall(r"(?ms)^\$ wattfront (.+?)\n(.*?)(?=^\$ |^```)", text)
    assert len(shown) == 3
    for command, printed in shown:
        assert TOOK.sub("", wattfront(*command.split()).out) == TOOK.sub("", printed)
