"""A Dask preload that changes a worker's code only in memory, which no digest of the files can detect."""

import time

import cluster_work

from littlego.players.roles import simple


def dask_setup(worker) -> None:
    cluster_work.slowly = slowly
    simple.captures = nothing


def slowly(number: int) -> int:
    time.sleep(0.05)
    return -number


def nothing(position) -> dict:
    """Return no captures, so that greedy plays at random."""
    return {}
