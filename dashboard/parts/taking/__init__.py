"""What people take away from pages: files, reports, batch scripts."""
