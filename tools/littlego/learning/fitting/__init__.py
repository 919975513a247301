"""Points from games: games of engines, made and kept; which patterns fire for their moves; the points that fit them."""
