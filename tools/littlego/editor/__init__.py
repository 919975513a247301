"""Editing patterns, and what the studio's page may ask about them: pure functions, without HTTP or processes."""
