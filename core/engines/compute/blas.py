"""How many threads numpy's linear algebra uses."""

from typing import Final

ONE_THREAD: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""For the environment of a process, before it loads numpy. Our matrices are small: a second thread
waits more than it computes, and that is processor time of others.
"""
