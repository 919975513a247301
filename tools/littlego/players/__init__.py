"""Players: the roles, our player in process and as a program, the commands `play` and `match`."""
