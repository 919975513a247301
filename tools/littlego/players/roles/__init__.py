"""The roles: built-in opponents, most of them modelled on the course's players. Runs on Python 3.7."""
