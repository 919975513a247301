"""Tests of cached results: file permissions, and cache files that are damaged, full or unavailable."""

from __future__ import annotations

import multiprocessing
import os
import re
import sqlite3
import stat
import subprocess
import sys

import pytest

from littlego import cache as module
from littlego.cache import Cache, digest
from littlego.cli.arguments import ArgumentError
from littlego.engines import compiled
from littlego.match.student_programs import ProgramError, program_at


def test_what_is_put_is_got_by_later_runs(tmp_path):
    Cache("c", tmp_path).put("key", {"a": [1, None, "ü"]})
    again = Cache("c", tmp_path)
    assert again.get("key") == {"a": [1, None, "ü"]}
    assert again.get("other") is None and Cache("d", tmp_path).get("key") is None
    again.put("key", 2)
    assert Cache("c", tmp_path).get("key") == 2


def test_several_at_once(tmp_path):
    cache = Cache("c", tmp_path)
    cache.put_all((str(number), number) for number in range(100))
    assert [cache.get(str(number)) for number in range(100)] == list(range(100))


def test_another_folder_may_be_named(tmp_path):
    program = "from littlego.cache import Cache; Cache('c').put('key', 1)"
    environment = {**os.environ, "LITTLEGO_CACHE": str(tmp_path / "elsewhere")}
    subprocess.run([sys.executable, "-c", program], cwd=module.ROOT, env=environment, check=True, timeout=60)
    assert Cache("c", tmp_path / "elsewhere").get("key") == 1


def test_without_sqlite_the_caches_of_a_name_share_their_newest_results(monkeypatch):
    monkeypatch.setattr(module, "sqlite3", None)
    monkeypatch.setattr(module, "MOST_IN_MEMORY", 2)
    monkeypatch.setattr(module, "_in_memory", {})
    Cache("c").put_all((str(number), number) for number in range(3))
    again = Cache("c")
    assert [again.get(key) for key in "012"] == [None, 1, 2]
    assert Cache("d").get("2") is None


def test_a_folder_that_cannot_be_made_costs_the_memory_alone(tmp_path):
    (tmp_path / "file").write_text("in the way")
    cache = Cache("c", tmp_path / "file" / "folder")
    cache.put("key", 1)
    assert cache.get("key") == 1
    assert Cache("c", tmp_path / "file" / "folder").get("key") is None
    assert (tmp_path / "file").read_text() == "in the way"


def test_the_folder_is_made_for_us_alone_whatever_the_umask(tmp_path):
    before = os.umask(0o002)
    try:
        Cache("c", tmp_path / "a" / "b").put("key", 1)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700


def test_a_folder_of_ours_that_others_only_read_is_closed_to_them(tmp_path):
    (tmp_path / "c").mkdir(mode=0o755)
    Cache("c", tmp_path / "c").put("key", 1)
    assert stat.S_IMODE((tmp_path / "c").stat().st_mode) == 0o700 and Cache("c", tmp_path / "c").get("key") == 1


def somebody_else(folder, monkeypatch):
    monkeypatch.setattr(module.os, "getuid", lambda: folder.stat().st_uid + 1)
    return rf"belongs to user id {folder.stat().st_uid}, not to you"


def everybody(folder, monkeypatch):
    folder.chmod(0o777)
    return r"is writable by others \(mode 777\)"


def a_group(folder, monkeypatch):
    folder.chmod(0o770)
    return r"is writable by others \(mode 770\)"


@pytest.fixture(params=[somebody_else, everybody, a_group])
def open_to_others(request, tmp_path, monkeypatch):
    """Return (a cache folder that other users may access, the message about this folder)."""
    folder = tmp_path / "planted"
    Cache("c", folder).put("key", "theirs")
    return folder, request.param(folder, monkeypatch)


def test_what_others_could_have_written_is_not_read_and_that_is_said_once(open_to_others, capsys):
    folder, why = open_to_others
    for _ in range(2):
        cache = Cache("c", folder)
        assert cache.get("key") is None
        cache.put("key", "ours")
        assert cache.get("key") == "ours"
    err = capsys.readouterr().err
    assert re.fullmatch(rf"littlego: results are not cached: {folder} {why}, .* set LITTLEGO_CACHE .*\n", err)


