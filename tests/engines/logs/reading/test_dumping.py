"""The commands to copy are the same in documents as in pages and messages."""

import shlex

from checkout import CHECKOUT

from core.engines.logs.reading.recognising import almost_a_log
from core.engines.logs.reading.sacct import SACCT
from core.engines.logs.types.node_listing import SINFO


def test_documents_have_the_commands_word_for_word() -> None:
    said = (CHECKOUT / "docs" / "logs.md").read_text(encoding="utf-8")
    assert f"\n    {SACCT}\n" in said
    assert f"\n    {SINFO}\n" in said


def test_a_dump_without_times_is_told_the_command() -> None:
    assert almost_a_log(b"JobID|JobName|State\n1|a|COMPLETED\n").endswith(SACCT)


def test_sacct_is_asked_for_more_than_this_day() -> None:
    assert any(word.startswith("--starttime=") for word in shlex.split(SACCT))
