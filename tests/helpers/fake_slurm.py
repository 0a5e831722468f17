"""A bash with a Slurm that only writes down what it is asked."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from patience import PATIENCE

FAKE = r"""#!/bin/bash
# Slurm's part in the tests: `jobs` has the jobs; `crash` says when to die, to refuse or to be late.
home=$FAKE_SLURM name=${0##*/} how='' when='' asked='' format=''
{ printf '%s\x1f' "$name" "$@" && echo; } >>"$home/calls"
if [ -e "$home/crash" ]; then read -r how when <"$home/crash"; fi
if [ "$how" = "$name" ]; then echo "$name: not today" >&2; exit 1; fi
for word; do
    case $word in --job-name=* | --name=*) asked=${word#*=} ;; --format=*) format=${word#*=} ;; esac
done
touch "$home/jobs"
mapfile -t jobs <"$home/jobs"
case $name in
sbatch)
    number=${#jobs[@]}
    if [ "$how $when" = "before $number" ]; then kill -KILL 0; fi
    { printf '%s\x1f' $((100 + number)) "$asked" "$@" && echo; } >>"$home/jobs"
    case "$how $when" in
    "after $number") kill -KILL 0 ;;
    "late $number") echo 'sbatch: error: Socket timed out on send/recv operation' >&2; exit 1 ;;
    esac
    if ((number % 2)); then echo $((100 + number))';cluster'; else echo $((100 + number)); fi ;;
squeue | sacct)
    if [ "$format" != %F ]; then echo 'another job|77'; fi
    if [ "$name" = squeue ] && [ -e "$home/forgotten" ]; then exit 0; fi
    for job in "${jobs[@]}"; do
        IFS=$'\x1f' read -r id there _ <<<"$job"
        if [ "$format" = %F ]; then
            if [ "$there" = "$asked" ]; then echo "$id"; fi
        elif [ "$name" = squeue ]; then
            echo "$there|$id"
        else
            printf '%s\n' "$there|${id}_0" "$there|${id}_[1-3%1]"
        fi
    done ;;
esac
"""


@dataclass(frozen=True)
class FakeSlurm:
    """`bash` runs a script beside a Slurm that writes down its calls and its jobs."""

    home: Path

    def bash(self, *words: object, **variables: str) -> "subprocess.CompletedProcess[str]":
        environment = {
            "PATH": f"{self.home / 'bin'}:{os.environ['PATH']}",
            "FAKE_SLURM": str(self.home),
            "LANG": "C.UTF-8",
            **variables,
        }
        return subprocess.run(
            ["bash", *map(str, words)],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
            start_new_session=True,
        )

    def crashes(self, *how: object) -> None:
        """When sbatch dies with its caller, "before" or "after" it has taken so many jobs; or
        answers too "late"; or the name of the command that fails.
        """
        (self.home / "crash").write_text(" ".join(map(str, how)))

    def is_well(self) -> None:
        (self.home / "crash").unlink(missing_ok=True)

    @property
    def jobs(self) -> list[dict[str, Any]]:
        """The id, the name and the arguments of each job."""
        return [
            {"id": int(number), "name": name, "words": words}
            for number, name, *words in self._lines("jobs")
        ]

    @property
    def calls(self) -> list[list[str]]:
        """The words of each call of a command."""
        return self._lines("calls")

    def _lines(self, name: str) -> list[list[str]]:
        path = self.home / name
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        return [line.split("\x1f")[:-1] for line in text.split("\n")[:-1]]


def fake_slurm(home: Path) -> FakeSlurm:
    """A Slurm in a new folder."""
    (home / "bin").mkdir(parents=True)
    for name in ("sbatch", "squeue", "sacct", "scancel"):
        path = home / "bin" / name
        path.write_text(FAKE)
        path.chmod(0o755)
    return FakeSlurm(home)
