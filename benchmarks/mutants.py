"""Makes faults in chosen rooms, and counts how many the tests notice.

`python -m benchmarks.mutants FILE ...` tries every fault of these modules, and lists those that no
test notices. `equivalents.toml` lists faults that change nothing, each with its reason.
"""

import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.case import Case, Part, Section, Target
from benchmarks.faults import KERNELS, Fault, compiled_with, faults
from benchmarks.report import percent, table, whole
from benchmarks.trial import Outcome, Trial

ROOT: Final = Path(__file__).parents[1]
ROOMS: Final[Mapping[str, tuple[str, ...]]] = {
    "words": ("core/vocabulary/say/words.py",),
    "verify": ("core/engines/verify",),
    "relaxed": ("core/engines/relaxed",),
    "recover": ("core/engines/recover",),
    "front": ("core/engines/front", "core/vocabulary/plane", "core/engines/patterns"),
    "profit": ("core/capabilities/profit",),
    "logs": tuple(
        f"core/engines/logs/reading/{module}.py"
        for module in (
            *("layout", "limits", "logs", "odd_rows", "recognising", "rejections", "rows"),
            *("run_tables", "sacct", "sacct_json", "store", "streams", "swf"),
        )
    ),
    "runs": ("core/engines/logs/types", "core/engines/logs/pairs"),
    "derive": ("core/capabilities/derive", "core/engines/logs/derived"),
    "operations": ("core/engines/operations",),
    "batch": ("core/engines/slurm",),
    "export": ("core/capabilities/export",),
    "compare-run": ("core/capabilities/compare_run",),
    "files": ("core/files",),
    "arrivals": tuple(
        f"core/capabilities/arrivals{folder}" for folder in ("", "/files", "/made", "/uncertain")
    ),
    "dashboard": (
        *(f"dashboard/parts/{folder}" for folder in ("charts", "fields", "opening", "taking")),
        "dashboard/workspace",
    ),
}
"""Files, and folders without their subfolders. Logs are without their kernels, whose tests take
long if these are interpreted, and the dashboard is without its pages, whose tests open them.
"""
SAMPLE: Final = 100
"""Faults tried in each room. A measured share of 90 % is then right to within 3 to 6 points."""
SEEDS: Final = 10**6
"""Each measurement has a seed of its own: tests that were mended by a draw would flatter it."""
LEAST: Final = 0.9
EQUIVALENTS: Final = Path(__file__).with_name("equivalents.toml")
EQUIVALENT: Final = "equivalent"


def modules(*paths: str) -> list[Path]:
    """The given files, and the files in the given folders."""
    there = [ROOT / path for path in paths]
    return [
        file for path in there for file in ([path] if path.is_file() else sorted(path.glob("*.py")))
    ]


def tests_of(module: Path, root: Path) -> tuple[str, ...]:
    """The test files that mirror a module (those of a package have its name). If there are none,
    those of its folder that import it, and those of the neighbouring modules that do; else all
    tests of the folder.
    """
    parts = module.parent.relative_to(root).parts
    folder = root.joinpath("tests", *parts)
    if not folder.is_dir():  # tests of `core` have no folder of that name around them
        folder = root.joinpath("tests", *parts[1:])
    name = ".".join(module.relative_to(root).with_suffix("").parts)
    stem = module.parent.name if module.stem == "__init__" else module.stem
    found = _named(stem, folder) or [
        *_importing(name, folder, "test_*.py"),
        *(t for user in _importing(name, module.parent, "*.py") for t in _named(user.stem, folder)),
    ]
    return tuple(map(str, dict.fromkeys(found))) or (str(folder),)


def _importing(name: str, folder: Path, files: str) -> list[Path]:
    """The files of a folder that import something from a module."""
    line = f"from {name} import"
    return [file for file in sorted(folder.glob(files)) if line in file.read_text(encoding="utf-8")]


def _named(stem: str, folder: Path) -> list[Path]:
    return [*folder.glob(f"test_{stem}.py"), *sorted(folder.glob(f"test_{stem}_*.py"))]


def equivalents() -> dict[tuple[str, str], str]:
    """Why a fault changes nothing, by the module and the fault in words."""
    listed = tomllib.loads(EQUIVALENTS.read_text(encoding="utf-8"))
    return {(each["module"], each["fault"]): each["why"] for each in listed["equivalent"]}


