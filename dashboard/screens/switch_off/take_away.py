"""What to switch off as files, and the command line that computes it again."""

import json
from functools import partial
from typing import Final

import pandas as pd

from core.capabilities.switch_off.settings import SwitchOffSettings
from core.files.sheet import neutralised
from core.shells.settings.forms import flag_words
from core.shells.studies.settings import shell_line
from core.shells.told.told import Told, ToldTable
from core.vocabulary.without_work import AS_GIVEN, WithoutWork
from dashboard.parts.taking.take_away import csv_of, download, show_command

_LOG: Final = "jobs.txt"


def table_csv(told: ToldTable) -> bytes:
    """A table as it is shown."""
    rows = [[*map(neutralised, row)] for row in told.rows]
    return csv_of(pd.DataFrame(rows, columns=list(told.head)))


def command_of(settings: SwitchOffSettings, without_work: WithoutWork) -> str:
    """The command line that computes the same from the log."""
    idle = flag_words(without_work, AS_GIVEN, "idle_power")
    words = flag_words(settings, SwitchOffSettings())
    return shell_line("wattfront", "switch-off", _LOG, *words, *idle)


def show_switch_off_downloads(
    said: Told, settings: SwitchOffSettings, without_work: WithoutWork
) -> None:
    """Buttons for the tables and for all numbers, and the command."""
    for table, name in zip(said.tables, ("machine-types.csv", "plans.csv"), strict=True):
        download(f"{table.title} (CSV)", partial(table_csv, table), name)
    download("All numbers (JSON)", lambda: json.dumps(said.data).encode(), "switch-off.json")
    show_command(command_of(settings, without_work), "The command that computes this from the log:")
