"""Logs of which something is broken.

`PYTHONPATH=.:tests:tests/helpers python -m engines.logs.mutated HOW_MANY [SEED]` reads so many.

Whatever is in a log, it is read, or refused with a message that names it; every row is a run or is
counted with a reason; there are as many rows as other code counts (`counted.py`); and this is the
same wherever the log is cut into blocks. A log that breaks this is kept, and its name is printed.
"""

import gzip
import io
import random
import sys
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

from engines.logs.counted import bounds_of_rows

from core.engines.logs.reading import limits
from core.engines.logs.reading.logs import read_logs
from core.engines.logs.reading.store import COLUMNS
from core.files.findings import Unreadable

REAL: Final = Path(__file__).parent / "dumps" / "real"
SWF: Final = b"; MaxNodes: 4\n; UnixStartTime: 1700000000\n" + b"".join(
    b"%d %d 5 %d 4 -1 -1 4 900 -1 %d 7 1 3 1 -1 -1 -1\n" % (k, 60 * k, 30 + k, k % 2)
    for k in range(1, 30)
)
WIDE_SWF: Final = SWF.replace(b" -1\n", b" -1\t3 0.5 -1\n")
RUNS: Final = b'task;machine;"time (min)";energy_kwh\n' + b"".join(
    b'"a;%d";m%d;%d,5;0,%d\n' % (k % 3, k % 2, k, k) for k in range(1, 30)
)
PIECES: Final = (
    *(b"\0", b"\n", b"\r", b"\r\n", b'"', b'""', b"|", b"||", b",", b";", b"\t", b"\x1f", b"\xff"),
    *(
        b"\xc3",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"JobID|Elapsed|State\n",
        b"-----\n",
        b"; MaxNodes: x",
    ),
    *(b"9" * 400, b"1e999", b"-1", b"nan", b"[", b"{", b"}", b"]", b"1" * 70_000, b" " * 5_000),
    *(b"=cmd()", b"<b>", b"$(touch pwned)", b"18446744073709551616", b"2024-13-40T99:99:99"),
)

Change = Callable[[bytes, random.Random], bytes]


def _insert(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(PIECES) + data[at:]


def _remove(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at + rng.choice((1, 1, 2, 17, 300)) :]


def _flip(data: bytes, rng: random.Random) -> bytes:
    if not data:
        return data
    changed = bytearray(data)
    for _ in range(rng.choice((1, 3, 30))):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _shuffle_lines(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    for _ in range(rng.choice((1, 5))):
        a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[a], lines[b] = lines[b], lines[a]
    return b"\n".join(lines)


def _twice(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data + data[at:]


def _pack(data: bytes, rng: random.Random) -> bytes:
    if rng.random() < 0.5:
        return gzip.compress(data, 1)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("log.txt", data)
    return stream.getvalue()


def _join(data: bytes, rng: random.Random) -> bytes:
    return data + rng.choice(logs())


def _other_encoding(data: bytes, rng: random.Random) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(rng.choice(("utf-16", "utf-16-le", "latin-1", "utf-8-sig")), "replace")


CHANGES: Final[tuple[Change, ...]] = (
    *(_insert, _insert, _insert, _remove, _flip, _flip, _cut, _shuffle_lines, _twice),
    *(_pack, _other_encoding, _join),
)


@cache
def logs() -> list[bytes]:
    """Logs without a fault, of every format."""
    return [
        *(
            path.read_bytes()
            for path in sorted(REAL.glob("*.*"))
            if path.suffix in (".txt", ".json")
        ),
        SWF,
        RUNS,
        WIDE_SWF,
        (REAL / "parsable2.txt").read_bytes().replace(b"|", b"::"),
    ]


def mutant(seed: int, originals: list[bytes]) -> bytes:
    """A log with one to four faults."""
    rng = random.Random(seed)
    data = rng.choice(originals)
    for _ in range(rng.randint(1, 4)):
        data = rng.choice(CHANGES)(data, rng)
    return data


def block(seed: int, data: bytes) -> int:
    """The bytes of a block, so that a log has some of them, of odd lengths."""
    rng = random.Random(seed)
    return len(data) // rng.choice((2, 5, 20, 50)) + rng.randint(7, 77)


def check(data: bytes, folder: Path, block: int) -> int | None:
    """Reads a log at once and in blocks of so many bytes, and asserts what must hold of any; its
    runs, None if it was refused.
    """
    usual = limits.BLOCK_BYTES
    whole = _content(data, folder)
    try:
        limits.BLOCK_BYTES = block  # type: ignore[misc]
        assert _content(data, folder) == whole
    finally:
        limits.BLOCK_BYTES = usual  # type: ignore[misc]
    if whole is not None:
        least, most = bounds_of_rows(data)
        assert least <= whole["rows"] <= most, (least, whole["rows"], most)
    return None if whole is None else int(whole["runs"])


def _content(data: bytes, folder: Path) -> dict[str, Any] | None:
    """All that is read of a log; None if it was refused."""
    log = folder / "mutant.log"
    log.write_bytes(data)
    try:
        store = read_logs([log], folder=folder)
    except Unreadable as refusal:
        if not str(refusal).startswith("mutant.log"):
            raise
        return None
    assert store.rows == store.runs + sum(store.rejected.values()), store.rejected
    content: dict[str, Any] = {"rows": store.rows, "runs": store.runs, "rejected": store.rejected}
    content |= {name: store.column(name).tobytes() for name in COLUMNS}
    for name in store.texts:
        numbers = store.column(name)
        assert len(numbers) == store.runs
        assert ((numbers >= -1) & (numbers < len(store.values(name)))).all()
        content[name] = [store.values(name)[number] for number in numbers]
    store.close()
    return content


def main(many: int, seed: int) -> int:
    """How many logs break something."""
    originals, read, broken = logs(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(seed, seed + many):
            data = mutant(number, originals)
            try:
                read += check(data, Path(folder), block(number, data)) is not None
            except Exception as fault:
                kept = Path(tempfile.gettempdir()) / f"mutant-{number}.log"
                kept.write_bytes(data)
                broken += 1
                print(f"log {number} breaks something: {fault!r}; it is in {kept}")  # noqa: T201
    print(f"{many:,} logs with faults: {read:,} were read, {broken:,} break something")  # noqa: T201
    return broken


if __name__ == "__main__":
    arguments = [int(word) for word in sys.argv[1:]]
    sys.exit(main(arguments[0], arguments[1] if len(arguments) > 1 else 0) > 0)
