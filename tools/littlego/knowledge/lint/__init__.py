"""The checks of patterns files; each kind of fault has its own code."""
