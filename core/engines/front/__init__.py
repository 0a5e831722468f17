"""The trade-off of energy and makespan: proven bounds, studies, schedules that answer a wish."""
