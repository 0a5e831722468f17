"""What the tests of files share: systems given as the text of their tables."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.files import Reading, inspect_system

ReadTables = Callable[..., Reading]


@pytest.fixture
def read_tables(tmp_path: Path) -> ReadTables:
    """Reads a folder of tables: `read_tables(etc=..., tasks=...)`, as text or as bytes."""

    def read(**tables: str | bytes) -> Reading:
        folder = tmp_path / "system"
        folder.mkdir(exist_ok=True)
        for table, content in tables.items():
            data = content.encode() if isinstance(content, str) else content
            (folder / f"{table}.csv").write_bytes(data)
        return inspect_system(folder)

    return read
