"""What a single machine can do with whole tasks, priced: the engine of a bound on makespan."""
