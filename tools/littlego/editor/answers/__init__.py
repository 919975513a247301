"""The methods and jobs that a page may call; each module registers its functions with @ask and @job.

`methods.load_answers` imports every module of this folder, so there is no list to maintain.
"""
