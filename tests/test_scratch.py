"""Tests that the old folders of killed commands are removed, and no other folders."""

from __future__ import annotations

import os
import signal
import tempfile
import time

import pytest

from littlego import scratch
from littlego.scratch import OLD, prefix, sweep
from littlego.signals import ending_signals

GONE = 2**22 + 1  # above every possible process id


@pytest.fixture
def place(tmp_path):
    """Return a function that creates a folder with a file, sweeps, and returns whether the folder is gone."""

    def swept(name, mode=0o700, inside="folder", later=2 * OLD):
        folder = tmp_path / "tmp" / name
        (folder / inside).mkdir(parents=True)
        (folder / inside / "input.txt").write_text("1")
        folder.chmod(mode)
        sweep(str(tmp_path / "tmp"), time.time() + later)
        return not folder.exists()

    return swept


LEFT = [
    f"littlego-grade-{GONE}-ab_12xyz",
    f"littlego-{GONE}-abcdefgh",
    "littlego-grade-ab12cd_8",
    "littlego-bench-abcdefgh",
]


@pytest.mark.parametrize("name", LEFT)
def test_what_a_process_that_is_gone_left_is_removed_after_a_day(place, name):
    assert not place(name, later=OLD / 2)
    assert place(name, inside="other")


OTHERS = [
    "littlego-grade-OURS-abcdefgh",
    "littlego-OURS-abcdefgh",
    "littlego-grade-1-abcdefgh",
    "littlego-solution",
    "littlego-project2",
    "littlego-grade",
    "littlego",
    "other-grade-abcdefgh",
    f"littlego-grade-{GONE}-abcdefgh-kept",
    f"littlego-grade-{GONE}-abcdefg",
    f"littlego-grade-{GONE}-ABCDEFGH",
]


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_somebody_elses_or_in_use_stays(place, name):
    # OURS is replaced here, since all processes of xdist must collect the same names
    assert not place(name.replace("OURS", str(os.getpid())))


def test_a_folder_that_others_may_enter_was_made_by_people_and_stays(place):
    assert not place(LEFT[0], mode=0o755)


def test_a_folder_of_another_user_stays(place, monkeypatch):
    monkeypatch.setattr(scratch.os, "getuid", lambda: 12345)
    assert not place(LEFT[0])


def test_a_folder_in_which_something_changed_lately_stays(tmp_path):
    folder = tmp_path / LEFT[0]
    (folder / "inside").mkdir(parents=True)
    folder.chmod(0o700)
    old = time.time() - 3 * OLD
    os.utime(folder, (old, old))
    sweep(str(tmp_path))
    assert folder.exists()
    os.utime(folder / "inside", (old, old))
    sweep(str(tmp_path))
    assert not folder.exists()


def test_a_link_stays_and_so_does_what_it_leads_to(tmp_path):
    (tmp_path / "mine").mkdir(mode=0o700)
    (tmp_path / LEFT[0]).symlink_to(tmp_path / "mine")
    (tmp_path / LEFT[1]).write_text("a file")
    sweep(str(tmp_path), time.time() + 2 * OLD)
    assert (tmp_path / LEFT[0]).is_symlink() and (tmp_path / "mine").is_dir() and (tmp_path / LEFT[1]).is_file()
    sweep(str(tmp_path / "nowhere"))


def test_a_process_sweeps_before_it_makes_its_first_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    scratch._sweep_once.cache_clear()
    old = time.time() - 3 * OLD
    for name in LEFT[:2]:
        (tmp_path / name).mkdir(mode=0o700)
        os.utime(tmp_path / name, (old, old))
    made = tempfile.mkdtemp(prefix=prefix("grade"))
    assert [path.name for path in tmp_path.iterdir()] == [os.path.basename(made)]
    assert scratch._NAME.fullmatch(os.path.basename(made))[1] == str(os.getpid())
    assert scratch._NAME.fullmatch(prefix() + "abcdefgh")[1] == str(os.getpid())


def test_the_end_of_the_terminal_ends_a_command_unless_it_is_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert ending_signals() == (signal.SIGTERM,)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        assert ending_signals() == (signal.SIGTERM, signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)
