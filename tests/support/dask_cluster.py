"""A Dask cluster for tests: a real scheduler and real worker processes, which can be killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120  # seconds, on a busy machine


class Cluster:
    """A scheduler on a free port of this machine, and workers of one thread each, which nobody starts again.

    variables: in the scheduler's environment.
    """

    def __init__(self, workers: int, **variables: str):
        self.folder = tempfile.TemporaryDirectory()
        self.processes: list[subprocess.Popen] = []
        self.workers: list[subprocess.Popen] = []
        file = Path(self.folder.name) / "scheduler.json"
        options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
        self._start("scheduler", *options, **variables)
        self.address = self._wait(lambda: file.exists() and json.loads(file.read_text() or "{}").get("address"))
        for _ in range(workers):
            self.add_worker()
        self.wait_for(workers)

    def add_worker(self, *options: str, **variables: str) -> subprocess.Popen:
        """Start a worker, with these variables in its environment; do not wait until it is there."""
        options = options or ("--nthreads", "1")
        worker = self._start("worker", self.address, "--no-nanny", "--no-dashboard", *options, **variables)
        self.workers.append(worker)
        return worker

    def wait_for(self, workers: int) -> None:
        """Wait until so many workers are there."""
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            self._wait(lambda: len(client.nthreads()) == workers)

    def stop(self, process: subprocess.Popen) -> None:
        """End a worker, or the scheduler."""
        process.kill()
        process.wait()

    def close(self) -> None:
        """End all processes."""
        for process in reversed(self.processes):
            self.stop(process)
        self.folder.cleanup()

    def _start(self, kind: str, *options: str, **variables: str) -> subprocess.Popen:
        path = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "support")])
        environment = {**os.environ, "PYTHONPATH": path, **variables}
        command = [sys.executable, "-m", "dask", kind, *options]
        process = subprocess.Popen(
            command, cwd=self.folder.name, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.processes.append(process)
        return process

    def _wait(self, ready):
        stop = time.monotonic() + PATIENCE
        while not (found := ready()):
            assert all(process.poll() in (None, -9) for process in self.processes), "a process has ended"
            assert time.monotonic() < stop, "the cluster did not begin"
            time.sleep(0.05)
        return found
