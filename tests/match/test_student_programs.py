"""Tests that programs in every language of the course run, and that their folders stay unchanged."""

import hashlib
import os
import shutil

import pytest
from bubblewrap import needs_bubblewrap
from student_programs import CPP, CPP11, FIRST_FREE, JAVA, PASSES, PYTHON2

from littlego import cache
from littlego.match import student_programs as programs
from littlego.match.protocol import Turn
from littlego.match.student_programs import ProgramError, copy_to, player_of, program_at
from littlego.players.registry import UnknownPlayerError, make_player
from littlego.rules.position import PASS, opening
from littlego.rules.ruleset import LITTLE_GO
from littlego.sandbox.interpreters import python27, python37

START = Turn(opening(LITTLE_GO), (0, 0))
SECOND = Turn(opening(LITTLE_GO).play(0), (0, 0))


@pytest.fixture(autouse=True)
def kept(tmp_path, monkeypatch):
    """Build programs in a folder of the test, and return that folder."""
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "cache")
    programs._make_program.cache_clear()
    return tmp_path / "cache" / "programs"


@pytest.fixture
def folder(tmp_path):
    """Return a function that creates a folder of files, {name: text}."""

    def make(**files):
        path = tmp_path / "theirs"
        path.mkdir()
        for name, text in files.items():
            (path / name.replace("__", ".")).write_text(text)
        return path

    return make


def needs(command, there):
    return pytest.mark.skipif(not there, reason=f"NOT RUN: this machine has no {command}")


LANGUAGES = [
    pytest.param("my_player3.py", FIRST_FREE, "Python 3.", id="python3"),
    pytest.param("my_player.py", PYTHON2, "Python 2.7", id="python2", marks=needs("Python 2.7", python27())),
    pytest.param("my_player.cpp", CPP, "g++ -O2", id="cpp", marks=needs("g++", shutil.which("g++"))),
    pytest.param("my_player11.cpp", CPP11, "g++ -std=c++11", id="cpp11", marks=needs("g++", shutil.which("g++"))),
    pytest.param("my_player.java", JAVA, "Java", id="java", marks=needs("javac", shutil.which("javac"))),
]


@pytest.mark.parametrize(("name", "text", "runs"), LANGUAGES)
def test_a_program_plays_and_its_folder_is_not_touched(folder, name, text, runs):
    path = folder(**{name: text})
    path.chmod(0o555)
    before = fingerprint(path)
    program = program_at(str(path))
    assert (program.name, program.remarks) == (name, ()) or runs == "Python 3."
    assert program.runs.startswith(runs)
    player = player_of(program)
    assert [player.choose(turn).move for turn in (START, SECOND)] == [0, 1]
    player.close()
    assert fingerprint(path) == before and not os.path.exists(player.folder)


def fingerprint(folder):
    """Return names, modification times, modes and digests of a folder's files, which any change alters."""
    found = [(str(folder), folder.stat().st_mtime_ns, folder.stat().st_mode)]
    for path in sorted(folder.rglob("*")):
        data = path.read_bytes() if path.is_file() else b""
        found.append((str(path), path.stat().st_mtime_ns, path.stat().st_mode, hashlib.sha256(data).hexdigest()))
    return found


def test_helper_files_come_along_and_others_are_named(folder):
    text = "import helper; open('output.txt', 'w').write(open('table.txt').read())"
    path = folder(my_player3__py=text, helper__py="", table__txt="3,3", table__pkl="", output__txt="4,4", q__json="{}")
    (path / "data").mkdir()
    (path / ".git").mkdir()
    (path / "venv").mkdir()
    (path / "venv" / "pyvenv.cfg").touch()
    (path / "notes.pdf").touch()
    os.mkfifo(path / "pipe.txt")
    program = program_at(str(path))
    assert program.left_out == ("notes.pdf", "pipe.txt (not a plain file)", "venv")
    assert sorted(os.listdir(program.folder)) == [
        "data",
        "helper.py",
        "my_player3.py",
        "q.json",
        "table.pkl",
        "table.txt",
    ]
    assert program.remarks[-1] == "copied table.pkl, but the course accepts only .py, .cpp, .java, .json, .txt"
    player = player_of(program)
    assert player.choose(START).move == 18
    player.close()


