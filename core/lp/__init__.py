"""How a linear or integer program reaches HiGHS."""
