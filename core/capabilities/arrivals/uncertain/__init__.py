"""Bags of tasks whose run times are uncertain, and the methods that plan them."""
