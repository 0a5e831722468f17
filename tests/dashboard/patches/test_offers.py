"""A file that a page offers can be had while the page is drawn anew, by whomever else too."""

from types import SimpleNamespace

import pytest
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from dashboard.patches import offers
from dashboard.patches.offers import Offers


class Sessions:
    """Sessions that draw in turn, each as Streamlit does."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.files = MemoryMediaFileStorage("/media")
        self.offers = Offers(self.files)
        self.now = 0.0
        self._drawing = "nobody"
        context = lambda: SimpleNamespace(session_id=self._drawing)  # noqa: E731
        monkeypatch.setattr(offers, "get_script_run_ctx", context)
        monkeypatch.setattr("streamlit.runtime.media_file_manager._get_session_id", self._name)
        monkeypatch.setattr("time.monotonic", lambda: self.now)

    def draw(self, session: str, content: bytes | None = None) -> str:
        """A whole page, which perhaps offers a file; its name."""
        self._drawing = session
        self.offers.clear_session_refs()
        name = "" if content is None else self.offer(content)
        self.offers.remove_orphaned_files()
        return name

    def offer(self, content: bytes) -> str:
        return self.offers.add_deferred(lambda: content, "text/csv", "0.1", "plan.csv")

    def take(self, name: str) -> bytes:
        return self.fetch(self.offers.execute_deferred(name))

    def fetch(self, url: str) -> bytes:
        file = self.files.get_file(url.removeprefix("/media/"))
        assert (file.mimetype, file.filename) == ("text/csv", "plan.csv")
        return file.content

    def _name(self) -> str:
        return self._drawing


@pytest.fixture
def sessions(monkeypatch: pytest.MonkeyPatch) -> Sessions:
    return Sessions(monkeypatch)


def test_an_offer_stands_while_its_page_is_drawn_anew(sessions: Sessions) -> None:
    old = sessions.draw("mine", b"old")
    for _ in range(3):
        new = sessions.draw("mine", b"new")
        assert sessions.take(old) == b"old"
        assert sessions.take(new) == b"new"


@pytest.mark.parametrize("drawn", ["another", "mine", None])
def test_an_offer_stands_however_often_others_draw_and_ends_with_its_page(
    sessions: Sessions, drawn: str | None
) -> None:
    mine, other = sessions.draw("mine", b"mine"), sessions.draw("another", b"another's")
    if drawn is None:
        sessions.offers.clear_session_refs("mine")
    for _ in range(4 if drawn == "mine" else 3 if drawn else 0):
        sessions.draw(drawn or "")
    assert sessions.take(other) == b"another's"
    if drawn == "another":
        assert sessions.take(mine) == b"mine"
    else:
        with pytest.raises(MediaFileStorageError):
            sessions.take(mine)


def test_a_file_made_can_be_fetched_for_a_while(sessions: Sessions) -> None:
    url = sessions.offers.execute_deferred(sessions.draw("mine", b"mine"))
    for _ in range(5):
        sessions.draw("another")
    sessions.now = 60.0
    sessions.draw("another")
    assert sessions.fetch(url) == b"mine"
    sessions.now += 1.0
    sessions.draw("another")
    with pytest.raises(MediaFileStorageError):
        sessions.fetch(url)


def test_a_file_made_once_more_can_be_fetched_as_long_again(sessions: Sessions) -> None:
    name = sessions.draw("mine", b"mine")
    sessions.take(name)
    sessions.now = 60.0
    url = sessions.offers.execute_deferred(name)
    sessions.now += 60.0
    sessions.draw("another")
    assert sessions.fetch(url) == b"mine"


def test_only_bytes_are_files(sessions: Sessions) -> None:
    sessions.draw("mine")
    name = sessions.offers.add_deferred(lambda: "text", "text/csv", "0.1")
    with pytest.raises(TypeError, match="not as str"):
        sessions.offers.execute_deferred(name)
