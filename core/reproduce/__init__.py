"""What reproductions share: claims and verdicts, figures, pictures, stand-ins for data."""
