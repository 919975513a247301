"""The inference engine: all code that runs in a turn.

The code runs on Python 3.7 and imports only the standard library.
"""
