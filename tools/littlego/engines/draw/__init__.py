"""Boards, patterns and reasons as text and as pictures: pure functions, used by all the other rooms."""
