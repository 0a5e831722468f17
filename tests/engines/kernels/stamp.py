"""Whether a kernel has changed since all of them ran with every index checked (`make bounds`).

Ends with status 0 if none has. `--write` notes in `checked.txt` that they have run as they are now.
"""

import ast
import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[3]
CHECKED: Final = Path(__file__).with_name("checked.txt")
DECORATORS: Final = ("Kernel", "InPlaceKernel")


def kernels() -> Iterator[tuple[str, str]]:
    """All functions that numba compiles: "path:function" and the source of each."""
    for folder in ("core", "dashboard", "benchmarks"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            if any(f"@{name}\n" in source for name in DECORATORS):
                for node in ast.walk(ast.parse(source)):
                    if isinstance(node, ast.FunctionDef) and any(
                        ast.unparse(decorator) in DECORATORS for decorator in node.decorator_list
                    ):
                        text = ast.get_source_segment(source, node)
                        yield f"{path.resolve()}:{node.name}", text or ""


def stamp(sources: Iterable[str]) -> str:
    """A digest of the sources of kernels, in whatever files they are, and the version of numba."""
    told = "\n\n".join([version("numba"), *sorted(sources)])
    return sha256(told.encode()).hexdigest() + "\n"


if __name__ == "__main__":
    now = stamp(source for _, source in kernels())
    if "--write" in sys.argv:
        CHECKED.write_text(now, encoding="utf-8")
    elif not CHECKED.is_file() or CHECKED.read_text(encoding="utf-8") != now:
        sys.exit("A kernel has changed since all ran with every index checked.")
