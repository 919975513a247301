"""The folder in which an author of patterns begins, and a pattern made from a position."""
