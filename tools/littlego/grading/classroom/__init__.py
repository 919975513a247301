"""The grading of a class: submissions, roster, results for all students, similar programs, pages and templates."""
