"""What is wrong or doubtful in a patterns file: one code a fault, each decided exactly or said to be undecided."""
