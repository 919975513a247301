"""Results kept between runs: for whom, and what becomes of them when the file is damaged, full or not to be had."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import subprocess
import sys

import pytest

from tools import cache as module
from tools.cache import Cache, digest


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
    program = "from tools.cache import Cache; Cache('c').put('key', 1)"
    environment = {**os.environ, "LITTLEGO_CACHE": str(tmp_path / "elsewhere")}
    subprocess.run([sys.executable, "-c", program], cwd=module.ROOT, env=environment, check=True, timeout=60)
    assert Cache("c", tmp_path / "elsewhere").get("key") == 1


def test_a_folder_that_cannot_be_made_costs_the_memory_alone(tmp_path):
    (tmp_path / "file").write_text("in the way")
    cache = Cache("c", tmp_path / "file" / "folder")
    cache.put("key", 1)
    assert cache.get("key") == 1
    assert Cache("c", tmp_path / "file" / "folder").get("key") is None
    assert (tmp_path / "file").read_text() == "in the way"


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
    data[4096:] = b"\xff" * (len(data) - 4096)  # all pages but the first
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
