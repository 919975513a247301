"""The command line: the table of commands and what all commands share."""
