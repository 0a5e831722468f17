"""The judge: recomputes a schedule from the raw matrices and reports what is wrong with it.

It shares no code with the solvers or with the arithmetic of `Schedule`. It reads only the raw
arrays of a schedule and its stated figures; its own sums are in `core.engines.verify.recount`.
"""
