"""All that does not run in a turn: the pattern compiler, the host, the opponents, the command line."""
