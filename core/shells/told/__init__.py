"""What an answer says: one value, which terminal, report and pages show in the same words."""
