"""From accounting logs to a system, in the order of the story.

- `reading`: Slurm's `sacct`, the Standard Workload Format, and tables of runs. A log is read once,
  block by block, into a `RunStore` on disk: one array a column.
- `types`: which task type and which machine type each run is of, and which runs are measurements.
- `pairs`: what each pair of them takes, and which pairs cannot run.
- `metered`: the watts of nodes and pairs, where monitoring has samples of power.
- `derived`: the system, and what it was derived from.

Each imports only those before it.
"""
