"""Sentences about the size of uploaded logs."""

from typing import Final

import streamlit as st

from core.vocabulary.say.words import counted
from dashboard.server.sessions import UPLOADED_BYTES_KEPT

_ALL: Final = UPLOADED_BYTES_KEPT // 10**6


def limits(command: str) -> str:
    """How large uploads can be, and what to do with larger ones; `command` reads any."""
    most = st.get_option("server.maxUploadSize")
    return (
        f"A file can have {most} MB, all files together {_ALL} MB. Compress larger logs first "
        f"(gzip, xz or ZIP), or use `{command}`."
    )


def not_kept(missing: int, files: int, command: str) -> str:
    """Why uploads are not read of which the server has dropped `missing`."""
    return (
        f"{counted(missing, 'file')} of {files} {'was' if missing == 1 else 'were'} dropped: all "
        f"files together can have {_ALL} MB. Remove the files, compress them (gzip, xz or ZIP), "
        f"and upload them again; or use `{command}`."
    )
