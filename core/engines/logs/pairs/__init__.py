"""What each pair of task type and machine type takes, by its runs."""
