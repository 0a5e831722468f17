"""The badge that says what the judge found about a schedule."""

import streamlit as st

from core.engines.verify.verdict import Verdict


def show_verdict(verdict: Verdict) -> None:
    if not verdict.ok:
        st.error("The judge found faults in this schedule. Do not use it.")
        for problem in verdict.problems:
            st.text(str(problem))
        return
    with st.popover("Verified", icon=":material/verified:", type="tertiary"):
        st.markdown("The judge, which shares no code with the solvers, found:")
        st.markdown("\n".join(f"- {check}" for check in verdict.checks))
