"""What running bags of tasks earns: the most profitable schedule, and what no schedule can earn."""
