"""From the bytes of logs to a store of runs on disk."""
