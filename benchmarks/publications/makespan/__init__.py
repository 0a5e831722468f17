"""The figures of the publication on makespan, computed again."""
