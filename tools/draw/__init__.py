"""Boards and patterns as terminal text: pure functions, used by all the other rooms."""
