"""The folder in which an author of patterns begins."""
