"""What the publication on energy and makespan shows, drawn anew."""
