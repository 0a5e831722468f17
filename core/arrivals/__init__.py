"""Work that arrives: workloads, policies, and what comes of them."""
