"""The file with a grading's games: it goes on where it was, and mixes nothing."""

import json
import resource

import pytest
from graded_games import FLAWLESS, outcomes

from tools.arguments import ArgumentError
from tools.grading import kept as kept_module
from tools.grading.kept import head_of, open_kept
from tools.match.student_programs import Program
from tools.opponents.roles import table as roles_table

PROGRAM = Program("theirs", "my_player3.py", "/cache/abc", (), "Python 3.7", (), ())
HEAD = head_of(PROGRAM, 0, 1.0, 20)
GAMES = outcomes(FLAWLESS)


def write(path, games, head=HEAD):
    with open_kept(str(path), head) as kept:
        for game in games:
            kept.add(game)
        return kept.outcomes


def test_games_are_read_back_as_they_were(tmp_path):
    write(tmp_path / "games", GAMES[:3])
    assert write(tmp_path / "games", GAMES[3:4]) == GAMES[:4]
    assert write(tmp_path / "games", []) == GAMES[:4]


def test_a_game_is_in_the_file_at_once(tmp_path):
    with open_kept(str(tmp_path / "games"), HEAD) as kept:
        kept.add(GAMES[0])
        assert len((tmp_path / "games").read_text().splitlines()) == 2


def test_a_line_that_is_broken_off_anywhere_is_played_again(tmp_path):
    path = tmp_path / "games"
    write(path, GAMES[:2])
    whole = path.read_bytes()
    start = whole[:-1].rindex(b"\n") + 1
    for cut in {start + 1, (start + len(whole)) // 2, len(whole) - 1}:
        path.write_bytes(whole[:cut])
        assert write(path, []) == GAMES[:1]
        assert write(path, GAMES[1:2]) == GAMES[:2]
        assert path.read_bytes() == whole


def test_without_a_file_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert write_nowhere() == GAMES[:1] and not list(tmp_path.iterdir())


def write_nowhere():
    with open_kept(None, HEAD) as kept:
        kept.add(GAMES[0])
        return kept.outcomes


OTHERS = [
    ("seed", head_of(PROGRAM, 1, 1.0, 20)),
    ("factor", head_of(PROGRAM, 0, 2.0, 20)),
    ("games", head_of(PROGRAM, 0, 1.0, 10)),
    ("program", head_of(PROGRAM._replace(folder="/cache/other"), 0, 1.0, 20)),
    ("program", head_of(PROGRAM._replace(runs="Python 3.11"), 0, 1.0, 20)),
    ("roles", {**HEAD, "roles": "other"}),
]


@pytest.mark.parametrize(("what", "other"), OTHERS)
def test_other_games_are_not_mixed_in(tmp_path, what, other):
    path = tmp_path / "games"
    write(path, GAMES[:1])
    before = path.read_bytes()
    with pytest.raises(ArgumentError, match=f"games: its games have {what} .*; name another file"):
        write(path, GAMES[1:], other)
    assert path.read_bytes() == before


def test_roles_that_decide_otherwise_are_other_roles(tmp_path, monkeypatch):
    table = tmp_path / "table.txt"
    table.write_text("1")
    monkeypatch.setitem(roles_table.ROLES, "random", roles_table.ROLES["random"]._replace(files=(str(table),)))
    before = head_of(PROGRAM, 0, 1.0, 20)
    assert head_of(PROGRAM, 0, 1.0, 20) == before
    table.write_text("2")
    assert head_of(PROGRAM, 0, 1.0, 20)["roles"] != before["roles"]
    table.write_text("1")
    monkeypatch.setattr(kept_module, "meaning_of", lambda name: f"{name} means something else")
    assert head_of(PROGRAM, 0, 1.0, 20)["roles"] != before["roles"]


@pytest.fixture
def room():
    """Return a function: from now on a file may have so many bytes, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda length: resource.setrlimit(resource.RLIMIT_FSIZE, (length, hard))
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_on_a_full_disk_what_is_kept_stays_and_it_goes_on_later(tmp_path, room):
    path = tmp_path / "games"
    write(path, GAMES[:2])
    whole = path.read_bytes()
    room(len(whole) + 20)
    with pytest.raises(ArgumentError, match="cannot write .*games: File too large"):
        write(path, GAMES[2:3])
    assert path.read_bytes() == whole
    room(1 << 20)
    assert write(path, GAMES[2:3]) == GAMES[:3]


def test_a_disk_without_room_for_anything_is_one_message(tmp_path, room):
    room(10)
    with pytest.raises(ArgumentError, match="cannot write .*games: File too large"):
        write(tmp_path / "games", GAMES[:1])
    room(1 << 20)
    assert write(tmp_path / "games", GAMES[:1]) == GAMES[:1]


def test_a_file_without_an_end_is_not_read():
    with pytest.raises(ArgumentError, match="cannot write /dev/zero: it is no plain file"):
        write("/dev/zero", [])


def test_a_binary_file_stays_as_it_is(tmp_path):
    path = tmp_path / "games"
    path.write_bytes(bytes(range(256)))
    with pytest.raises(ArgumentError, match="holds something else than graded games"):
        write(path, GAMES)
    assert path.read_bytes() == bytes(range(256))


SOMETHING_ELSE = ["hello\n", "{}\n", "[]\n", "3\n", '{"format": "x"}\n', json.dumps(HEAD) + "\n7\n", "{"]


@pytest.mark.parametrize("text", SOMETHING_ELSE)
def test_a_file_with_something_else_stays_as_it_is(tmp_path, text):
    path = tmp_path / "games"
    path.write_text(text)
    with pytest.raises(ArgumentError, match="holds something else than graded games"):
        write(path, GAMES)
    assert path.read_text() == text


def test_two_gradings_do_not_write_one_file(tmp_path):
    path = str(tmp_path / "games")
    with open_kept(path, HEAD), pytest.raises(ArgumentError, match="is being written by another grading"):
        write(path, GAMES)


def test_a_file_that_cannot_be_written_is_one_message(tmp_path):
    with pytest.raises(ArgumentError, match="cannot write .*missing/games: No such file"):
        write(tmp_path / "missing" / "games", [])
