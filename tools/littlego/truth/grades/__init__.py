"""How well each pattern decides, and the decisions as a whole, by what the solver knows."""
