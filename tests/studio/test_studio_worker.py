"""Tests of the worker process: a channel's newest request is answered; a dead process is replaced."""

from __future__ import annotations

import asyncio
import os
import signal
import threading

import pytest
import studio_methods  # noqa: F401 - registers the methods that these tests call

from littlego.editor.methods import METHODS, QUICK, SLOW, Refusal, answer
from littlego.editor.session import Snapshot
from littlego.studio import worker
from littlego.studio.processes import Child
from littlego.studio.worker import Worker


class Asked:
    """A worker for a document that the test changes."""

    def __init__(self, lane=QUICK):
        self.snapshot = Snapshot(1, "text")
        self.worker = Worker(lane, lambda: self.snapshot)

    async def ask(self, name, page="one", revision=1, **parameters):
        """Return the answer, or the code of a problem."""
        try:
            return await self.worker.ask(page, revision, METHODS[name], parameters)
        except Refusal as why:
            return why.code

    def begin(self, name, **parameters):
        return asyncio.create_task(self.ask(name, **parameters))


def run(test, lane=QUICK):
    """Run a test with a worker, which is closed afterwards."""

    async def all_of_it():
        asked = Asked(lane)
        try:
            await test(asked)
        finally:
            asked.worker.close()

    asyncio.run(all_of_it())


def test_of_a_channel_only_the_newest_request_is_answered():
    async def test(asked):
        tasks = []
        for value in range(5):
            tasks.append(asked.begin("test-echo", value=value, wait=0.2))
            await asyncio.sleep(0)
        *older, newest = await asyncio.gather(*tasks)
        assert newest == {"value": 4, "length": 4}
        assert older[1:] == ["stale"] * 3  # the first request may already be running

    run(test)


def test_a_request_that_was_overtaken_on_its_way_takes_no_place():
    """Two requests over two connections may arrive in the wrong order."""

    async def test(asked):
        asked.snapshot = Snapshot(2, "longer text")
        await asked.ask("test-echo", revision=2, value=0)  # the process has started
        at_work = asked.begin("test-echo", revision=2, value=1, wait=0.2)
        while asked.worker._running is None:
            await asyncio.sleep(0)
        waiting = asked.begin("test-echo", revision=2, value=2)
        await asyncio.sleep(0)
        assert await asked.ask("test-echo", revision=1, value=3) == "stale"
        assert [one["value"] for one in await asyncio.gather(at_work, waiting)] == [1, 2]

    run(test)


def test_another_channel_and_another_page_keep_their_requests():
    async def test(asked):
        tasks = [asked.begin("test-echo", page=page, value=n) for n, page in enumerate("abc")]
        tasks.append(asked.begin("test-pid", page="a"))
        answers = await asyncio.gather(*tasks)
        assert [one["value"] for one in answers[:3]] == [0, 1, 2] and "pid" in answers[3]

    run(test)


def test_a_worker_blocks_no_signals():
    async def test(asked):
        assert await asked.ask("test-blocked") == {"signals": []}

    run(test)


def test_what_runs_is_interrupted_by_a_newer_request_in_the_slow_lane():
    async def test(asked):
        older = asked.begin("test-slow", value=1, wait=studio_methods.FOREVER)
        while asked.worker._running is None or asked.worker.pid is None:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.3)
        newer = asked.begin("test-slow", value=2)
        assert await asyncio.wait_for(older, 60) == "stale"
        assert await newer == {"value": 2}

    run(test, SLOW)


def test_what_nobody_waits_for_any_more_is_interrupted_in_the_slow_lane():
    async def test(asked):
        left = asked.begin("test-slow", value=1, wait=studio_methods.FOREVER)
        while asked.worker._running is None or asked.worker.pid is None:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.3)
        pid = asked.worker.pid
        left.cancel()
        other = asked.begin("test-slow", page="another", value=2)
        assert await asyncio.wait_for(other, 60) == {"value": 2} and asked.worker.pid == pid

    run(test, SLOW)


def test_a_request_about_an_older_text_is_stale_also_where_it_was_asked_in_time():
    async def test(asked):
        await asked.ask("test-echo", value=0)  # the process has started
        first = asked.begin("test-echo", value=1, wait=0.3)
        second = asked.begin("test-pid")
        await asyncio.sleep(0.05)
        asked.snapshot = Snapshot(2, "longer text")
        assert await first == {"value": 1, "length": 4}
        assert await second == "stale"
        assert await asked.ask("test-echo", revision=2, value=2) == {"value": 2, "length": 11}

    run(test)


