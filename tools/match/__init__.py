"""One game, from the first move to the result: the referee, the official file protocol, openings and series of games."""
