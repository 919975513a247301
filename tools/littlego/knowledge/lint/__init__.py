"""The checks of a patterns file, which report each kind of fault under its own code."""
