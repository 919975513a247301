"""The proof: every position that our player can come to is won, and a second program checks it."""
