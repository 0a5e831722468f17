"""What runs under bounds checks is every kernel that there is, in `core` and `benchmarks`."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

EVERYTHING = Path(__file__).with_name("everything.py")
ROOT = Path(__file__).parents[2]
# Systems that suffice to reach every kernel in plain Python.
FEW = 8
SECONDS = 0.2


def kernels() -> Iterator[str]:
    """All functions that numba compiles: "path:function" of each."""
    for folder in ("core", "dashboard"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and any(
                    ast.unparse(decorator) == "Kernel" for decorator in node.decorator_list
                ):
                    yield f"{path.resolve()}:{node.name}"


def test_every_kernel_is_run() -> None:
    there = set(kernels())
    assert any(name.endswith("descent.py:_look_for_room") for name in there)
    ran = subprocess.run(
        [sys.executable, str(EVERYTHING), str(FEW), str(SECONDS)],
        capture_output=True,
        text=True,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
    )
    assert ran.returncode == 0, ran.stderr
    assert there - set(ran.stdout.splitlines()) == set()


def test_numba_compiles_nothing_else() -> None:
    using = {
        path.relative_to(ROOT).as_posix()
        for folder in ("core", "dashboard")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"^\s*(import|from) numba\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert using == {"core/engine/compiled.py"}
