"""Computations in processes of their own: one that dies or hangs ends itself, and nothing else."""
