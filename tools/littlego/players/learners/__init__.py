"""Q-learning from scratch: one tabular learner for any game, and tic-tac-toe, the handout's example, to show it."""
