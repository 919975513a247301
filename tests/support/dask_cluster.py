"""A Dask cluster for tests: a real scheduler and real worker processes, which can be killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import AbstractContextManager
from pathlib import Path

import dask
from distributed.security import Security

TLS = "DASK_DISTRIBUTED__COMM__"
ROOT = Path(__file__).resolve().parents[2]
ROLES = ("SCHEDULER", "WORKER", "CLIENT")
PATIENCE = 120  # maximum seconds of a wait, enough for a busy machine


def make_certificates(folder: Path) -> dict[str, str]:
    """Create a key and a certificate; return the environment variables that make a cluster use TLS."""
    made = Security.temporary()
    certificate, key = folder / "cluster.pem", folder / "cluster.key"
    certificate.write_text(made.tls_ca_file)
    key.write_text(made.tls_client_key)
    roles = {f"{TLS}TLS__{role}__CERT": str(certificate) for role in ROLES}
    roles |= {f"{TLS}TLS__{role}__KEY": str(key) for role in ROLES}
    return {f"{TLS}TLS__CA_FILE": str(certificate), f"{TLS}REQUIRE_ENCRYPTION": "True", **roles}


def in_environment(variables: dict[str, str]) -> AbstractContextManager:
    """Return a context in which Dask uses environment variables as if they were set before Dask's import."""
    keys = {name.removeprefix("DASK_").lower().replace("__", "."): value for name, value in variables.items()}
    return dask.config.set({key: value == "True" or value for key, value in keys.items()})


class Cluster:
    """A scheduler on a free port of this machine, and single-threaded workers that are not restarted.

    protocol: tcp or tls. variables: environment variables of the scheduler and of the started workers.
    """

    def __init__(self, workers: int, protocol: str = "tcp", **variables: str):
        self.folder = tempfile.TemporaryDirectory()
        self.processes: list[subprocess.Popen] = []
        self.workers: list[subprocess.Popen] = []
        file = Path(self.folder.name) / "scheduler.json"
        place = ("--protocol", protocol, "--host", "127.0.0.1", "--port", "0")
        options = (*place, "--no-dashboard", "--scheduler-file", str(file))
        self._start("scheduler", *options, **variables)
        self.address = self._wait(lambda: file.exists() and json.loads(file.read_text() or "{}").get("address"))
        for _ in range(workers):
            self.add_worker(**variables)
        self.wait_for(workers)

    def add_worker(self, *options: str, **variables: str) -> subprocess.Popen:
        """Start a worker with these environment variables, and return its process without waiting."""
        options = options or ("--nthreads", "1")
        worker = self._start("worker", self.address, "--no-nanny", "--no-dashboard", *options, **variables)
        self.workers.append(worker)
        return worker

    def wait_for(self, workers: int) -> None:
        """Wait until this many workers are connected."""
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            self._wait(lambda: len(client.nthreads()) == workers)

    def stop(self, process: subprocess.Popen) -> None:
        """Kill a worker or the scheduler."""
        process.kill()
        process.wait()

    def close(self) -> None:
        """End all processes."""
        for process in reversed(self.processes):
            self.stop(process)
        self.folder.cleanup()

    def _start(self, kind: str, *options: str, **variables: str) -> subprocess.Popen:
        path = os.pathsep.join([str(ROOT / "tools"), str(ROOT / "tests" / "support")])
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
            assert time.monotonic() < stop, "the cluster did not start"
            time.sleep(0.05)
        return found
