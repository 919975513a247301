"""Tests that user files are either replaced atomically or left unchanged."""

from __future__ import annotations

import errno
import json
import os
import stat
import threading
import tracemalloc
from contextlib import nullcontext

import numpy as np
import pytest

from littlego import files
from littlego.arena.store import Store
from littlego.cli.arguments import ArgumentError
from littlego.cli.main import main
from littlego.files import (
    LARGEST_SERIES,
    json_text,
    open_plain,
    read_limited,
    read_plain,
    short_name,
    write_json,
    write_text,
)
from littlego.match.matchlog import read_log
from littlego.paths import TUTORIAL as SMALL
from littlego.players.training import load_training
from littlego.truth.solver.checkpoint import load_checkpoint


def test_a_file_is_read_up_to_a_size_and_no_further(tmp_path):
    path = tmp_path / "file.txt"
    path.write_bytes(b"12345")
    assert read_limited(path, 5) == b"12345"
    for name in path, "/dev/zero":
        with pytest.raises(OSError, match="it exceeds the limit of 4 bytes"):
            read_limited(name, 4)


def test_a_file_is_made_and_replaced_with_unix_line_ends(tmp_path):
    path = tmp_path / "file.txt"
    write_text(path, "ä\nb\n")
    assert path.read_bytes() == "ä\nb\n".encode() and path.stat().st_mode & 0o777 == 0o644
    path.chmod(0o600)
    write_text(str(path), "c")
    assert path.read_bytes() == b"c" and path.stat().st_mode & 0o777 == 0o600
    assert [found.name for found in tmp_path.iterdir()] == ["file.txt"]


def test_a_name_without_a_folder_is_in_this_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_text("file.txt", "a")
    assert (tmp_path / "file.txt").read_text() == "a"


@pytest.mark.parametrize("step", ["replace", "chmod", "fdopen"])
@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()])
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, step, error):
    path = tmp_path / "file.txt"
    path.write_text("old")

    def fail(*args, **_):
        raise error

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(type(error)):
        write_text(path, "new")
    monkeypatch.undo()
    assert path.read_text() == "old" and [found.name for found in tmp_path.iterdir()] == ["file.txt"]


