"""Tests of drafts: one for each running studio, none is lost, and failures are reported."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from studio_apps import CENTRE, studio_client
from studio_server import LONGEST, SMALL, RunningStudio, own_cache, running_studio

from littlego.editor.documents import Draft
from littlego.editor.methods import Refusal
from littlego.scratch import is_running, process_name
from littlego.studio.studio import Studio
from littlego.studio.unsaved import Drafts

MINE, THEIRS = CENTRE.replace("the middle", "my middle"), CENTRE.replace("950", "7")


@pytest.fixture
def path(tmp_path):
    (tmp_path / "mine").mkdir()
    path = tmp_path / "mine" / "patterns.yaml"
    path.write_text(CENTRE)
    return path


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "drafts"


def edited(studio: Studio, text: str) -> None:
    document = studio.document
    document.edit(document.revision, [{"from": 0, "to": len(document.text), "insert": text}])


def test_a_process_has_a_name_of_its_own():
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        name = process_name(process.pid)
        assert name != process_name() and is_running(name) and is_running(process_name())
        process.communicate(b"\n")
    assert not is_running(name)
    machine, boot, number, start = process_name().split("-")
    assert not is_running(f"{machine}-{boot}-{number}-{int(start) + 1}")  # a later process with the same id
    assert not is_running(f"{machine}-000000-{number}-{start}")  # before the machine was booted
    assert is_running(f"000000-{boot}-{number}-1")  # another machine, whose processes nobody here can see


def test_two_studios_on_one_file_keep_a_draft_each(path, folder):
    first, second = Studio(path, Drafts(folder)), Studio(path, Drafts(folder))
    edited(first, MINE)
    first.keep_draft()
    third = Studio(path, Drafts(folder))
    assert not third.document.is_restored and third.document.text == CENTRE  # the draft of a running studio stays its
    edited(second, THEIRS)
    second.keep_draft()
    first.save("", first.document.revision, first.document.digest)
    second.drafts.close()  # as if killed
    again = Studio(path, Drafts(folder))
    assert again.document.is_restored
    assert again.document.text == MINE.replace("950", "7")  # merged with the text that the first studio saved


def test_the_newest_draft_of_ended_sessions_is_restored_and_the_others_are_kept(path, folder):
    for number in (3, 1, 2):
        drafts = Drafts(folder)
        drafts.keep(Draft(str(path), CENTRE, f"# {number}\n{CENTRE}"))
        drafts.close()
        (place,) = [one for one in folder.iterdir() if one.read_text().find(f"# {number}\\n") > 0]
        os.utime(place, ns=(number * 10**9, number * 10**9))
    for number in (3, 2, 1):
        studio = Studio(path, Drafts(folder))
        assert studio.document.text == f"# {number}\n{CENTRE}" and studio.state()["drafts"] == number - 1
        edited(studio, CENTRE)
        studio.keep_draft()
        studio.drafts.close()
    assert not list(folder.iterdir())


def test_two_studios_that_start_at_once_do_not_restore_the_same_draft(path, folder, monkeypatch):
    left = Drafts(folder)
    left.keep(Draft(str(path), CENTRE, MINE))
    left.close()
    rename = os.rename

    def faster(source, target):
        monkeypatch.setattr(os, "rename", rename)
        assert Studio(path, Drafts(folder)).document.text == MINE
        rename(source, target)

    monkeypatch.setattr(os, "rename", faster)
    assert Studio(path, Drafts(folder)).document.text == CENTRE


def test_a_draft_of_an_earlier_version_is_restored(path, folder):
    drafts = Drafts(folder)
    drafts.keep(Draft(str(path), CENTRE, MINE))
    (place,) = folder.iterdir()
    place.rename(place.with_name(place.name.partition("-")[0] + ".json"))
    assert Studio(path, Drafts(folder)).document.text == MINE


def test_a_draft_that_equals_the_file_is_removed(path, folder):
    """A studio may be killed after it saves a text and before it deletes the draft."""
    for text in (MINE, CENTRE):
        drafts = Drafts(folder)
        drafts.keep(Draft(str(path), CENTRE, text))
        drafts.close()
    assert Studio(path, Drafts(folder)).document.text == MINE
    assert len(list(folder.iterdir())) == 1


@pytest.fixture
def full(monkeypatch):
    """Return a list. While the list contains an error number, each write of a draft fails with this error."""
    faults: list[int] = []
    from littlego.studio import unsaved

    write = unsaved.write_json

    def fail(place: Path, value: Any) -> None:
        if faults:
            raise OSError(faults[0], os.strerror(faults[0]))
        write(place, value)

    monkeypatch.setattr(unsaved, "write_json", fail)
    return faults


def test_a_draft_that_cannot_be_written_is_retried_and_the_pages_are_told(path, folder, full):
    studio, told = Studio(path, Drafts(folder)), []
    studio.feed.tell = told.append
    edited(studio, MINE)
    full.append(errno.ENOSPC)
    for _ in range(3):
        studio.keep_draft()
    assert studio.state()["undrafted"] == "Draft not saved: No space left on device"
    assert told == [{"undrafted": "Draft not saved: No space left on device", "page": ""}]
    (path.parent / "other.yaml").write_text(CENTRE)
    with pytest.raises(Refusal, match="before you open another file"):
        studio.open("", "other.yaml")
    assert studio.document.text == MINE
    full.clear()
    studio.keep_draft()
    assert studio.drafts.find(path).text == MINE
    assert studio.state()["undrafted"] == "" and told[1:] == [{"undrafted": "", "page": ""}]


def test_a_saved_text_needs_no_draft(path, folder, full):
    studio = Studio(path, Drafts(folder))
    edited(studio, MINE)
    full.append(errno.EDQUOT)
    studio.keep_draft()
    studio.save("", studio.document.revision, studio.document.digest)
    assert studio.state()["undrafted"] == ""


def test_the_running_studio_tries_again_by_itself(path, folder, full):
    with studio_client(path, folder) as client:
        full.append(errno.ENOSPC)
        client.replace("the middle", "my middle")
        until = time.monotonic() + LONGEST
        while not client.get("/api/state")["undrafted"]:
            assert time.monotonic() < until
            time.sleep(0.05)
        full.clear()
        while client.get("/api/state")["undrafted"]:
            assert time.monotonic() < until
            time.sleep(0.05)
        assert client.studio.drafts.find(path).text == client.text


def test_leftovers_of_killed_writes_are_removed(path, folder):
    folder.mkdir(mode=0o700)
    dead = process_name().rpartition("-")[0] + "-1"
    (folder / f"x.json.abcd1234.{dead}.new").write_text("{")
    Studio(path, Drafts(folder))
    assert not list(folder.iterdir())


# -- random kills ----------------------------------------------------------------------------------------------

OLD = 3.0  # seconds after which an edit is never lost


class Disk:
    """The folder of the drafts. For root, the folder is a small separate disk that the test can fill."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(mode=0o700)
        words = ["mount", "-t", "tmpfs", "-o", "size=1m,nr_inodes=1000,mode=700", "tmpfs", str(folder)]
        self.is_own = not subprocess.run(words, capture_output=True).returncode

    def fill(self) -> None:
        if self.is_own:
            with suppress(OSError), open(self.folder / "ballast", "wb", buffering=0) as file:
                while file.write(b"x" * 4096):
                    pass

    def clear(self) -> None:
        (self.folder / "ballast").unlink(missing_ok=True)

    def close(self) -> None:
        if self.is_own:
            subprocess.run(["umount", str(self.folder)], check=True)


