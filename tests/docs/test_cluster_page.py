"""The scripts of docs/cluster.md: the one for a laptop runs, those for ssh and Slurm say what their libraries know."""

from __future__ import annotations

import builtins
import inspect
import re
import subprocess
import sys

import pytest

from tools.cache import ROOT

PAGE = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")
LAPTOP, SSH, SLURM = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.slow
def test_the_laptop_of_the_page_plays_a_tournament(tmp_path):
    program = LAPTOP.replace("8786", "0")
    made = subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with made:
        address = re.search(r"tcp://\S+", made.stdout.readline())[0]
        begin = ["arena", "gauntlet", "greedy", "random", "--pairs", "9", "--file", str(tmp_path / "far.db")]
        done = subprocess.run([sys.executable, "-m", "tools", *begin, "--scheduler", address], cwd=ROOT, timeout=200)
        made.communicate("\n", timeout=100)
    assert done.returncode == 0 and made.returncode == 0


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
    assert set(asked) == {"hosts", "remote_python", "scheduler_options", "worker_options"}
    assert asked["worker_options"]["nthreads"] == 1
    assert {"nthreads"} <= set(inspect.signature(distributed.Worker).parameters)


def test_the_job_of_the_page_starts_a_worker_a_core(monkeypatch, capsys):
    from dask_jobqueue import SLURMCluster

    made = []
    monkeypatch.setattr(SLURMCluster, "adapt", lambda self, **jobs: made.append(self))  # Slurm is not here
    monkeypatch.setattr(builtins, "input", lambda _: made[0].close())
    exec(SLURM.replace("8786", "0"), {"__name__": "__main__"})
    script = capsys.readouterr().out
    assert "#SBATCH --cpus-per-task=16" in script and "#SBATCH -t 04:00:00" in script
    assert all(option in script for option in ("--nthreads 1 ", "--nworkers 16 ", "--lifetime 3h50m "))
    assert script.index("export LITTLEGO_CACHE=") < script.index("dask_worker tcp://")
