"""What every page needs: the server, its sessions, and computations in the background."""
