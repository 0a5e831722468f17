"""What is: systems, schedules, the ranges of their numbers, and what is wrong with input."""
