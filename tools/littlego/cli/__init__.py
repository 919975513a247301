"""The command line: the table of commands and the code that commands share."""
