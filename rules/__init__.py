"""The inference engine: all code that runs in a turn. Python 3.7, standard library only."""
