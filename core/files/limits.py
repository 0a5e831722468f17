"""What is too large to read: declared here once, so that no input can fill memory or time.

The limits leave room for tables of 10,000 x 1,000 cells and for a million blocks of a schedule.
"""

from typing import Final

MIB: Final = 2**20

FILE_BYTES: Final = 256 * MIB
"""Of one file, or of one member of an archive when inflated."""

ARCHIVE_BYTES: Final = 512 * MIB
"""Of all members that are read from one archive, inflated."""

ARCHIVE_MEMBERS: Final = 1_000
FOLDER_ENTRIES: Final = 10_000
LINES: Final = 4_000_000
ROWS: Final = 200_000
BLOCKS: Final = 3_000_000
COLUMNS: Final = 20_000
CELLS: Final = 20_000_000

KEPT_CELLS: Final = 20_000
"""Of one table that is kept as it was read, for a person to mend."""

RECORD_CHARACTERS: Final = 8 * MIB
"""Of one row of a CSV file."""

TIMES_READ_AGAIN: Final = 8
"""A text, where quotation marks that are not closed hide where its rows end."""

CELL_CHARACTERS: Final = 131_072
"""Of one cell of any table; also what Python's csv module allows."""

NUMBER_CHARACTERS: Final = 400
"""Longer than any number worth reading; conversions of longer digits cost quadratic time."""

JSON_CONTAINERS: Final = 4_000_000
"""Lists and objects of one document: each costs memory well beyond its two characters."""

JSON_VALUES: Final = 25_000_000
JSON_STRINGS: Final = 16_000_000
"""Keys included."""

XML_ELEMENTS: Final = 25_000_000
XML_TOKEN_BYTES: Final = MIB
"""Of one tag or comment; expat must hold it whole."""

SHARED_STRINGS: Final = 2_000_000

ERRORS_LISTED: Final = 1_000
WARNINGS_LISTED: Final = 100

WORKBOOK_ROWS: Final = 1_048_576
WORKBOOK_COLUMNS: Final = 16_384
"""What Excel can open; readers are bounded by the limits above."""
