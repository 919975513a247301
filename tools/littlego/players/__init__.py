"""Who plays: one module a role, our own player in process and as a program, and the commands that let them meet."""
