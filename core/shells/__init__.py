"""What people meet: the command, study files, the report, and what all answers share."""
