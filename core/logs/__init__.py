"""What clusters write down of their jobs and nodes, and how it is read."""
