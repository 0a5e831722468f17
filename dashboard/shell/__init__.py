"""What every page stands on: the server, its sessions, and computations in the background."""
