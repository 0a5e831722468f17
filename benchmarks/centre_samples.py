"""The recipe that wrote the files of the centre `parasol`, but for its README.

`python -m benchmarks.centre_samples sample_data` writes them again, byte for byte. The committed
files are what counts: jobs are drawn from a seed, and a later NumPy may draw others. The centre
`london` was written by hand.
"""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Final

from core.capabilities.centre.files.centre_file import CentreFile
from core.capabilities.centre.files.centre_writer import write_centre
from core.capabilities.centre.made import made_day

BEGINS: Final = 1_782_025_200.0
"""21 June 2026, 7:00 UTC."""


def parasol_day() -> CentreFile:
    """A morning with few jobs, under a target with a hill."""
    return CentreFile.of_day(replace(made_day("small", "g1", "C", 1), begins=BEGINS))


def main(folder: str) -> None:
    """Write the files into the folder of all samples."""
    write_centre(parasol_day(), Path(folder) / "centres" / "parasol")


if __name__ == "__main__":
    main(sys.argv[1])
