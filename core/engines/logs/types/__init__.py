"""Which task type and which machine type each run of a store is of, by rules."""
