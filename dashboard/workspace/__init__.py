"""What a session works on: the system in force, its history, and the address that says it."""
