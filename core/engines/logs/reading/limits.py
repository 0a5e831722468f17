"""The limits of what is read of a log, so that no log takes too much memory or time."""

from typing import Final

from core.files.limits import MIB

BLOCK_BYTES: Final = 4 * MIB
"""Bytes of a log that are held and parsed at once."""

ROW_BYTES: Final = MIB
"""The most bytes of one row; a longer one is skipped and counted, without being held."""

QUOTED_BYTES: Final = 65_536
"""The most bytes of one quoted cell. If no closing quotation mark follows within so many bytes, the
opening one counts as a character of the text.
"""

HELD_BYTES: Final = 8 * MIB
"""The most bytes of a job with all its steps, which are read together; further steps count as
without their job.
"""

LOG_BYTES: Final = 128 * 1024 * MIB
"""The most bytes of all logs that are read together, inflated."""

XZ_BYTES: Final = 128 * MIB
"""The most memory that an xz file may ask for: `xz -9` asks for 65 MiB, a bomb for gigabytes."""

INFLATED: Final = 250
"""How many times as large as the compressed log its content may be. Dumps of a million equal jobs
compress to a hundredth; only a bomb compresses to a thousandth.
"""

INFLATED_FREE: Final = 64 * MIB
"""Bytes of content that is inflated whatever the ratio."""

ROWS: Final = 200_000_000
LOGS: Final = 1_000
DIRECTORY_BYTES: Final = MIB
"""The most bytes of the directory of a zip archive, which is held as a whole."""

HEADER_COLUMNS: Final = 1_000
TEXT_COLUMNS: Final = 24

VALUES: Final = 200_000
"""Different values of an ordinary column of texts; rows with further values count as unknown."""

MANY_VALUES: Final = 1_000_000
"""Different job names, and different lists of nodes."""

TEXT_BYTES: Final = 160 * MIB
"""The most memory for the different values of all columns together."""

TITLE_CHARACTERS: Final = 100
"""The most characters of the title of a column; the rest is cut off."""

VALUE_BYTES: Final = 1_000
"""The most bytes of one text; the rest is cut off."""

JSON_JOB_CHARACTERS: Final = 8 * MIB
"""The most characters of one job of a JSON dump."""

EXAMPLES: Final = 5
"""Rows shown of each reason for which rows are not used."""

REJECTED_ROWS: Final = 200_000
"""Broken rows that are kept with their reason, to be downloaded; further ones are only counted."""

NODE_WATTS: Final = 20_000.0
"""A node that seems to draw more was measured wrongly."""

NODE_WATTS_LEAST: Final = 1.0
"""A node that seems to draw less was measured wrongly: unplugged meters count 0."""
