"""What people read, said once: numbers with units, words, colours."""
