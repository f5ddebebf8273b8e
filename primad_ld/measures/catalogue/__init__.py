"""The measures, a family in each module."""
