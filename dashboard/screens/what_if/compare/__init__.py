"""The view Side by side of the page What if."""
