"""Judging: what patterns do to decisions. Corpora of named positions, for every game alike."""
