"""One game from the first move to the result: referee, official file protocol, openings, series, games on record."""
