"""The rooms that compute: what several capabilities need, each for itself."""
