"""The Go Text Protocol: our player as an engine for other programs, and engines tried and tested from here."""
