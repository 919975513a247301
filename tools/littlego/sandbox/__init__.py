"""What holds a foreign program: limits, control groups, system calls, its work folder."""
