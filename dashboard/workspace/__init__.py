"""What a session works on: the system in force, its history, and its address."""
