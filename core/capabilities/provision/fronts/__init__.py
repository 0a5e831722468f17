"""Trade-offs between objectives of a plan."""
