"""Files of centres and of plans for their days."""
