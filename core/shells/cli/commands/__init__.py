"""The general commands, a module each: `declare` adds its arguments, `run` gives its answer."""
