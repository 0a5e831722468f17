"""What is loaded with a page is out of the garbage collector's sight from then on."""

import gc

from dashboard.memory import settle


def test_a_page_settles_once():
    before = gc.get_freeze_count()
    kept = [[] for _ in range(1000)]
    settle("a page of this test")
    after = gc.get_freeze_count()
    assert after >= before + len(kept)
    more = [[] for _ in range(1000)]
    settle("a page of this test")
    assert gc.get_freeze_count() <= after
    gc.unfreeze()
    del more
