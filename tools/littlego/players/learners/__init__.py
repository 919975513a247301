"""Q-learning from scratch: a tabular learner for any game, and tic-tac-toe, the handout's example."""
