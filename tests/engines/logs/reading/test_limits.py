"""The limits are those that documents and messages tell."""

from core.engines.logs.reading import limits

MIB = 1_048_576


def test_limits() -> None:
    assert {name: value for name, value in vars(limits).items() if name.isupper()} == {
        "MIB": MIB,
        "BLOCK_BYTES": 4 * MIB,
        "ROW_BYTES": MIB,
        "QUOTED_BYTES": 65_536,
        "HELD_BYTES": 8 * MIB,
        "LOG_BYTES": 137_438_953_472,
        "XZ_BYTES": 128 * MIB,
        "INFLATED": 250,
        "INFLATED_FREE": 64 * MIB,
        "ROWS": 200_000_000,
        "LOGS": 1_000,
        "DIRECTORY_BYTES": MIB,
        "HEADER_COLUMNS": 1_000,
        "TEXT_COLUMNS": 24,
        "VALUES": 200_000,
        "MANY_VALUES": 1_000_000,
        "TEXT_BYTES": 160 * MIB,
        "TITLE_CHARACTERS": 100,
        "VALUE_BYTES": 1_000,
        "JSON_JOB_CHARACTERS": 8 * MIB,
        "EXAMPLES": 5,
        "REJECTED_ROWS": 200_000,
        "NODE_WATTS": 20_000.0,
        "NODE_WATTS_LEAST": 1.0,
    }
