"""Points fitted to games or solved positions: recorded games, the patterns that fire, and the fit."""
