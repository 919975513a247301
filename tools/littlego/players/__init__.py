"""Players: the roles, our player in this process or as a program, and the commands `play` and `match`."""
