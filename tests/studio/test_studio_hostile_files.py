"""Tests of folders that change while the studio runs: links to outside, pipes, remains of saves."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest
from studio_apps import CENTRE, Client
from studio_server import LONGEST, RunningStudio

from littlego.editor.documents import digest_of, file_in
from littlego.editor.methods import Refusal
from littlego.files import guard, process_name
from littlego.studio.studio import Studio
from littlego.studio.unsaved import Drafts

SECRET = "secret: 1\n"


@pytest.fixture
def secret(tmp_path_factory) -> Path:
    """A file outside the studio's folder."""
    path = tmp_path_factory.mktemp("outside") / "secret.yaml"
    path.write_text(SECRET)
    return path


@pytest.fixture
def path(client: Client) -> Path:
    return client.studio.document.path


def problem(answer: dict) -> str:
    return f"{answer['problem']['code']}: {answer['problem']['text']}"


def test_compile_does_not_write_through_a_link(client, path, secret):
    path.with_suffix(".txt").symlink_to(secret)
    *_, last = client.work("compile")
    assert "cannot write" in problem(last) and "it is a symbolic link; expected a plain file" in problem(last)
    assert secret.read_text() == SECRET


def test_a_link_in_place_of_the_open_file_is_neither_read_nor_written(client, path, secret):
    client.replace("the middle", "my middle")
    path.unlink()
    path.symlink_to(secret)
    for way in ("reload", "merge"):
        assert "it is a symbolic link" in problem(client.post(f"/api/{way}", revision=2))
    for digest in (digest_of(CENTRE.encode()), digest_of(SECRET.encode()), ""):
        assert "it is a symbolic link" in problem(client.post("/api/save", revision=2, digest=digest))
    state = client.get("/api/state")
    assert "my middle" in state["text"] and "symbolic link" in state["readonly"]
    assert secret.read_text() == SECRET and path.is_symlink()


def test_a_link_out_of_the_folder_is_neither_compared_with_nor_opened(client, path, secret):
    for name in ("other.yaml", "lost.sgf", "graded.json", "kept.db"):
        (path.parent / name).symlink_to(secret)
    state = client.get("/api/state")
    asks = [
        ("what_if", {"position": "...../...../...../...../.....", "file": "other.yaml"}),
        ("open_game", {"file": "lost.sgf"}),
        ("open_game", {"file": "kept.db"}),
        ("grading_page", {"file": "graded.json"}),
    ]
    for method, parameters in asks:
        assert client.code(f"/api/ask/{method}", revision=state["revision"], **parameters) == "forbidden"
    assert client.work("diff", against="other.yaml")[-1]["problem"]["code"] == "forbidden"


def test_a_link_that_the_user_names_is_followed_once(tmp_path, secret):
    (tmp_path / "link.yaml").symlink_to(secret)
    studio = Studio(tmp_path / "link.yaml", Drafts(tmp_path / "drafts"))
    assert studio.document.path == secret and studio.folder == secret.parent
    studio.document.edit(1, [{"from": 0, "to": 0, "insert": "#"}])
    studio.save("", 2, studio.document.digest)
    assert secret.read_text() == f"#{SECRET}" and (tmp_path / "link.yaml").is_symlink()


@pytest.mark.parametrize("name", ["a" * 5000, "a" * 300, "\ud800", "a\0", "loop.yaml", "..", "."])
def test_a_name_that_no_file_can_have_is_refused(tmp_path, name):
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    for endings in ((), (".yaml",)):
        with pytest.raises(Refusal):
            file_in(tmp_path, name, endings)


def test_a_link_within_the_folder_leads_to_its_file(tmp_path):
    (tmp_path / "a.yaml").write_text("a: 1\n")
    (tmp_path / "b.yaml").symlink_to("a.yaml")
    os.mkfifo(tmp_path / "pipe.yaml")
    assert file_in(tmp_path, "b.yaml") == tmp_path / "a.yaml"
    for name in ("pipe.yaml", "none.yaml"):
        with pytest.raises(Refusal) as refused:
            file_in(tmp_path, name)
        assert refused.value.code == "unknown"


def replaced_by_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def test_a_pipe_in_place_of_the_open_file_blocks_nothing(running: RunningStudio):
    running.request("/api/edit", {"revision": 1, "changes": [{"from": 0, "to": 0, "insert": "#"}]})
    digest = running.request("/api/state")[1]["digest"]
    replaced_by_pipe(running.file)
    assert "a pipe or a device" in problem(running.request("/api/reload", {"revision": 2})[1])
    for known in (digest, ""):
        assert "a pipe or a device" in problem(running.request("/api/save", {"revision": 2, "digest": known})[1])
    assert "a pipe or a device" in running.request("/api/state")[1]["readonly"]
    assert running.ask("outline")
    time.sleep(1)  # the monitor has seen the pipe
    assert running.interrupt() == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_ends_a_studio_whose_files_are_pipes(running: RunningStudio, number):
    for name in ("patterns.txt", "overrides.txt", "decisions.txt"):
        os.mkfifo(running.file.with_name(name))
    replaced_by_pipe(running.file)
    running.request("/api/jobs/diff", {"against": "disk"})
    running.request("/api/jobs/compile", {})
    running.process.send_signal(number)
    assert running.process.wait(LONGEST) in (0, 128 + number)


def test_a_pipe_is_not_edited(tmp_path, capsys):
    from littlego.cli.main import main

    os.mkfifo(tmp_path / "patterns.yaml")
    assert main(["studio", str(tmp_path / "patterns.yaml"), "--no-open"]) == 2
    assert "it is a pipe or a device; expected a plain file" in capsys.readouterr().err


def test_the_leftovers_of_killed_saves_are_removed_and_those_of_living_ones_stay(client, path):
    dead = process_name().rpartition("-")[0] + "-1"
    left, living = (path.parent / f"patterns.yaml.abcd_123.{owner}.new" for owner in (dead, process_name()))
    for file in (left, living, path.parent / f"patterns.txt.abcd_123.{dead}.new", path.parent / "mine.new"):
        file.write_text("half")
    client.replace("the middle", "my middle")
    state = client.get("/api/state")
    client.post("/api/save", revision=state["revision"], digest=state["digest"])
    assert not left.exists() and living.exists() and (path.parent / "mine.new").exists()
    Studio(path, Drafts(path.parent / "drafts"))
    assert sorted(file.name for file in path.parent.glob("*.new")) == sorted(["mine.new", living.name])


def test_the_guard_covers_the_files_of_one_folder(tmp_path, secret):
    from littlego.files import is_guarded, open_to_read, write_text

    guard(tmp_path)
    (tmp_path / "link").symlink_to(secret)
    (tmp_path / "below").mkdir()
    assert is_guarded(tmp_path / "link") and not is_guarded(secret) and not is_guarded(tmp_path / "below" / "x")
    with pytest.raises(OSError, match="symbolic link"):
        open_to_read(tmp_path / "link")
    for bad in ("link", "below"):
        with pytest.raises(OSError, match="symbolic link|Is a directory"):
            write_text(tmp_path / bad, "x")
    write_text(tmp_path / "made", "x")
    assert (tmp_path / "made").read_text() == "x" and secret.read_text() == SECRET
