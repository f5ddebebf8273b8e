"""Archives of runs: where they are kept, how they are loaded, and how they are asked."""
