"""What the publications on work that arrives show, measured again."""
