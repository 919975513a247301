"""The grading of a class of students.

The package owns submissions, the roster, results for all students, similar programs, pages and templates.
"""