class Writer:
    """A simulated author who adds lines at the start or the end of a studio's text.

    lines: (time, line) of each edit that the studio confirmed.
    """

    def __init__(self, studio: RunningStudio, name: str, at_end: bool) -> None:
        self.studio, self.name, self.at_end = studio, name, at_end
        self.lines: list[tuple[float, str]] = []

    def state(self) -> dict[str, Any]:
        return self.studio.request("/api/state")[1]

    def write(self, number: int) -> None:
        line = f"# {self.name} {number}.\n"
        while True:
            state = self.state()
            at = len(state["text"]) if self.at_end else 0
            edit = {"revision": state["revision"], "changes": [{"from": at, "to": at, "insert": line}]}
            if self.studio.request("/api/edit", edit)[0] == 200:  # else the file was just loaded
                break
        self.lines.append((time.monotonic(), line))

    def save(self) -> None:
        """Save the text, merged with the text that others saved."""
        state = self.state()
        status, answer = self.studio.request("/api/save", {"revision": state["revision"], "digest": state["digest"]})
        if status == 409 and answer["problem"]["code"] == "changed":
            self.studio.request("/api/merge", {"revision": state["revision"]})

    def wait_until(self, undrafted: str) -> None:
        """Wait until the studio reports this reason for an unsaved draft, or '' for a saved draft."""
        until = time.monotonic() + OLD
        while (told := self.state()["undrafted"]) != undrafted:
            assert time.monotonic() < until, told
            time.sleep(0.1)

    def kill(self) -> float:
        """Kill the studio at once; return the time."""
        self.studio.process.send_signal(signal.SIGKILL)
        killed = time.monotonic()
        self.studio.process.wait(LONGEST)
        return killed


