"""The limits of what can be read, so that no input takes too much memory or time.

They allow tables of 10,000 x 1,000 cells and schedules of a million blocks.
"""

from typing import Final

MIB: Final = 2**20

FILE_BYTES: Final = 256 * MIB
"""The most bytes of one file, or of one inflated member of an archive."""

ARCHIVE_BYTES: Final = 512 * MIB
"""The most bytes of all inflated members that are read from one archive."""

ARCHIVE_MEMBERS: Final = 1_000
FOLDER_ENTRIES: Final = 10_000
LINES: Final = 4_000_000
ROWS: Final = 200_000
BLOCKS: Final = 3_000_000
COLUMNS: Final = 20_000
CELLS: Final = 20_000_000

JOB_ROWS: Final = 4_000_000
"""The most rows of a table that is read into columns, as of jobs or of a schedule: 1.9 GB for as
many jobs and options with names.
"""

NAMELESS_JOB_ROWS: Final = 10_000_000
"""The most rows of a table of jobs alone without names: 1.5 GB. Names would take twice as much."""

FEW_TEXTS: Final = 1_000_000
"""Different texts of a column of such a table with more than `JOB_ROWS` rows."""

KEPT_CELLS: Final = 20_000
"""The most cells of one table that is kept as it was read, so that a person can correct it."""

RECORD_CHARACTERS: Final = 8 * MIB
"""The most characters of one row of a CSV file."""

TIMES_READ_AGAIN: Final = 8
"""How often a text is read again where ends of rows are unclear, by unclosed quotation marks."""

CELL_CHARACTERS: Final = 131_072
"""The most characters of one cell of any table; also what Python's csv module allows."""

NUMBER_CHARACTERS: Final = 400
"""Longer than any useful number; conversion of more digits takes quadratic time."""

JSON_CONTAINERS: Final = 4_000_000
"""Lists and objects of one document: each takes far more memory than its two characters."""

JSON_VALUES: Final = 25_000_000
JSON_STRINGS: Final = 16_000_000
"""Keys included."""

XML_ELEMENTS: Final = 25_000_000
XML_TOKEN_BYTES: Final = MIB
"""The most bytes of one tag or comment: expat keeps it whole in memory."""

SHARED_STRINGS: Final = 2_000_000

SETTINGS_CHARACTERS: Final = MIB
SETTINGS_ROWS: Final = 1_000
"""The most rows of settings that lie beside the tables of a system."""

ERRORS_LISTED: Final = 1_000
WARNINGS_LISTED: Final = 100

WORKBOOK_ROWS: Final = 1_048_576
WORKBOOK_COLUMNS: Final = 16_384
"""What Excel can open; readers have the limits above."""
