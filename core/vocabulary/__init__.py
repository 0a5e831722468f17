"""The vocabulary: systems, schedules, the ranges of their numbers, and problems of input."""
