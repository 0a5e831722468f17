"""What a centre does when over a day, and what no plan can do better."""
