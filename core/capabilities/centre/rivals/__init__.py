"""Plans of a day by the methods of others, to compare with."""
