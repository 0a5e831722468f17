"""What Wattfront can be asked for, a room each. `core.shells.registry` lists them."""
