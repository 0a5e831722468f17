"""Plans as files of any format."""
