"""The roles: built-in opponents, most of them modelled on the course's players. This module runs on Python 3.7."""
