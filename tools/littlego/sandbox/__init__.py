"""Confinement of foreign programs: limits, control groups, system calls, work folders."""
