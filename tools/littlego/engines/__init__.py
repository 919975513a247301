"""Engines: they decide positions by a book of patterns. One protocol, a module for each, one place that chooses."""
