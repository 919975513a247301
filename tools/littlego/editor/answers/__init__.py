"""The methods and jobs that a page may call: each module registers its functions with @ask and @job.

The modules are found by their folder (`methods.load_answers`); there is no list to keep.
"""
