"""`python -m benchmarks [CASE ...]`: measures, and updates results.json and RESULTS.md.

Cases that are not named keep their results, and so do parts of a case that are not named.
"""

import argparse
import json
from pathlib import Path
from typing import Final

from benchmarks.case import CASES, WHEN_NAMED, load
from benchmarks.harness import run
from benchmarks.report import markdown

KEPT: Final = Path(__file__).with_name("results.json")
TOLD: Final = Path(__file__).with_name("RESULTS.md")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)}")
    parser.add_argument("--part", nargs="+", default=[], help="only these parts of one case")
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--quick", action="store_true", help="measure small inputs, and only print the results"
    )
    how.add_argument("--tell", action="store_true", help="measure nothing, only write RESULTS.md")
    arguments = parser.parse_args()
    unknown = set(arguments.cases) - set(CASES)
    if unknown:
        parser.error(f"no case {', '.join(sorted(unknown))}; there are {', '.join(CASES)}")
    usual = [name for name in CASES if name not in WHEN_NAMED]
    chosen = [name for name in CASES if name in arguments.cases] or usual
    command = " ".join(["python -m benchmarks", *arguments.cases])
    cases = {name: load(name) for name in CASES}
    parts = set(arguments.part)
    if parts and (len(chosen) > 1 or parts - set(cases[chosen[0]].parts)):
        parser.error("--part names parts of one case, as RESULTS.md shows them under Process")
    if arguments.quick:
        outcomes = {
            name: run(name, command=f"{command} --quick", quick=True, only=parts) for name in chosen
        }
        # A chapter needs all parts of its case.
        print(json.dumps(outcomes, indent=1) if parts else markdown(cases, outcomes))
        return
    outcomes = json.loads(KEPT.read_text(encoding="utf-8"))
    for name in [] if arguments.tell else chosen:
        measured = run(name, command=command, quick=False, only=parts)
        before = outcomes[name]["parts"] if parts and name in outcomes else {}
        outcomes[name] = measured | {"parts": before | measured["parts"]}
        KEPT.write_text(json.dumps(outcomes, indent=1) + "\n", encoding="utf-8")
    TOLD.write_text(markdown(cases, outcomes), encoding="utf-8")


if __name__ == "__main__":
    main()
