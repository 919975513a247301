"""The roles: players of the course, each a module that chooses in Python; `table` lists them. Runs on Python 3.7."""