def test_links_are_left_out_wherever_they_lead(folder, tmp_path):
    """A link could make the host copy a file that the author of the link must not read."""
    secret = tmp_path / "answers.txt"
    secret.write_text("secret")
    path = folder(my_player3__py=PASSES, own__txt="mine")
    for name, target in [("data.txt", secret), ("env.txt", "/proc/self/environ"), ("mem.txt", "/proc/self/mem")]:
        (path / name).symlink_to(target)
    (path / "alias.txt").symlink_to("own.txt")
    (path / "gone.json").symlink_to(tmp_path / "nothing")
    program = program_at(str(path))
    links = ("alias.txt", "data.txt", "env.txt", "gone.json", "mem.txt")
    assert program.left_out == tuple(f"{name} (a symbolic link)" for name in links)
    assert sorted(os.listdir(program.folder)) == ["my_player3.py", "own.txt"]
    # accepted: making a hard link needs permission, and it looks like an ordinary file
    os.link(secret, path / "hard.txt")
    assert "hard.txt" in os.listdir(program_at(str(path)).folder)


def test_the_folder_may_be_reached_by_a_link_but_the_program_is_none(folder, tmp_path):
    path = folder(my_player3__py=PASSES)
    (tmp_path / "link").symlink_to(path)
    assert os.listdir(program_at(str(tmp_path / "link")).folder) == ["my_player3.py"]
    (path / "my_player3.py").rename(path / "real.py")
    (path / "my_player3.py").symlink_to("real.py")
    with pytest.raises(ProgramError, match="one of my_player3.py, .*; my_player3.py is a symbolic link$"):
        program_at(str(path))
    with pytest.raises(ProgramError, match="my_player3.py is a symbolic link, and only plain files are accepted"):
        program_at(str(path / "my_player3.py"))


def test_a_file_that_becomes_a_link_before_it_is_copied_is_refused(folder, tmp_path, monkeypatch):
    path = folder(my_player3__py=PASSES, data__txt="mine")
    found = programs._files_of(str(path))
    monkeypatch.setattr(programs, "_files_of", lambda folder: found)
    (path / "data.txt").unlink()
    (path / "data.txt").symlink_to(tmp_path / "theirs" / "my_player3.py")
    with pytest.raises(ProgramError, match="cannot be copied: .*data.txt: Too many levels of symbolic links"):
        program_at(str(path))
    (path / "data.txt").unlink()
    os.mkfifo(path / "data.txt")
    with pytest.raises(ProgramError, match="cannot be copied: .*data.txt: it is not a plain file"):
        program_at(str(path))


def test_a_program_has_only_so_many_files_and_bytes(folder, kept, monkeypatch):
    path = folder(my_player3__py=PASSES)
    with open(path / "big.txt", "wb") as file:
        file.truncate(programs.MOST_BYTES)  # uses no disk space
    with pytest.raises(ProgramError, match="theirs: the files have more than 64 MB, the maximum for a program"):
        program_at(str(path))
    assert not kept.exists()
    (path / "big.txt").rename(path / "big.iso")  # a file that is not copied
    program_at(str(path))
    monkeypatch.setattr(programs, "MOST_FILES", 2)
    (path / "a.txt").touch()
    program_at(str(path))
    (path / "b.txt").touch()
    with pytest.raises(ProgramError, match="theirs: more than 2 files, the maximum for a program; remove"):
        program_at(str(path))


def test_a_file_that_grows_while_it_is_copied_is_refused(folder, kept, monkeypatch):
    path = folder(my_player3__py=PASSES, data__txt="small")
    found = programs._files_of(str(path))
    monkeypatch.setattr(programs, "_files_of", lambda folder: found)
    monkeypatch.setattr(programs, "MOST_BYTES", 1_000)
    (path / "data.txt").write_text(1_000 * "x")
    with pytest.raises(ProgramError, match="the files have more than"):
        program_at(str(path))
    assert not os.listdir(kept)