def test_numba_is_not_shown_what_others_could_have_written(open_to_others, monkeypatch):
    from numba import config

    folder, why = open_to_others
    before = config.CACHE_DIR
    monkeypatch.setattr(compiled, "FOLDER", folder)
    with pytest.raises(
        ArgumentError, match=rf"{folder} {why}, so its cached code is not safe to run; set LITTLEGO_CACHE to a"
    ):
        compiled.keep_apart("littlego.truth.solver.search")
    assert before == config.CACHE_DIR


def test_programs_are_not_built_where_others_can_write(open_to_others, monkeypatch, tmp_path):
    folder, why = open_to_others
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "my_player3.py").write_text("")
    monkeypatch.setattr(module, "FOLDER", folder)
    with pytest.raises(ProgramError, match=rf"{why}.* set LITTLEGO_CACHE to a folder of your own"):
        program_at(str(tmp_path / "theirs"))


def test_a_repository_that_is_not_ours_alone_leaves_the_users_own_cache(open_to_others, monkeypatch, tmp_path, capsys):
    folder, why = open_to_others
    (tmp_path / ".cache").symlink_to(folder)
    monkeypatch.setattr(module, "HOME", tmp_path)
    monkeypatch.delenv("LITTLEGO_CACHE", raising=False)
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, **__: str(tmp_path / "own"))
    assert module._cache_folder() == tmp_path / "own"
    assert re.search(rf"{tmp_path}/.cache {why}: caching results in {tmp_path}/own instead", capsys.readouterr().err)
    monkeypatch.setenv("LITTLEGO_CACHE", str(folder))
    assert module._cache_folder() == folder and not capsys.readouterr().err


@pytest.fixture
def no_home(tmp_path, monkeypatch):
    """Simulate installed tools, used by somebody whose cache folder cannot be created."""
    monkeypatch.setattr(module, "INSTALLED", True)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/dev/null/home")
    monkeypatch.setenv("LITTLEGO_CACHE", "")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(module.tempfile, "tempdir", None)


def test_without_a_home_results_are_cached_in_a_temporary_folder_and_that_is_said_once(no_home, tmp_path, capsys):
    folder = module._cache_folder()
    assert folder.parent == tmp_path and stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert module._cache_folder() == folder and os.environ["LITTLEGO_CACHE"] == str(folder)  # for child processes
    assert capsys.readouterr().err == (
        f"littlego: /dev/null/home/.cache/littlego cannot be created in /dev/null: caching results in {folder} until "
        "the command ends; set LITTLEGO_CACHE to a folder of your own\n"
    )


@pytest.mark.parametrize(
    "name, value, fault",
    [
        ("XDG_CACHE_HOME", "/dev/null", "/dev/null/littlego cannot be created in /dev/null"),
        ("LITTLEGO_CACHE", "/dev/null", "/dev/null cannot be written"),
    ],
)
def test_a_folder_that_cannot_be_used_is_named(no_home, tmp_path, monkeypatch, capsys, name, value, fault):
    monkeypatch.setenv(name, value)
    assert module._cache_folder().parent == tmp_path
    assert re.search(rf"littlego: \S*{fault}: caching", capsys.readouterr().err)


