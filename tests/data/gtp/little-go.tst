# Regression tests in GNU Go's format: littlego gtp --regress tests/data/gtp/little-go.tst
# They are exact: the opening that is proved to win, what the solver says, and the answers of the protocol.

boardsize 5
clear_board
10 reg_genmove black
#? [C3]

# Every point wins for Black here, and a pass does not: littlego solve tests/data/gtp/capture.sgf
loadsgf tests/data/gtp/capture.sgf
20 reg_genmove black
#? [!pass|resign]

# A test of a record begins before the move that is named: here White's last one, at A1.
loadsgf tests/data/gtp/capture.sgf A1
21 play white A1
#? []

# Komi 2.5 on 5x5, and nobody has a stone: White is ahead by it.
clear_board
30 final_score
#? [W\+2\.5]

# Two passes end the game, and what follows does not count.
play black C3
play white pass
play black pass
play white A1
40 final_score
#? [W\+1\.5]
41 reg_genmove black
#? [pass]

# Known to be wrong: nothing here tells the names of the players.
50 known_command players
#? [true]*
