"""What runs of a log say of a cluster: types of tasks and machines, and what each pair takes."""
