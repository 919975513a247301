"""Patterns and changes of patterns that the labelled positions suggest."""
