"""Named systems, and random ones."""
