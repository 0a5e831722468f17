"""Chips of the frame: what holds on every page, each of which opens where it is changed."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def show_chip(key: str, label: str, icon: str, *, assumed: bool) -> DeltaGenerator:
    """A chip, and what it opens. Dashed as long as it is assumed: nobody has said so."""
    with st.container(key=f"chip-{key}", gap=None, width="content"):
        # The class of an element, for the key of a container would close what is open in it.
        st.html(f'<i class="{"wf-assumed" if assumed else "wf-known"}" hidden></i>')
        return st.popover(label, icon=f":material/{icon}:", type="tertiary")
