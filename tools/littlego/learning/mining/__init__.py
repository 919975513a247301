"""Patterns, and changes to patterns, suggested by labelled positions."""
