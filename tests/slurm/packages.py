"""The packages of a real Slurm in Debian. As a program, it names those that are missing."""

import os
import shutil
import sys
from typing import Final

PROGRAMS: Final = {
    "munged": "munge",
    "mariadbd": "mariadb-server",
    "slurmdbd": "slurmdbd",
    "slurmctld": "slurmctld",
    "slurmd": "slurmd",
    "sbatch": "slurm-client",
}
"""A program of each package."""
PLACES: Final = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"))
"""Where programs are: also those of administrators."""


def missing_packages() -> list[str]:
    return [name for program, name in PROGRAMS.items() if not shutil.which(program, path=PLACES)]


if __name__ == "__main__":
    sys.stdout.write(" ".join(missing_packages()))
