"""The pages, a folder each; `page.py` reads from top to bottom as the page does."""
