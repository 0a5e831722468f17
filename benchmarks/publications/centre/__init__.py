"""What is published on the day of a centre with servers that sleep, done again."""
