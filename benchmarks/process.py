"""Measures a part of a case in its own process: `python -m benchmarks.process CASE PART`.

The last line that it prints is JSON: the measurements and the peak memory.
"""

import json
import platform
import resource
import sys
from pathlib import Path

from benchmarks.case import load


def main(case: str, part: str, *options: str) -> None:
    measured = load(case).parts[part].measure("--quick" in options)
    print(json.dumps({"measured": measured, "peak_memory": peak_memory()}))


def peak_memory() -> int:
    """The peak memory (bytes) of this process, or of one that it started if that is more.

    On Linux it is the peak of this program alone; `ru_maxrss` would include what the process used
    before the program began.
    """
    unit = 1 if platform.system() == "Darwin" else 1024
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
        own = int(status.split("VmHWM:")[1].split()[0]) * 1024
    except FileNotFoundError:
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit)


if __name__ == "__main__":
    main(*sys.argv[1:])
