"""Linear and integer programs, and the one way to HiGHS."""
