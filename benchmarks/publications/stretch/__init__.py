"""What is published on fair shares of bags that arrive, made again."""
