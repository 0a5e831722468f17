"""Fair shares for bags that arrive: the best possible worst stretch."""