def test_a_file_names_the_program_where_there_are_several(folder):
    path = folder(my_player3__py=PASSES, my_player__py="")
    with pytest.raises(
        ProgramError, match=r"contains my_player3.py and my_player.py; name one: .*theirs/my_player3.py$"
    ):
        program_at(str(path))
    player = player_of(program_at(str(path / "my_player3.py")))
    assert player.choose(START).move == PASS
    player.close()


def test_two_players_have_copies_of_their_own_and_one_may_stay(folder, tmp_path):
    text = "open('count.txt', 'a').write('x'); open('output.txt', 'w').write('0,%d' % len(open('count.txt').read()))"
    program = program_at(str(folder(my_player3__py=text)))
    first, second = player_of(program), player_of(program)
    assert [first.choose(START).move, first.choose(START).move, second.choose(START).move] == [1, 2, 1]
    copy_to(program, str(tmp_path / "work"))
    for expected in (1, 2):
        staying = player_of(program, str(tmp_path / "work"))
        assert staying.choose(START).move == expected
        staying.close()
    first.close()
    second.close()


def test_the_same_files_are_built_once(folder, kept, monkeypatch):
    compiled = []
    monkeypatch.setattr(programs, "_compile_any", lambda builds, folder: compiled.append(builds))
    path = folder(my_player3__py=PASSES)
    first = program_at(str(path))
    programs._make_program.cache_clear()  # simulates a new process
    assert program_at(str(path)).folder == first.folder and len(compiled) == 1
    # a process may run so long that the source changes meanwhile
    (path / "my_player3.py").write_text(FIRST_FREE)
    assert program_at(str(path)).folder != first.folder and len(os.listdir(kept)) == 2


def test_another_process_may_be_first(folder, kept, monkeypatch):
    rename = os.rename

    def both(fresh, place):
        if os.path.dirname(place) == str(kept):
            shutil.copytree(fresh, place)
        rename(fresh, place)

    monkeypatch.setattr(os, "rename", both)
    assert os.listdir(program_at(str(folder(my_player3__py=PASSES))).folder) == ["my_player3.py"]


def test_a_built_program_that_was_changed_is_built_anew_and_told(folder, kept, capsys):
    path = folder(my_player3__py=FIRST_FREE)
    built = program_at(str(path)).folder
    with open(os.path.join(built, "my_player3.py"), "a") as file:
        file.write("# spoilt")
    programs._make_program.cache_clear()  # simulates a new process
    player = player_of(program_at(str(path)))
    assert player.choose(START).move == 0
    player.close()
    assert "has changed since it was built; rebuilding it" in capsys.readouterr().err
    with open(os.path.join(program_at(str(path)).folder, "my_player3.py")) as file:
        assert file.read() == FIRST_FREE


def test_a_built_program_that_is_changed_meanwhile_is_not_played(folder):
    program = program_at(str(folder(my_player3__py=FIRST_FREE)))
    with open(os.path.join(program.folder, "my_player3.py"), "w") as file:
        file.write(PASSES)
    with pytest.raises(ProgramError, match="has changed since it was built: another program can write to this folder"):
        player_of(program)


@needs_bubblewrap
@needs("g++", shutil.which("g++"))
def test_a_source_cannot_have_files_of_the_system_compiled_in(folder, tmp_path):
    (tmp_path / "secret.h").write_text("the marks of everybody\n")
    path = folder(my_player__cpp=f'#include "{tmp_path / "secret.h"}"\n' + CPP)
    with pytest.raises(ProgramError, match="secret.h: No such file") as raised:
        program_at(str(path))
    assert "marks of everybody" not in str(raised.value)


@needs("g++", shutil.which("g++"))
def test_what_does_not_compile_says_where_and_leaves_nothing(folder, kept):
    path = folder(my_player__cpp='#include "board.inc"\nint main() { return missing; }', board__inc="")
    with pytest.raises(ProgramError) as raised:
        program_at(str(path))
    lines = str(raised.value).splitlines()
    assert lines[0].endswith("my_player.cpp does not compile: g++ -O2 -o my_player my_player.cpp")
    assert lines[1].startswith("my_player.cpp:1:10: ") and "board.inc" in lines[1]
    assert lines[-1] == "(left out, because only plain files of known types are copied: board.inc)"
    assert os.listdir(kept) == []