def test_a_read_only_checkout_leaves_the_users_own_cache(tmp_path, monkeypatch, capsys):
    (tmp_path / ".cache").touch()
    monkeypatch.setattr(module, "HOME", tmp_path)
    monkeypatch.delenv("LITTLEGO_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "own"))
    assert module._cache_folder() == tmp_path / "own" / "littlego"
    assert "/.cache cannot be written: caching results in" in capsys.readouterr().err


def refuse(*_, **__):
    raise RuntimeError("could not determine the home directory")


def test_a_service_account_that_is_no_listed_user_has_a_temporary_cache(no_home, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("platformdirs.user_cache_dir", refuse)
    assert module._cache_folder().parent == tmp_path
    assert capsys.readouterr().err.startswith("littlego: this user has no home folder: caching results in ")


def test_without_a_temporary_folder_nothing_is_cached_and_nothing_compiled(no_home, monkeypatch, capsys):
    monkeypatch.setattr(module.tempfile, "_candidate_tempdir_list", lambda: ["/dev/null"])
    folder = module._cache_folder()
    assert capsys.readouterr().err.endswith(": nothing is cached; set LITTLEGO_CACHE to a folder of your own\n")
    Cache("c", folder).put("key", 1)
    monkeypatch.setattr(compiled, "FOLDER", folder)
    with pytest.raises(ArgumentError, match=rf"cannot create {folder} for compiled code: .* set LITTLEGO_CACHE to a "):
        compiled.keep_apart("littlego.truth.solver.search")


def test_the_temporary_folder_serves_one_command_and_its_processes(tmp_path):
    program = (
        "import multiprocessing, subprocess, sys\n"
        "from littlego.cache import Cache, FOLDER\n"
        'code = \'from littlego.cache import Cache; print(Cache("c").get("key"))\'\n'
        "if __name__ == '__main__':\n"
        "    Cache('c').put('key', 1)\n"
        "    subprocess.run([sys.executable, '-c', code], check=True)\n"
        "    process = multiprocessing.get_context('fork').Process(target=int)\n"
        "    process.start(); process.join()\n"
        "    print(Cache('c').get('key'), FOLDER.is_dir())\n"
    )
    environment = {**os.environ, "LITTLEGO_CACHE": "/dev/null/c", "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=module.ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout == "1\n1 True\n" and len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_database_is_replaced(tmp_path):
    (tmp_path / "c.sqlite").write_bytes(b"no database at all" * 100)
    Cache("c", tmp_path).put("key", 1)
    assert Cache("c", tmp_path).get("key") == 1


def test_damage_inside_the_file_is_no_error(tmp_path):
    cache = Cache("c", tmp_path)
    cache.put_all((f"{number:04}", "x" * 500) for number in range(200))
    cache.base.close()
    path = tmp_path / "c.sqlite"
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)  # damage all pages except the first
    path.write_bytes(data)
    damaged = Cache("c", tmp_path)
    assert [damaged.get(f"{number:04}") for number in range(200)] == [None] * 200
    damaged.put("new", 1)


def test_a_value_that_is_no_json_is_none(tmp_path):
    cache = Cache("c", tmp_path)
    cache.base.execute("INSERT INTO results VALUES ('key', '{')")
    assert cache.get("key") is None


def test_a_full_disk_loses_what_is_new_and_keeps_what_is_old(tmp_path):
    cache = Cache("c", tmp_path)
    cache.put("old", 1)
    cache.base.execute("PRAGMA max_page_count = 4")
    cache.put_all((str(number), "x" * 3000) for number in range(50))
    assert cache.get("old") == 1 and cache.get("49") is None
    cache.put("small", 2)
    assert cache.get("small") == 2


def test_a_locked_file_is_left_alone(tmp_path, monkeypatch):
    Cache("c", tmp_path).put("key", 1)
    holder = sqlite3.connect(tmp_path / "c.sqlite", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    original = sqlite3.connect
    monkeypatch.setattr(module.sqlite3, "connect", lambda path, **rest: original(path, **{**rest, "timeout": 0.01}))
    other = Cache("c", tmp_path)
    other.put("key", 2)
    holder.execute("ROLLBACK")
    assert Cache("c", tmp_path).get("key") == 1


def test_two_writers(tmp_path):
    writers = [multiprocessing.Process(target=fill, args=(tmp_path, name)) for name in "ab"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
        assert writer.exitcode == 0
    cache = Cache("c", tmp_path)
    assert [cache.get(f"{name}{number}") for name in "ab" for number in range(100)] == 2 * list(range(100))


def fill(folder, name):
    cache = Cache("c", folder)
    for number in range(100):
        cache.put(f"{name}{number}", number)


@pytest.mark.parametrize("one, other", [(("a", "b"), ("ab",)), (("a", "b"), ("b", "a")), (("a",), ("a", ""))])
def test_other_texts_have_other_digests(one, other):
    assert digest(*one) != digest(*other)
    assert digest(*one) == digest(*one)
