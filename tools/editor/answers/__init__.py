"""What the page may ask and have worked on: each module here registers its functions with @ask and @job.

The modules are found by their folder (`methods.load_answers`); there is no list to keep.
"""
