"""Engines, which choose moves with a book of patterns: protocol, implementations and selection."""
