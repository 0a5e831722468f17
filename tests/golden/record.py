"""Records anew what people get, after a change that was meant: `python -m golden.record`, with
`tests` and the project on PYTHONPATH.

With a folder, `python -m golden.record FOLDER`, whole texts go there, nothing as a digest: made of
two commits on one computer, the folders show how these differ.

The same comes of it on any computer, but for the last digits of numbers; what more depends on them
is in `OF_ONE_COMPUTER`, and goes to such folders alone. Python's own words (argparse, json) differ
from version to version: what is in `WORDED_BY_PYTHON` holds for the version `PYTHON` alone.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from golden import commands, mistakes, pages
from golden.transcript import Transcript

RECORDED: Final = Path(__file__).parent / "recorded"
TRANSCRIPTS: Final[dict[str, Callable[[Transcript], None]]] = {
    "help": commands.helps,
    "samples": commands.samples,
    "check": commands.check,
    "solve": commands.solve,
    "schedules": commands.schedules,
    "exports": commands.exports,
    "runs": commands.runs,
    "wishes": commands.wishes,
    "front": commands.front,
    "study": commands.studied,
    "study-larger": commands.studied_larger,
    "profit": commands.profit,
    "sweeps": commands.sweeps,
    "provision": commands.provision,
    "profit-part": commands.part_of_a_bag,
    "profit-study": commands.profit_studied,
    "foreign-names": commands.foreign_names,
    "convert": commands.convert,
    "generate": commands.generate,
    "replays": commands.replays,
    "stretches": commands.stretches,
    "switch-off": commands.sleeping,
    "workloads": commands.workloads,
    "wrong-tables": mistakes.wrong_tables,
    "wrong-files": mistakes.wrong_files,
    "wrong-studies": mistakes.wrong_studies,
    "wrong-lines": mistakes.wrong_lines,
    "page-addresses": pages.addresses,
    "page-files": pages.files,
    "page-profit": pages.earnings,
    "page-compare": pages.comparisons,
}
OF_ONE_COMPUTER: Final = {"polished": commands.polished}
WORDED_BY_PYTHON: Final = ("help", "wrong-files", "wrong-lines", "wrong-studies")
PYTHON: Final = (3, 11)


def transcript(typed: Callable[[Transcript], None], *, whole: bool = False) -> str:
    with Transcript(whole) as it:
        typed(it)
        return it.text


def path_of(name: str, folder: Path = RECORDED) -> Path:
    return folder / f"{name}.txt"


def record(folder: Path, *, whole: bool) -> None:
    folder.mkdir(exist_ok=True)
    for name, typed in (TRANSCRIPTS | (OF_ONE_COMPUTER if whole else {})).items():
        path_of(name, folder).write_text(transcript(typed, whole=whole), encoding="utf-8")


if __name__ == "__main__":
    record(Path(sys.argv[1]) if sys.argv[1:] else RECORDED, whole=bool(sys.argv[1:]))
