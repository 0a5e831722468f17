"""The page About the numbers. It has no charts."""