def test_a_process_that_is_killed_is_replaced():
    async def test(asked):
        before = (await asked.ask("test-pid"))["pid"]
        os.kill(before, signal.SIGKILL)
        while (answer := await asked.ask("test-pid")) == "died":
            pass
        assert answer["pid"] not in (before, os.getpid())
        assert await asked.ask("test-die") == "died"
        assert await asked.ask("test-echo", value=1) == {"value": 1, "length": 4}  # the worker has the text

    run(test)


def test_a_process_killed_at_work_loses_its_request_only():
    async def test(asked):
        at_work = asked.begin("test-echo", value=1, wait=studio_methods.FOREVER)
        waiting = asked.begin("test-pid")
        while asked.worker.pid is None:
            await asyncio.sleep(0.01)
        os.kill(asked.worker.pid, signal.SIGKILL)
        assert await at_work == "died"
        assert "pid" in await waiting

    run(test)


def test_a_process_has_the_environment_of_the_server(monkeypatch):
    # the fork server, from which the worker is forked, is older than this setting
    monkeypatch.setenv("STUDIO_TEST", "of now")

    async def test(asked):
        assert await asked.ask("test-environment") == dict(os.environ)

    run(test)


def test_only_the_fields_that_changed_are_sent():
    first = Snapshot(1, "text", opened="text")
    assert first.changes_since(Snapshot()) == {"revision": 1, "text": "text", "opened": "text"}
    assert Snapshot(2, "longer text", opened="text").changes_since(first) == {"revision": 2, "text": "longer text"}
    assert Snapshot(1, "text", opened="text").changes_since(first) == {}


def test_faults_are_told_and_end_nothing():
    async def test(asked):
        before = await asked.ask("test-pid")
        with pytest.raises(Refusal, match="found a, expected b") as told:
            await asked.worker.ask("one", 1, METHODS["test-fail"], {"kind": "argument"})
        assert told.value.code == "invalid"
        with pytest.raises(Refusal, match="test-fail: ValueError: a fault. This is a bug in the studio") as told:
            await asked.worker.ask("one", 1, METHODS["test-fail"], {"kind": "value"})
        assert told.value.code == "failed"
        assert await asked.ask("test-pid") == before

    run(test)


def test_a_fault_of_ours_is_printed_with_all_its_lines(capsys):
    with pytest.raises(Refusal, match="a fault"):
        answer(None, "test-fail", {"kind": "value"})
    assert 'raise ArgumentError("found a, expected b")' in capsys.readouterr().err


def test_closing_while_the_process_is_being_started_waits_for_no_answer(monkeypatch):
    begun, may_go_on = threading.Event(), threading.Event()

    def slow_child(*arguments):
        begun.set()
        may_go_on.wait(10)
        return Child(*arguments)

    monkeypatch.setattr(worker, "Child", slow_child)

    async def test(asked):
        task = asked.begin("test-echo", value=1, wait=studio_methods.FOREVER)
        while not begun.is_set():
            await asyncio.sleep(0.01)
        closing = threading.Thread(target=asked.worker.close, daemon=True)
        closing.start()
        while not asked.worker._is_closed:
            await asyncio.sleep(0.01)
        may_go_on.set()
        await asyncio.to_thread(closing.join, 10)
        assert not closing.is_alive()
        assert await task == "died"

    run(test)


def test_when_the_studio_ends_no_question_is_waited_for():
    """The server waits for running answers before it closes its files and processes."""

    async def test(asked):
        tasks = [asked.begin("test-echo", page=page, value=1, wait=studio_methods.FOREVER) for page in "ab"]
        while asked.worker.pid is None:
            await asyncio.sleep(0.01)
        asked.worker.end()
        assert await asyncio.wait_for(asyncio.gather(*tasks), 60) == ["died", "died"]
        assert await asked.ask("test-pid") == "died"
        asked.worker.close()

    run(test)


def test_closing_ends_what_is_at_work_and_refuses_what_waits():
    async def test(asked):
        tasks = [asked.begin("test-echo", page=page, value=1, wait=studio_methods.FOREVER) for page in "ab"]
        while asked.worker.pid is None:
            await asyncio.sleep(0.01)
        pid = asked.worker.pid
        asked.worker.close()
        assert await asyncio.gather(*tasks) == ["died", "died"]
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
        assert await asked.ask("test-pid") == "died"

    run(test)
