"""The process in which a part of a case is measured: `python -m benchmarks.process CASE PART`.

The last line that it prints is JSON: what was measured, and the memory that it took.
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
    """Bytes: the most that this process ever held, or one that it started, whichever is more.

    On Linux the high-water mark of this program alone; `ru_maxrss` would count what the process
    held before the program began.
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
