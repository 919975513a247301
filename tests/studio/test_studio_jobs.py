"""Tests of jobs: streamed results, replacement by newer jobs of the same kind, complete cancellation."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading

import pytest
import studio_methods  # noqa: F401 - registers the jobs that these tests start
from live_processes import is_alive
from studio_apps import CENTRE

from littlego.editor.methods import JOBS, Refusal
from littlego.editor.session import Snapshot
from littlego.studio import jobs as studio_jobs
from littlego.studio.jobs import MOST_KEPT, PREPARED_BY, Jobs, Spares, serve
from littlego.studio.processes import Child

SNAPSHOT = Snapshot(1, "text")


def run(test):
    async def all_of_it():
        jobs = Jobs()
        try:
            await test(jobs)
        finally:
            jobs.close()

    asyncio.run(all_of_it())


async def events_of(job):
    return [event async for event in job.listen()]


async def first_of(job):
    return await anext(job.listen())


async def ended(pid):
    while is_alive(pid):
        await asyncio.sleep(0.02)


def test_events_come_in_order_to_all_who_listen_however_late():
    async def test(jobs):
        job = jobs.start("one", "test-count", SNAPSHOT, {"to": 3})
        early = asyncio.create_task(events_of(job))
        assert await early == [{"progress": [n, 3]} for n in (1, 2, 3)] + [{"done": 3}]
        assert await events_of(job) == await early

    run(test)


def test_a_newer_job_of_the_kind_takes_the_place_of_the_page_s_own():
    async def test(jobs):
        wait = studio_methods.FOREVER
        older = jobs.start("one", "test-count", SNAPSHOT, {"to": 1, "wait": wait})
        other = jobs.start("two", "test-count", SNAPSHOT, {"to": 1, "wait": wait})
        newer = jobs.start("one", "test-count", SNAPSHOT, {"to": 1})
        assert (await events_of(older))[-1]["problem"]["code"] == "stale"
        assert (await events_of(newer))[-1] == {"done": 1}
        assert not other.is_over

    run(test)


def test_cancelling_lets_it_clean_up_and_ends_what_it_started(tmp_path):
    async def test(jobs):
        job = jobs.start("one", "test-children", SNAPSHOT, {"marker": str(tmp_path / "cleaned")})
        child = (await first_of(job))["result"]
        assert is_alive(child)
        job.cancel()
        assert (await events_of(job))[-1]["problem"] == {"code": "stale", "text": "cancelled"}
        await asyncio.wait_for(ended(child), 60)
        assert (tmp_path / "cleaned").exists()

    run(test)


def test_one_that_nobody_listens_to_is_ended(monkeypatch):
    monkeypatch.setattr("littlego.studio.jobs.ABANDONED", 0.3)

    async def test(jobs):
        heard = jobs.start("one", "test-stubborn", SNAPSHOT, {})
        listening = heard.listen()
        pid = (await anext(listening))["result"]
        unheard = jobs.start("two", "test-stubborn", SNAPSHOT, {})
        while not unheard.is_over:
            await asyncio.sleep(0.02)
        assert not heard.is_over
        await listening.aclose()  # Starlette cancels the stream in this way when a page disconnects
        while not heard.is_over:
            await asyncio.sleep(0.02)
        await asyncio.wait_for(ended(pid), 60)

    run(test)


def test_one_that_does_not_end_when_asked_is_killed():
    async def test(jobs):
        job = jobs.start("one", "test-stubborn", SNAPSHOT, {})
        pid = (await first_of(job))["result"]
        job.cancel()
        await asyncio.wait_for(ended(pid), 60)

    run(test)


def test_closing_leaves_no_process_behind(tmp_path):
    pids = []

    async def test(jobs):
        for page in "ab":
            job = jobs.start(page, "test-children", SNAPSHOT, {"marker": str(tmp_path / page)})
            pids.append((await first_of(job))["result"])

    run(test)
    assert pids and not any(map(is_alive, pids))


@pytest.mark.parametrize(
    ("kind", "code", "said"),
    [
        ("argument", "invalid", "found a"),
        ("value", "failed", "a bug in the studio"),
        ("die", "died", "start the job again"),
    ],
)
def test_a_fault_is_its_last_event(kind, code, said):
    async def test(jobs):
        first, last = await events_of(jobs.start("one", "test-job-fails", SNAPSHOT, {"kind": kind}))
        assert first == {"result": 1} and last["problem"]["code"] == code and said in last["problem"]["text"]

    run(test)


def test_a_job_killed_from_outside_is_told_as_died():
    async def test(jobs):
        job = jobs.start("one", "test-stubborn", SNAPSHOT, {})
        os.kill((await first_of(job))["result"], signal.SIGKILL)
        assert (await events_of(job))[-1]["problem"]["code"] == "died"

    run(test)


def test_unknown_jobs_and_parameters_are_refused():
    async def test(jobs):
        for kind, parameters in (("nothing", {}), ("test-count", {}), ("test-count", {"to": "3"})):
            with pytest.raises(Refusal):
                jobs.start("one", kind, SNAPSHOT, parameters)
        with pytest.raises(Refusal, match="there is no job 77"):
            jobs.find(77)

    run(test)


def test_jobs_that_are_over_are_forgotten_in_time():
    async def test(jobs):
        for _ in range(40):
            jobs.start("one", "test-stubborn", SNAPSHOT, {}).cancel()
        assert len(jobs._jobs) <= MOST_KEPT + 1

    run(test)


def test_one_whose_process_cannot_be_started_says_so(monkeypatch):
    def fail(*_):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("littlego.studio.jobs.Child", fail)

    async def test(jobs):
        job = jobs.start("one", "test-count", SNAPSHOT, {"to": 1})
        (event,) = await asyncio.wait_for(events_of(job), 60)
        assert event["problem"]["code"] == "died"

    run(test)


def test_when_the_studio_ends_none_is_started_and_none_is_waited_for_to_stop(monkeypatch):
    """To reuse its process, the studio waits for a job that ignores interrupts, except at shutdown."""
    monkeypatch.setattr("littlego.studio.jobs.PATIENCE", 3600.0)

    async def test(jobs):
        job = jobs.start("one", "test-unstoppable", SNAPSHOT, {})
        pid = (await first_of(job))["result"]
        job.cancel()
        await asyncio.sleep(0.2)  # meanwhile the server waits for the cancelled job
        await asyncio.wait_for(asyncio.to_thread(jobs.close), 60)
        assert not is_alive(pid)
        with pytest.raises(Refusal, match="the studio is stopping"):
            jobs.start("one", "test-count", SNAPSHOT, {"to": 1})

    run(test)


def test_what_breaks_in_a_job_that_is_asked_to_end_is_no_fault(monkeypatch, capsys):
    """The request may arrive while a lock is half acquired; the code with the lock then raises an error."""
    monkeypatch.setattr("littlego.studio.jobs.was_asked_to_end", lambda: True)
    ours, theirs = multiprocessing.Pipe()
    ours.send((SNAPSHOT, JOBS["test-job-fails"], {"kind": "value"}))
    with pytest.raises(SystemExit):
        serve(theirs)
    assert capsys.readouterr().err == ""


def test_closing_while_a_process_is_being_started_leaves_none(monkeypatch):
    begun, may_go_on, made = threading.Event(), threading.Event(), []

    def slow_child(*arguments):
        begun.set()
        may_go_on.wait(60)
        made.append(Child(*arguments))
        return made[-1]

    monkeypatch.setattr("littlego.studio.jobs.Child", slow_child)

    async def test(jobs):
        for kind in ("test-stubborn", "test-lasting"):
            jobs.start("one", kind, SNAPSHOT, {})
        await asyncio.to_thread(begun.wait, 60)
        closing = asyncio.create_task(asyncio.to_thread(jobs.close))
        await asyncio.sleep(0.1)
        may_go_on.set()
        await asyncio.wait_for(closing, 60)
        assert made and not any(is_alive(one.pid) for one in made)

    run(test)


def test_the_process_of_a_lasting_job_does_the_next_one_also_after_a_cancelled_one():
    async def test(jobs):
        pids = []
        for wait in (0.0, studio_methods.FOREVER, 0.0):
            job = jobs.start("one", "test-lasting", SNAPSHOT, {"wait": wait})
            pids.append((await first_of(job))["result"])
            if wait:
                job.cancel()
            await asyncio.to_thread(job.join)
        assert len(set(pids)) == 1 and is_alive(pids[0])
        jobs.close()
        await asyncio.wait_for(ended(pids[0]), 60)

    run(test)


def test_a_job_waits_for_the_process_of_the_one_whose_place_it_takes():
    async def test(jobs):
        older = jobs.start("one", "test-lasting", SNAPSHOT, {"wait": studio_methods.FOREVER})
        pid = (await first_of(older))["result"]
        for _ in range(3):  # somebody types
            newer = jobs.start("one", "test-lasting", SNAPSHOT, {"wait": 0.0})
        assert (await first_of(newer))["result"] == pid

    run(test)


def test_a_job_waits_for_the_process_that_makes_ready_for_it(monkeypatch):
    monkeypatch.setitem(PREPARED_BY, "test-lasting", "prepare")

    async def test(jobs):
        preparing = jobs.start("one", "prepare", Snapshot(1, CENTRE), {})
        job = jobs.start("one", "test-lasting", SNAPSHOT, {"wait": 0.0})
        while preparing._child is None:
            await asyncio.sleep(0.001)
        pid = preparing._child.pid
        assert (await events_of(preparing))[-1] == {"done": {}}
        assert (await first_of(job))["result"] == pid

    run(test)


class Idle:
    """A process that waits for a job. ended: set when the process is asked to end."""

    is_alive = True

    def __init__(self):
        self.ended = threading.Event()

    def end(self, patience):
        assert patience == 0.0
        self.ended.set()


def test_of_two_processes_that_wait_one_is_ended_after_a_while(monkeypatch):
    monkeypatch.setattr(studio_jobs, "REST", 0.05)
    spares, first, second = Spares(), Idle(), Idle()
    assert spares.keep(first) and spares.keep(second) and not spares.keep(Idle())
    assert first.ended.wait(10)
    assert spares.take() is second and spares.take() is None and not second.ended.is_set()


def test_processes_that_are_needed_are_not_ended(monkeypatch):
    spares, one, other = Spares(), Idle(), Idle()
    assert spares.keep(one) and spares.keep(other)
    spares._trim()  # ends no process, since none has been idle for long
    assert [spares.take(), spares.take()] == [other, one] and not one.ended.is_set()
