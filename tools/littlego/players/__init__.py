"""Players: the roles, our player in this process and as a program, the commands `play` and `match`."""
