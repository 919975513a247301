"""Tests in a real Chromium of a page's recovery from crashes of a worker, a job, the server or a tab.

The scenarios are a killed worker, Ctrl-C with a page open, a killed server, and a closed tab.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress

import pytest
from live_processes import descendants, is_alive
from studio_server import LONGEST, running_studio

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="NOT RUN: it looks into /proc")

PATTERN = "take-the-last-liberty"
BOARD = "OX.../...../...../...../....."
MINE = "# not saved"


def show(new_page, studio, more=f"&pattern={PATTERN}&board={BOARD}"):
    page = new_page()
    page.goto(studio.url + more)
    page.locator("[data-hits]").wait_for()
    return page


def workers_of(studio):
    """Return the ids of the processes for answers and jobs, which are the children of the fork server."""
    children = descendants(studio.process.pid)
    return {pid for one in children for pid in descendants(one)}


def wait_until_ended(pids):
    until = time.monotonic() + LONGEST
    while left := [pid for pid in pids if is_alive(pid)]:
        assert time.monotonic() < until, left
        time.sleep(0.05)


def test_the_workers_are_killed_and_the_page_goes_on(new_page, running):
    page = show(new_page, running)
    page.locator('[data-hits="1"]').wait_for()
    for _ in range(2):
        killed = workers_of(running)
        assert killed
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        wait_until_ended(killed)
        hits = page.locator("[data-hits]").get_attribute("data-hits")
        # O, with which the pattern fires once, becomes x; the next click makes it o, with which it fires often
        page.locator('.drawing [data-cell="0,0"]').click()
        page.locator(f'[data-hits]:not([data-hits="{hits}"])').wait_for()
        assert not workers_of(running) & killed
    assert page.locator(".announcements .problem").inner_text() == ""
    page.locator("[data-told=file]", has_text="edited, not saved").wait_for()


def test_a_job_that_is_killed_says_so_and_can_be_started_again(new_page, running):
    page = show(new_page, running)
    before = workers_of(running)
    page.get_by_role("button", name="Propose examples").click()
    told = page.locator(".proposals [role=status]", has_text="start the job again")
    until = time.monotonic() + LONGEST
    while not told.count():  # kill each new process, since the page's other background work may start first
        for pid in workers_of(running) - before:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        assert time.monotonic() < until
    page.get_by_role("button", name="Propose examples").click()
    page.locator(".proposals [role=status]", has_text="checked").wait_for()


def test_ctrl_c_ends_it_with_pages_and_a_job_open_and_the_pages_say_so(new_page, running):
    pages = [show(new_page, running) for _ in range(2)]
    pages[0].get_by_role("button", name="Propose examples").click()
    started = descendants(running.process.pid)
    assert running.interrupt() == 0
    wait_until_ended(started)
    for page in pages:
        page.locator("[data-told=file]", has_text="the studio does not answer").wait_for()
    said = running.process.stdout.read()
    assert "Traceback" not in said and "leaked" not in said, said


@pytest.mark.slow
def test_ctrl_c_with_pages_open_takes_less_than_three_seconds(new_page, patterns_file):
    times = []
    for _ in range(5):
        with running_studio(patterns_file) as studio:
            pages = [show(new_page, studio) for _ in range(2)]
            pages[0].get_by_role("button", name="Propose examples").click()
            begun = time.monotonic()
            assert studio.interrupt() == 0
            times.append(time.monotonic() - begun)
    print(f"seconds from Ctrl-C to the end: {', '.join(f'{one:.2f}' for one in times)}")
    assert max(times) < 3, times


def test_what_a_killed_server_had_not_saved_is_there_again(new_page, patterns_file):
    before = patterns_file.read_text(encoding="utf-8")
    with running_studio(patterns_file) as studio:
        page = show(new_page, studio)
        page.locator(".cm-content").click()
        page.keyboard.press("Control+Home")
        page.keyboard.type(MINE + "\n")
        studio.text(lambda text: text.startswith(MINE))
        until = time.monotonic() + LONGEST
        drafts = patterns_file.parent / ".cache" / "studio-drafts"
        while not any(MINE in draft.read_text(encoding="utf-8") for draft in drafts.glob("*.json")):
            assert time.monotonic() < until
            time.sleep(0.05)
        started = descendants(studio.process.pid)
        studio.process.kill()
        studio.process.wait(LONGEST)
        wait_until_ended(started)
        page.get_by_text("Your edits are kept in this page;").or_(
            page.get_by_text("the studio does not answer")
        ).wait_for()
    with running_studio(patterns_file) as studio:
        page = new_page()
        page.route("**/static/views/pages.js", lambda route: (time.sleep(1), route.continue_()))  # a slow start
        page.goto(studio.url)
        page.get_by_text("The unsaved text of the last session was restored.").wait_for()
        page.locator(".cm-line", has_text=MINE).wait_for()
        page.locator("[data-told=file]", has_text="edited, not saved").wait_for()
    assert patterns_file.read_text(encoding="utf-8") == before


def test_the_page_shows_that_a_draft_is_not_saved_and_then_that_it_is(new_page, patterns_file):
    with running_studio(patterns_file) as studio:
        drafts = patterns_file.parent / ".cache" / "studio-drafts"
        drafts.write_text("a file, so that no folder can be made")
        page = show(new_page, studio)
        page.locator(".cm-content").click()
        page.keyboard.type("#")
        page.locator("[data-told=file]", has_text="Draft not saved: File exists").wait_for()
        drafts.unlink()
        page.locator("[data-told=file]", has_text="edited, not saved").wait_for()
        assert list(drafts.glob("*.json"))


def test_a_tab_that_is_closed_leaves_its_text_and_its_address_opens_the_same(new_page, running):
    page = show(new_page, running)
    page.locator('.drawing [data-cell="0,0"]').click()
    text = running.text(lambda text: "      x *" in text)
    address = page.url
    context = page.context
    page.close(run_before_unload=False)
    other = new_page(context)
    other.goto(address)
    other.locator('.drawing [data-cell="0,0"][aria-label*="0,0"]').wait_for()
    other.locator(".cm-line", has_text="x *").wait_for()
    assert other.locator(".outline [aria-current]").inner_text() == PATTERN
    other.locator("[data-told=file]", has_text="edited, not saved").wait_for()
    assert running.text() == text
