"""The badge that says what an independent check of a schedule found."""

import streamlit as st

from core.verify.verdict import Verdict


def show_verdict(verdict: Verdict) -> None:
    if not verdict.ok:
        st.error("The independent check found faults in this schedule; do not use it.")
        for problem in verdict.problems:
            st.text(str(problem))
        return
    with st.popover("Verified", icon=":material/verified:", type="tertiary"):
        st.markdown("A checker that shares no code with the solvers found that")
        st.markdown("\n".join(f"- {check}" for check in verdict.checks))
