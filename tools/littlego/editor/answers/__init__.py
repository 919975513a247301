"""The methods and jobs that the studio's page may call. Each module registers its functions with @ask and @job.

`methods.load_answers` imports every module of this folder, so there is no list to maintain.
"""
