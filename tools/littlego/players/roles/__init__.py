"""The roles: players from the course, one Python module each; `table` lists them. Runs on Python 3.7."""
