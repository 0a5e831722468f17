"""A page as a browser would read it: sound, loading nothing, running nothing."""

import re
from html.parser import HTMLParser

VOID = {"meta", "br", "img", "link", "input", "hr"}
LOADING = {"src", "href", "srcset", "data", "action", "background", "poster", "xlink:href"}
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "header", "section", "h1", "h2", "h3"),
    *("p", "dl", "div", "dt", "dd", "ul", "li", "pre", "code", "bdi", "figure", "figcaption"),
    *("svg", "g", "clippath", "pattern", "rect", "path", "circle", "text"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)> & ]]> ' \" </style></title>"


class Markup(HTMLParser):
    """What a browser would make of it: tags that match, and the text between them."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.text: list[str] = []
        self.loads: list[str] = []
        self.handlers: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name in LOADING or "url(" in (value or "").replace("url(#box)", ""):
                self.loads.append(f"{tag} {name}={value}")
            if name.startswith("on"):
                self.handlers.append(name)
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open[-1:] == ["style"]:
            assert not re.search(r"url\((?!#)", data), "nothing from elsewhere"
            assert "@import" not in data
        self.text.append(data)

    @property
    def said(self) -> str:
        return " ".join("".join(self.text).split())


def checked(html: str) -> Markup:
    page = Markup(html)
    assert set(page.tags) <= TAGS
    assert page.loads == []
    assert page.handlers == []
    return page
