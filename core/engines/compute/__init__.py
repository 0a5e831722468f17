"""Kernels that numba compiles, and computations in processes of their own: if one dies or hangs,
nothing else does.
"""
