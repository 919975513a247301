"""The grading of a program by the course's rules: two stages of games, points, and CPU time limits."""
