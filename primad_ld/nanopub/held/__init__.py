"""What an archive holds of nanopublications: their graphs, their bytes, and what they say of runs."""
