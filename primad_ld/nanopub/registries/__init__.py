"""Registries: what is sent to them, and what is fetched from there."""