def write_until_killed(first: Writer, second: Writer, disk: Disk, rng: Random, is_full: bool) -> float:
    """Let two authors write, and kill the second's studio. Lines written before the returned time must survive."""
    began, lasting, number = time.monotonic(), rng.uniform(0.2, 2 * OLD), 0
    full_at = began + rng.uniform(0.0, 2.0) if is_full else float("inf")
    is_filled = False
    while time.monotonic() < began + lasting:
        number += 1
        for writer in (first, second):
            writer.write(number)
            if rng.random() < 0.05:
                writer.save()
            if rng.random() < 0.05:
                writer.studio.request("/api/jobs/compile", {"write": True})
        if not is_filled and time.monotonic() > full_at:
            disk.fill()
            full_at, is_filled = time.monotonic(), disk.is_own
        time.sleep(rng.uniform(0.0, 0.2))
    if is_filled and time.monotonic() > full_at + OLD and rng.random() < 0.5:  # the disk has room again in time
        disk.fill()  # the first studio may have deleted its draft, which leaves room
        second.write(number + 1)  # the last text may have been saved
        second.wait_until("Draft not saved: No space left on device")
        disk.clear()
        second.wait_until("")
        time.sleep(OLD)
        is_filled = False
    killed = second.kill()
    disk.clear()
    return min(killed, full_at if is_filled else killed) - OLD


def kill_once(file: Path, cache: Path, disk: Disk, rng: Random, is_full: bool) -> tuple[int, int]:
    """Kill one of two studios; return the numbers of kept and of all lines.

    Assert that no old line is lost.
    """
    environment = {"LITTLEGO_CACHE": str(cache)}
    with running_studio(file, environment=environment) as one, running_studio(file, environment=environment) as other:
        second = Writer(other, "second", at_end=True)
        until = write_until_killed(Writer(one, "first", at_end=False), second, disk, rng, is_full)
        saved = file.read_text(encoding="utf-8")
        assert SMALL.read_text(encoding="utf-8") in saved, "half a file"
        for place in disk.folder.glob("*.json"):
            json.loads(place.read_bytes())
        with running_studio(file, environment=environment) as again:
            text = again.text()
        found = {line for _, line in second.lines if line in text or line in saved}
        owed = {line for written, line in second.lines if written < until}
        assert owed <= found, sorted(owed - found)
        assert one.interrupt() == 0
    return len(found), len(second.lines)


def kill_often(tmp_path: Path, number: int, seed: int) -> None:
    cache, rng = tmp_path / "cache", Random(seed)
    own_cache(cache)
    disk = Disk(cache / "studio-drafts")
    kept = lines = 0
    try:
        for one in range(number):
            file = tmp_path / f"{one}" / "patterns.yaml"
            file.parent.mkdir()
            file.write_bytes(SMALL.read_bytes())
            some, of = kill_once(file, cache, disk, rng, is_full=one % 2 == 1)
            kept, lines = kept + some, lines + of
            for place in disk.folder.glob("*.json"):
                place.unlink()
    finally:
        disk.close()
    print(f"{number} kills: {kept} of {lines} lines of the killed studios were there again")


def test_no_old_text_is_lost_when_a_studio_is_killed(tmp_path):
    kill_often(tmp_path, 2, seed=4)


@pytest.mark.slow
def test_no_old_text_is_lost_in_two_hundred_kills(tmp_path):
    kill_often(tmp_path, 200, seed=1)
