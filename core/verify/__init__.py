"""An independent judge: recomputes a schedule from the raw matrices and says what is wrong with it.

It shares no code with the solvers, nor with the arithmetic of `Schedule`, of which it reads the raw
arrays and the claims; what it adds up itself is in `core.verify.recount`.
"""
