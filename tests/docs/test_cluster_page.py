"""Tests of docs/cluster.md: its ssh and Slurm scripts fit the APIs, and nothing listens without TLS."""

from __future__ import annotations

import builtins
import inspect
import os
import re
import socket
import subprocess

import pytest
from dask_cluster import ROLES, TLS, in_environment, make_certificates

from littlego.cache import ROOT

PAGE = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")
SSH, SLURM = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_variables_of_the_page_are_those_that_tests_use(tmp_path):
    lines = re.search(r"```sh\n(.*?)```", PAGE, re.DOTALL)[1]
    environment = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    done = subprocess.run(["sh", "-c", lines + "env"], env=environment, capture_output=True, text=True, check=True)
    found = dict(line.split("=", 1) for line in done.stdout.splitlines() if line.startswith(TLS))
    folder = tmp_path / ".littlego-tls"
    folder.mkdir()
    assert found == make_certificates(folder) and len(found) == 2 + 2 * len(ROLES)


def test_nothing_of_the_page_listens_beyond_its_machine_without_tls():
    lines = [
        line for line in PAGE.replace("\\\n", "").splitlines() if re.match(r"    .*\bdask (scheduler|worker) ", line)
    ]
    assert len(lines) == 4
    for line in lines:
        assert "--host " in line and "--dashboard-address 127.0.0.1:" in line
        assert "--host 127.0.0.1" in line or "tls" in line
    for script in (SSH, SLURM):
        assert '"127.0.0.1:8787"' in script and "Security()" in script
    assert "/tmp" not in PAGE and "--scheduler tcp://HOST" not in PAGE


def test_the_ssh_of_the_page_is_what_dask_takes(monkeypatch):
    import distributed

    asked = {}

    def cluster(*args, **kwargs):
        asked.update(inspect.signature(SSHCluster).bind(*args, **kwargs).arguments)
        raise KeyboardInterrupt

    SSHCluster = distributed.SSHCluster
    monkeypatch.setattr(distributed, "SSHCluster", cluster)
    with pytest.raises(KeyboardInterrupt):
        exec(SSH, {"__name__": "__main__"})
    assert asked.pop("kwargs").keys() == {"security"}
    assert set(asked) == {"hosts", "remote_python", "scheduler_options", "worker_options"}
    assert asked["scheduler_options"]["host"] == "first"
    assert all(asked[options]["protocol"] == "tls" for options in ("scheduler_options", "worker_options"))
    assert asked["worker_options"]["nthreads"] == 1
    assert {"nthreads"} <= set(inspect.signature(distributed.Worker).parameters)


def test_the_job_of_the_page_starts_a_worker_a_core(monkeypatch, capsys, tmp_path):
    from dask_jobqueue import SLURMCluster

    made = []
    monkeypatch.setattr(SLURMCluster, "adapt", lambda self, **jobs: made.append(self))  # Slurm is not installed here
    monkeypatch.setattr(builtins, "input", lambda _: made[0].close())
    monkeypatch.setattr(socket, "gethostname", lambda: "127.0.0.1")  # this machine's host name may not resolve
    with in_environment(make_certificates(tmp_path)):
        exec(SLURM.replace("8786", "0").replace("8787", "0"), {"__name__": "__main__"})
    script = capsys.readouterr().out
    assert "#SBATCH --cpus-per-task=16" in script and "#SBATCH -t 04:00:00" in script
    assert all(option in script for option in ("--nthreads 1 ", "--nworkers 16 ", "--lifetime 3h50m "))
    assert script.index('export LITTLEGO_CACHE="$(mktemp -d)"') < script.index("dask_worker tls://")
    for option in ("--tls-ca-file", "--tls-cert"):
        assert f"{option} {tmp_path}/cluster.pem" in script
    assert f"--tls-key {tmp_path}/cluster.key" in script and "--protocol tls" in script
    assert made[0].scheduler_address.startswith("tls://")
