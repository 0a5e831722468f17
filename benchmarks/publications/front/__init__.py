"""The figures of the publication on energy and makespan, computed again."""
