"""Every command but `dashboard` runs with the packages of `pip install .` and no others."""

import subprocess
import sys
from pathlib import Path

import pytest
from checkout import CHECKOUT

COMMANDS = """
samples
check two-by-two
solve two-by-two --seconds 0 -o schedule.csv
verify two-by-two schedule.csv
front two-by-two --seconds 0 --study study.json
report study.json -o study.html
profit two-by-two --price 1 --energy-price 0 --seconds 0
provision e1 --scenarios 2
replay small-day --policy max-upr --no-bound
stretch morning
sweep two-by-two --over idle=0:1:0.5 -o sweep.parquet
export two-by-two schedule.csv --to slurm -o batch
derive LOG --min-runs 1 -o derived.json
generate -o drawn.zip --tasks 20 --machines 10
convert two-by-two two.xlsx
"""
ALONE = """
import sys
from importlib import import_module
from importlib.metadata import distribution, packages_distributions
from pkgutil import walk_packages

from packaging.requirements import Requirement

from core.shells.cli.commands.dashboard import NEEDED

installed, to_ask = {"wattfront", "setuptools"}, ["wattfront"]
while to_ask:
    for line in distribution(to_ask.pop()).requires or ():
        needed = Requirement(line)
        name = needed.name.lower().replace("_", "-")
        if name not in installed and (not needed.marker or needed.marker.evaluate({"extra": ""})):
            installed.add(name)
            to_ask.append(name)
hidden = {
    module
    for module, brought in packages_distributions().items()
    if installed.isdisjoint(name.lower().replace("_", "-") for name in brought)
}
assert hidden.issuperset(NEEDED) and hidden.isdisjoint({"numpy", "highspy", "pyarrow"})
for name in set(hidden) & set(sys.modules):
    del sys.modules[name]
sys.modules.update(dict.fromkeys(hidden))  # an import of these fails

import core
from core.shells.cli.entry import main

for module in walk_packages(core.__path__, "core."):
    if not module.name.endswith("cp_sat_process"):  # a program of the extra cp-sat
        import_module(module.name)
for line in sys.stdin.read().split("\\n"):
    words = line.split()
    if words:
        print(words[0], main(words), file=sys.stderr)
"""


@pytest.mark.thorough
def test_every_command_but_one_runs_without_streamlit_and_plotly(tmp_path: Path) -> None:
    log = CHECKOUT / "tests" / "engines" / "logs" / "dumps" / "real" / "parsable2.txt"
    lines = COMMANDS.replace("LOG", str(log)) + "dashboard"
    command = [sys.executable, "-c", ALONE]
    done = subprocess.run(
        command, input=lines, capture_output=True, text=True, cwd=tmp_path, check=True
    )
    for line in lines.split("\n")[1:-1]:
        assert f"{line.split()[0]} 0\n" in done.stderr
    assert "dashboard 2\n" in done.stderr
    assert "needs streamlit and plotly and starlette" in done.stderr