def test_a_compiler_that_hangs_is_stopped(folder, monkeypatch):
    monkeypatch.setitem(programs.COMPILERS, "my_player.cpp", ("sleep", "60"))
    monkeypatch.setattr(programs, "PATIENCE", 0.1)
    with pytest.raises(ProgramError, match="does not compile: sleep was stopped after 0.1 s"):
        program_at(str(folder(my_player__cpp="")))


@pytest.mark.parametrize(("name", "compiler"), [("my_player.cpp", "g++"), ("my_player.java", "javac")])
def test_a_missing_compiler_is_named(folder, monkeypatch, name, compiler):
    monkeypatch.setattr(shutil, "which", lambda command: None)
    with pytest.raises(ProgramError) as raised:
        program_at(str(folder(**{name: ""})))
    assert str(raised.value) == f"{name} needs {compiler}, which this machine does not have: install it"


@pytest.mark.parametrize("name", ["my_player.py", "my_player3.py"])
def test_without_the_courses_python_the_running_one_is_taken_and_that_is_said(folder, monkeypatch, name):
    monkeypatch.setattr(programs, "python27", lambda: None)
    monkeypatch.setattr(programs, "python37", lambda: None)
    program = program_at(str(folder(**{name: PASSES})))
    assert len(program.remarks) == 1 and program.remarks[0].startswith("Python ")
    player = player_of(program)
    assert player.choose(START).move == PASS
    player.close()


@needs("Python 3.7", python37())
def test_a_real_python_37_is_taken_where_there_is_one(folder):
    path = folder(my_player3__py=PASSES)
    program = program_at(str(path))
    assert program.runs == "Python 3.7" and not program.remarks
    (path / "my_player3.py").write_text("x = 1\n(n := 1)\n")
    with pytest.raises(
        ProgramError, match="my_player3.py:2:4: invalid syntax: .n := 1.; Python 3.7 cannot read it: it n"
    ):
        program_at(str(path))


def test_a_wrong_python_37_is_named(folder, monkeypatch):
    monkeypatch.setenv("LITTLEGO_PYTHON37", "/nowhere/python3.7")
    with pytest.raises(ProgramError, match="/nowhere/python3.7, which does not run"):
        program_at(str(folder(my_player3__py=PASSES)))


def test_the_repository_holds_our_player():
    program = program_at(programs.HOME)
    assert program.name == "my_player3.py" and not program.left_out
    player = player_of(program)
    reply = player.choose(START)
    assert (reply.move, reply.fault, reply.note) == (12, "", "")
    player.close()


def test_players_by_name(folder):
    path = folder(my_player3__py=PASSES)
    for name, slower in ((f"folder:{path}", 1.0), (f"folder:slower=2.5:{path}", 2.5)):
        player = make_player(name, 0)
        assert (player.name, player.slower, player.choose(START).move) == (name, slower, PASS)
        player.close()


WRONG = [
    ("folder:missing", "there is no folder or program missing"),
    (
        "folder:{}",
        "contains no program that the course runs; expected one of my_player3.py, my_player.py, my_player.cpp",
    ),
    ("folder:{}/player.py", "is not a program that the course runs; expected one of my_player3.py"),
    ("folder:slower=0:{}", "folder:slower=0: expected a number above 0"),
    ("folder:slower=inf:{}", "folder:slower=inf: expected a number above 0"),
    ("folder:slower=much:{}", "folder:slower=much: expected a number above 0"),
]


@pytest.mark.parametrize(("name", "why"), WRONG)
def test_a_wrong_name_says_what_is_wrong_with_the_folder(folder, name, why):
    with pytest.raises(UnknownPlayerError) as raised:
        make_player(name.format(folder(player__py="")), 0)
    assert why in str(raised.value)
