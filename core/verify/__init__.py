"""An independent judge: recomputes a schedule from the raw matrices and says what is wrong with it.

It shares no code with the solvers, nor with the arithmetic of `Schedule`, of which it reads the raw
arrays and the claims; what it adds up itself is in `core.verify.recount`.
"""

from core.verify.findings import LISTED_PER_CHECK
from core.verify.judge import verify, verify_stated
from core.verify.verdict import SAME_ENERGY, Verdict

__all__ = [
    "LISTED_PER_CHECK",
    "SAME_ENERGY",
    "Verdict",
    "verify",
    "verify_stated",
]
