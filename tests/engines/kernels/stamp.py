"""Whether kernels are as they were when all ran with every index checked (`make bounds`).

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


def code() -> list[str]:
    """The modules that have kernels and those that they import, without docstrings: constants that
    are compiled into kernels, and what makes the arrays beside them.
    """
    found = {Path(place.rpartition(":")[0]) for place, _ in kernels()}
    for path in sorted(found):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("core."):
                module = ROOT.joinpath(*str(node.module).split("."))
                named = [module.with_suffix(".py"), *(module / f"{a.name}.py" for a in node.names)]
                found.update(one.resolve() for one in named if one.is_file())
    return [_without_words(path.read_text(encoding="utf-8")) for path in sorted(found)]


def _without_words(source: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value = ast.Constant(None)
    return ast.unparse(tree)


def stamp(sources: Iterable[str]) -> str:
    """A digest of sources, in whatever files they are, and the version of numba."""
    told = "\n\n".join([version("numba"), *sorted(sources)])
    return sha256(told.encode()).hexdigest() + "\n"


if __name__ == "__main__":
    now = stamp(code())
    if "--write" in sys.argv:
        CHECKED.write_text(now, encoding="utf-8")
    elif not CHECKED.is_file() or CHECKED.read_text(encoding="utf-8") != now:
        sys.exit("A kernel, or its module, has changed since all ran with every index checked.")
