"""Experiments: runs and their reproductions, paired by what headers say, and evaluated."""
