"""A module a command: `declare` its arguments, `run` it for an answer."""
