"""What the publication on makespan shows, drawn anew."""
