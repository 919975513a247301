"""Training and evaluation of the learning player `zero`: self-play, learning, checkpoints and grades."""
