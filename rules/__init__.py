"""The inference engine: everything that runs in a turn. Python 3.7, standard library only."""
