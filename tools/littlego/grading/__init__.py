"""The course's grading as the handout writes it: two stages, points, limits of CPU time, any my_player program."""
