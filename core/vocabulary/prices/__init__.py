"""What energy costs: a tariff, and the site that has it."""
