"""The grading of a my_player program as in the course's handout.

The grading has two stages, points, and CPU time limits.
"""
