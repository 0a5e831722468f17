"""What may come: how uncertain a plan is, and scenarios drawn from that."""
