"""What patterns do to decisions: positions to judge them by, coverage, and what an edit changes."""
