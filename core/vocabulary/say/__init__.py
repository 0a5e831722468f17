"""What people read, defined once: numbers with units, words, colours."""