def tried(chosen: Iterable[tuple[Path, Fault]], root: Path) -> Iterator[tuple[str, str]]:
    """The result of each fault, and the fault in words with its place."""
    known = equivalents()
    trials: dict[tuple[tuple[str, ...], bool], Trial] = {}
    for module, fault in chosen:
        place = f"{module.relative_to(root)}:{fault.line} {fault}"
        if (module.stem, str(fault)) in known:
            yield EQUIVALENT, place
            continue
        source = module.read_text(encoding="utf-8")
        kernels = any(f"@{kernel}\n" in source for kernel in KERNELS)
        tests, interpreted = tests_of(module, root), fault.compiled and kernels
        if (tests, interpreted) not in trials:
            trials[tests, interpreted] = Trial.prepare(root, tests, interpreted=interpreted)
        code = compiled_with(source, fault.number, str(module))
        yield trials[tests, interpreted].of(module, code), place


def measure(room: str, quick: bool) -> dict[str, Any]:
    """The number of faults of a room, and the results of a sample of them."""
    there = [
        (module, fault)
        for module in modules(*ROOMS[room])
        for fault in faults(module.read_text(encoding="utf-8"))
    ]
    size = min(3 if quick else SAMPLE, len(there))
    seed = int(np.random.default_rng().integers(SEEDS))
    drawn = np.random.default_rng(seed).choice(len(there), size, replace=False)
    outcomes: Counter[str] = Counter()
    survived = []
    for outcome, place in tried((there[index] for index in sorted(drawn.tolist())), ROOT):
        outcomes[outcome] += 1
        if outcome == Outcome.SURVIVED:
            survived.append(place)
            print(f"  {place}", file=sys.stderr, flush=True)
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "seed": seed,
        "faults": len(there),
        "outcomes": outcomes,
        "survived": survived,
    }


def score(outcomes: Mapping[str, int]) -> float:
    """The share of faults noticed, without those that change nothing."""
    noticed = outcomes.get(Outcome.KILLED, 0) + outcomes.get(Outcome.TIMED_OUT, 0)
    return noticed / max(noticed + outcomes.get(Outcome.SURVIVED, 0), 1)


def tell(measured: Mapping[str, Any]) -> Section:
    kinds = [*Outcome, EQUIVALENT]
    rows = [
        [
            ", ".join(f"`{path}`" for path in ROOMS[room]),
            result["date"],
            str(result["seed"]),
            whole(result["faults"]),
            *(whole(result["outcomes"].get(kind, 0)) for kind in kinds),
            percent(score(result["outcomes"])),
        ]
        for room, result in measured.items()
    ]
    return Section(
        [
            Target(f"noticed in {room}", score(result["outcomes"]), LEAST, percent, at_least=True)
            for room, result in measured.items()
        ],
        "\n\n".join(
            [
                "Comparisons off by their limit or reversed, numbers off by one or by ten times, "
                "wrong operators, the wrong one of two opposites, conditions turned round, "
                "statements and arguments left out, constants returned: one at a time. Only the "
                "tests that mirror the module are run (where there are none, those of its users), "
                "with kernels interpreted where these are changed. Up to "
                f"{SAMPLE} faults of a room are drawn by chance, others each time. A trial that "
                "takes more than two times the processor's time of the tests without a fault, and "
                "2 s, has timed out, which is noticed, too. Equivalent are those that change "
                "nothing, listed with "
                "their reasons in `benchmarks/equivalents.toml`.",
                table(
                    ["Room", "Tried on", "Seed", "Faults", *map(str.capitalize, kinds), "Noticed"],
                    rows,
                ),
            ]
        ),
    )


def main(*paths: str) -> None:
    there = [
        (module, fault)
        for module in modules(*paths)
        for fault in faults(module.read_text(encoding="utf-8"))
    ]
    outcomes: Counter[str] = Counter()
    for outcome, place in tried(there, ROOT):
        outcomes[outcome] += 1
        if outcome == Outcome.SURVIVED:
            print(place, flush=True)
    print(", ".join(f"{count} {outcome}" for outcome, count in outcomes.items()))
    print(f"{percent(score(outcomes))} noticed")


CASE: Final = Case(
    "Faults put in by hand",
    {room: Part(partial(measure, room), ours=False) for room in ROOMS},
    tell,
)

if __name__ == "__main__":
    main(*sys.argv[1:])
