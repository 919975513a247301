"""The grading of a program by the course's rules: games in two stages, points, and CPU time limits."""
