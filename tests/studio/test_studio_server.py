"""Tests of `littlego studio` as a user runs it: its address, its end, and complete cleanup."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from http.client import HTTPConnection

import pytest
from live_processes import descendants, is_alive
from studio_server import LONGEST, ROOT, running_studio

from littlego.cli.main import main
from littlego.studio.cli import open_browser

needs_proc = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="NOT RUN: it looks into /proc")


def open_stream(studio, path="/api/events"):
    """Return an open stream after its first event; the connection stays open like a page's."""
    connection = HTTPConnection("127.0.0.1", studio.port, timeout=LONGEST)
    connection.request("GET", path, headers={"X-Studio-Token": studio.token})
    answer = connection.getresponse()
    assert json.loads(answer.readline().removeprefix(b"data: ")) and answer.readline() == b"\n"
    return connection, answer


def wait_until_ended(pids):
    until = time.monotonic() + LONGEST
    while left := [pid for pid in pids if is_alive(pid)]:
        assert time.monotonic() < until, left
        time.sleep(0.05)


@needs_proc
def test_one_ctrl_c_ends_it_with_streams_and_a_job_open_and_nothing_stays(running):
    running.ask("outline")
    streams = [open_stream(running)]
    job = running.request("/api/jobs/compile", {})[1]["job"]
    streams.append(open_stream(running, f"/api/jobs/{job}/events"))
    started = descendants(running.process.pid)
    assert len(started) >= 2  # the fork server and a worker
    assert running.interrupt() == 0
    wait_until_ended(started)
    assert "Traceback" not in running.process.stdout.read()
    for connection, _ in streams:
        connection.close()


@pytest.mark.slow
def test_ctrl_c_with_a_page_s_stream_open_takes_less_than_three_seconds(patterns_file):
    times = []
    for _ in range(5):
        with running_studio(patterns_file) as studio:
            connection, _ = open_stream(studio)
            begun = time.monotonic()
            assert studio.interrupt() == 0
            times.append(time.monotonic() - begun)
            connection.close()
    assert max(times) < 3, times


@needs_proc
@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGTERM, marks=pytest.mark.slow), signal.SIGHUP, signal.SIGKILL]
)
def test_nothing_stays_behind_however_it_is_ended(running, number):
    running.ask("outline")
    started = descendants(running.process.pid)
    running.process.send_signal(number)
    running.process.wait(LONGEST)
    wait_until_ended(started)


@needs_proc
def test_a_worker_that_is_killed_is_replaced_while_it_serves(running):
    before = running.ask("outline")
    (server,) = (pid for pid in descendants(running.process.pid) if len(descendants(pid)) == 1)
    (worker,) = descendants(server)
    os.kill(worker, signal.SIGKILL)
    wait_until_ended([worker])
    revision = running.request("/api/state")[1]["revision"]
    statuses = [running.request("/api/ask/outline", {"revision": revision})[0] for _ in range(2)]
    assert statuses[-1] == 200 and statuses[0] in (200, 503)
    assert running.ask("outline") == before


def test_a_draft_outlives_a_studio_that_is_killed(patterns_file, tmp_path):
    environment = {"LITTLEGO_CACHE": str(tmp_path / "cache")}
    with running_studio(patterns_file, environment=environment) as studio:
        edit = {"revision": 1, "changes": [{"from": 0, "to": 0, "insert": "# not saved\n"}]}
        assert studio.request("/api/edit", edit)[0] == 200
        until = time.monotonic() + LONGEST
        while not list((tmp_path / "cache").glob("studio-drafts/*.json")):
            assert time.monotonic() < until
            time.sleep(0.05)
        studio.process.kill()
        studio.process.wait(LONGEST)
    with running_studio(patterns_file, environment=environment) as studio:
        state = studio.request("/api/state")[1]
        assert state["restored"] and state["text"].startswith("# not saved\n")
    assert not patterns_file.read_text().startswith("# not saved")


def test_foreign_hosts_and_origins_and_a_taken_port_are_refused(running, patterns_file, capsys):
    for headers in (
        {"Host": "evil.example"},
        {"Host": f"127.0.0.1:{running.port + 1}"},
        {"Origin": "http://evil.example"},
    ):
        status, answer = running.request("/api/state", **headers)
        assert status == 403 and answer["problem"]["code"] == "forbidden"
    assert (
        running.request("/api/state", Host=f"localhost:{running.port}", Origin=f"http://localhost:{running.port}")[0]
        == 200
    )
    assert main(["studio", str(patterns_file), "--no-open", "--port", str(running.port)]) == 2
    assert f"cannot listen at 127.0.0.1:{running.port}: Address already in use" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "said"), [("nothing.yaml", "No such file"), (".", "Is a directory")])
def test_a_file_that_cannot_be_read_is_told(capsys, tmp_path, name, said):
    assert main(["studio", str(tmp_path / name), "--no-open"]) == 2
    assert said in capsys.readouterr().err


def test_it_opens_the_browser_at_its_address(patterns_file, tmp_path):
    """BROWSER names the program that Python's webbrowser module runs."""
    told = tmp_path / "told"
    script = tmp_path / "browser.sh"
    script.write_text(f'#!/bin/sh\necho "$1" > {told}.new && mv {told}.new {told}\n')
    script.chmod(0o755)
    command = [sys.executable, "-m", "littlego", "studio", str(patterns_file)]
    environment = {**os.environ, "BROWSER": f"{script} %s"}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment) as process:
        line = process.stdout.readline()
        until = time.monotonic() + LONGEST
        while not told.exists():
            assert time.monotonic() < until
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
    assert told.read_text().strip() in line


def test_a_machine_without_a_browser_is_no_fault(monkeypatch):
    monkeypatch.setattr("webbrowser.open", lambda url: False)
    open_browser("http://127.0.0.1:1/").join()


def stalled_stream(studio):
    """Return a connection whose stream is never read and has more events than its buffers hold."""
    connection = socket.create_connection(("127.0.0.1", studio.port), timeout=LONGEST)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    head = f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\nX-Studio-Token: {studio.token}\r\n\r\n"
    connection.sendall(head.encode())
    connection.recv(100)  # the stream has begun
    for revision in range(1, 9):
        change = {"from": 0, "to": 0 if revision == 1 else 1_000_000, "insert": "#" * 1_000_000}
        assert studio.request("/api/edit", {"revision": revision, "changes": [change]})[0] == 200
    return connection


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_ends_it_without_a_traceback_while_streams_are_stalled(running, number):
    connections = [stalled_stream(running)]
    running.process.send_signal(number)
    assert running.process.wait(LONGEST) in (0, 128 + number)
    said = running.process.stdout.read()
    assert "Traceback" not in said and "Cancel" not in said, said
    for connection in connections:
        connection.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("delay", [0.0, 0.2, 0.4, 0.8])
def test_one_signal_ends_it_while_it_starts(patterns_file, number, delay):
    """The delays spread over the start of Python, the imports and the first process."""
    command = [sys.executable, "-m", "littlego", "studio", "--no-open", str(patterns_file)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        time.sleep(delay)
        process.send_signal(number)
        process.wait(LONGEST)
        said = process.stdout.read()
    assert process.returncode in (0, -number, 128 + number), said
    assert "Traceback" not in said or process.returncode == -number, said
