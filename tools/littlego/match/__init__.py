"""Matches between players: referee, file protocol, openings, series and logs."""
