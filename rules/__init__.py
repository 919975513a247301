"""The inference engine: all code that runs in a turn, except my_player3.py.

The code runs on Python 3.7 and imports only the standard library.
"""
