"""The figures of the publication on profit, computed again."""
