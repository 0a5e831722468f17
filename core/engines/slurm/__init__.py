"""What a schedule becomes on a cluster of Slurm: job arrays, their places, commands and scripts."""
