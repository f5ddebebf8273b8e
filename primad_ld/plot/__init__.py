"""Figures of what an evaluation found; matplotlib is imported by whoever draws one."""
