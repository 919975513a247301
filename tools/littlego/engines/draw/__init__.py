"""Boards, patterns and reasons as text and pictures: pure functions for all other packages."""
