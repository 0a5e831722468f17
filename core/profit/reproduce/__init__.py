"""What the publication on profit shows, drawn anew."""
