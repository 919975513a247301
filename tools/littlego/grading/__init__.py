"""The course's grading by the handout: two stages, points, CPU time limits, any my_player program."""
