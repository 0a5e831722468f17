"""The trade-off of energy and makespan: what is proven, what was found, and what answers a wish."""
