"""Effects of patterns on decisions in corpora of positions, for Little-Go and for matches."""
