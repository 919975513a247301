"""Games from the first move to the result: referee, file protocol, openings, series, logs."""
