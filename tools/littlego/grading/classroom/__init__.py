"""The grading of a class: submissions, roster, results, similar programs, pages and templates."""