def test_a_file_is_on_the_disk_before_it_has_its_name_and_the_name_before_we_go_on(tmp_path, monkeypatch):
    steps = []

    def noting(name, what):
        real = getattr(os, name)
        monkeypatch.setattr(os, name, lambda *args: (steps.append(what(*args)), real(*args))[1])

    noting("fsync", lambda handle: "folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
    noting("replace", lambda *_: "name")
    write_text(tmp_path / "file.txt", "a")
    assert steps == ["file", "name", "folder"]


def test_a_folder_that_cannot_be_synced_is_no_error_and_a_broken_disk_is_one(tmp_path, monkeypatch):
    real = os.fsync
    for number, raised in ((errno.EINVAL, False), (errno.EIO, True)):

        def fail(handle, number=number):
            if stat.S_ISDIR(os.fstat(handle).st_mode):
                raise OSError(number, os.strerror(number))
            real(handle)

        monkeypatch.setattr(os, "fsync", fail)
        with pytest.raises(OSError, match="Input/output") if raised else nullcontext():
            write_text(tmp_path / "file.txt", str(number))
        assert (tmp_path / "file.txt").read_text() == str(number)


def test_a_missing_folder_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        write_text(tmp_path / "nowhere" / "file.txt", "a")


def test_text_that_is_no_unicode_leaves_the_old_file(tmp_path):
    (tmp_path / "file.txt").write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_text(tmp_path / "file.txt", "\ud800")
    assert (tmp_path / "file.txt").read_text() == "old"


def test_a_device_or_a_pipe_is_written_and_not_replaced(tmp_path):
    write_text("/dev/null", "a")
    assert not os.path.isfile("/dev/null")
    with pytest.raises(OSError):
        write_text("/dev/full", "a")
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    write_text(pipe, "through")
    reader.join(30)
    assert got == ["through"] and not pipe.is_file()


def test_a_symbolic_link_stays_one_and_its_target_is_replaced(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    link, target = tmp_path / "link", tmp_path / "folder" / "target"
    link.symlink_to(os.path.join("folder", "target"))
    for text in ("made", "replaced"):
        write_text("link", text)
        assert link.is_symlink() and target.read_text() == text
    assert [path.name for path in (tmp_path / "folder").iterdir()] == ["target"]


def test_json_goes_to_a_file_or_to_standard_output(tmp_path, capsys):
    write_json(tmp_path / "file.json", {"ü": [1]})
    assert json.loads((tmp_path / "file.json").read_text(encoding="utf-8")) == {"ü": [1]}
    write_json("-", {"ü": [1]})
    assert capsys.readouterr().out == (tmp_path / "file.json").read_text(encoding="utf-8")


def test_names_that_are_no_text_can_be_told():
    name = os.fsdecode(b"\xff.yaml")
    assert json.loads(json_text([name])) == [name]
    assert short_name(name) == "\\udcff.yaml"


def test_a_value_that_json_has_no_word_for_leaves_the_old_file(tmp_path):
    (tmp_path / "file.json").write_text("old")
    with pytest.raises(TypeError):
        write_json(tmp_path / "file.json", {1, 2})
    assert (tmp_path / "file.json").read_text() == "old"


def test_short_names_are_relative_below_and_whole_elsewhere(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert short_name(tmp_path / "here" / "a" / "b.txt") == os.path.join("a", "b.txt")
    assert short_name(tmp_path / "b.txt") == str(tmp_path / "b.txt")


def test_nothing_is_written_into_an_installed_package(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "INSTALLED", True)
    monkeypatch.setattr(files, "PACKAGE", tmp_path / "littlego")
    (tmp_path / "littlego").mkdir()
    with pytest.raises(OSError, match="part of the installed package"):
        files.write_text(tmp_path / "littlego" / "new.txt", "text")
    files.write_text(tmp_path / "new.txt", "text")
    assert [path.name for path in tmp_path.rglob("*.txt")] == ["new.txt"]


def test_a_plain_file_is_opened_and_nothing_else(tmp_path):
    file, link, pipe = tmp_path / "file", tmp_path / "link", tmp_path / "pipe"
    file.write_bytes(b"12345")
    link.symlink_to(file)
    os.mkfifo(pipe)
    assert read_plain(file) == read_plain(link) == b"12345"
    with pytest.raises(OSError, match="it is a symbolic link"):
        open_plain(link, follow=False)
    for special in pipe, "/dev/zero":
        with pytest.raises(OSError, match="it is a pipe or a device; expected a plain file"):
            read_plain(special)
    with pytest.raises(IsADirectoryError):
        read_plain(tmp_path)


@pytest.mark.parametrize("read", [read_limited, lambda path: main(["check", "--no-exact", str(path)])])
def test_a_pipe_that_a_user_names_is_read(tmp_path, read):
    pipe, text = tmp_path / "pipe.yaml", SMALL.read_bytes()
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(text))
    writer.start()
    assert read(pipe) in (text, 0)
    writer.join(30)


def no_table(path):
    return load_checkpoint(path, np.zeros(16, np.uint64), 0, lambda code: True)


@pytest.mark.parametrize("read", [no_table, Store, load_training, read_log])
def test_a_pipe_in_place_of_a_stored_file_is_not_waited_for(tmp_path, read):
    os.mkfifo(tmp_path / "pipe.sqlite")
    with pytest.raises((OSError, ArgumentError), match="it is a pipe or a device"):
        read(tmp_path / "pipe.sqlite")


def test_a_small_file_needs_little_memory_whatever_the_limit_is(tmp_path):
    """A read must not allocate memory for the whole limit.

    Python in a browser page never returns memory.
    """
    path = tmp_path / "small"
    path.write_bytes(b"x" * 3_000_000)
    tracemalloc.start()
    try:
        assert len(read_limited(path, LARGEST_SERIES)) == 3_000_000
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
