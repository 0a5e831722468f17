"""The dissertation's chapter on provisioning, done again."""
