"""What stands around every page: the system in force, its state, sentences and badges."""
