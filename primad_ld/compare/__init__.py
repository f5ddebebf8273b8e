"""How two headers differ along PRIMAD: pure, without an archive."""
