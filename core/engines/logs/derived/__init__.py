"""The system that a log shows, and where each of its numbers is from."""
