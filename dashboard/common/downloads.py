"""A schedule to take away, in every format that can hold it."""

from functools import partial

import streamlit as st

from core.model.schedule import Schedule
from dashboard.workspace.export import FORMATS, blocks_fit, file_blocks, file_name, schedule_bytes


def show_downloads(schedule: Schedule, system_title: str) -> None:
    blocks = file_blocks(schedule)
    for form in FORMATS:
        fits = blocks_fit(blocks, form.suffix)
        st.download_button(
            form.label,
            partial(schedule_bytes, schedule, form.suffix),
            file_name(system_title, form.suffix),
            form.mime,
            icon=":material/download:",
            on_click="ignore",
            disabled=not fits,
            help=f"The schedule, {blocks:,} blocks of equal tasks"
            if fits
            else f"{blocks:,} blocks are too many for this format",
        )
