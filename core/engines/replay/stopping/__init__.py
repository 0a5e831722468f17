"""Jobs that are stopped for others: whom, what is kept of them, and what that comes to."""
