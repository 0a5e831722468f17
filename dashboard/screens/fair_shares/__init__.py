"""Fair shares, a view of the page Arrivals: by when each of some bags that arrive can be done."""
