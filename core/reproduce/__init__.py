"""What the publications show, done again with this code: pictures, tables, verdicts."""
