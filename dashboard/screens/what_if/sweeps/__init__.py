"""The view Map of the page What if."""
