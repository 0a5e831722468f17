"""What a command answers, as a terminal would show it."""

from core.shells.cli.entry import main


def ran(capsys, *words: object) -> tuple[int, str, str]:
    """The exit code of `wattfront` with these words, what it says, and what it warns of."""
    status = main([str(word) for word in words])
    captured = capsys.readouterr()
    return status, captured.out, captured.err
