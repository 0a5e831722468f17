"""Policies for whole tasks compared in many trials."""
