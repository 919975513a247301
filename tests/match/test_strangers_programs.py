"""Tests that typical student programs play as in the course, and lose no game because of our host."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from bubblewrap import needs_bubblewrap
from student_programs import MAIN, MANNERS, PASSES, write_folder

from littlego import cache
from littlego.cli.main import main
from littlego.match import student_programs as programs
from littlego.match.environments import EnvironmentFailure, environment, split_packages
from littlego.match.protocol import Turn
from littlego.match.student_programs import ProgramError, player_of, program_at
from littlego.players.registry import UnknownPlayerError, make_player, parse
from littlego.rules.position import PASS, opening
from littlego.rules.ruleset import LITTLE_GO
from littlego.sandbox.interpreters import ask_interpreter, python27, python37

pytestmark = pytest.mark.thorough

FIELD = Path(__file__).parents[1] / "data" / "field"
START = Turn(opening(LITTLE_GO), (0, 0))
SECOND = Turn(opening(LITTLE_GO).play(0).play(24), (1, 0))


@pytest.fixture(autouse=True)
def kept(tmp_path, monkeypatch):
    """Store built programs in a folder of the test."""
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "cache")
    monkeypatch.delenv("LITTLEGO_PYTHON37", raising=False)
    programs._make_program.cache_clear()


@pytest.fixture
def theirs(tmp_path):
    """Return a function that makes a folder of files and returns its path."""

    def make(files):
        write_folder(tmp_path / "theirs", files)
        programs._make_program.cache_clear()
        return str(tmp_path / "theirs")

    return make


@pytest.fixture
def toy(tmp_path):
    """Make a virtual environment with a fake package `numpy`; return the path of its Python."""
    place = tmp_path / "venv"
    subprocess.run([ask_interpreter(sys.executable).path, "-m", "venv", "--without-pip", str(place)], check=True)
    packages = place / "lib" / "python{}.{}".format(*sys.version_info) / "site-packages"
    (packages / "numpy").mkdir()
    (packages / "numpy" / "__init__.py").write_text(
        "def zeros(shape): return Sum()\nclass Sum:\n    def sum(self): return 0\n"
    )
    (packages / "numpy-1.0.dist-info").mkdir()
    return str(place / "bin" / "python")


def needed(files):
    """Return the name of the compiler that a program's files need, or ''."""
    names = " ".join(files)
    return "g++" if ".cpp" in names else "javac" if ".java" in names else ""


@pytest.mark.parametrize("manner", MANNERS)
def test_a_program_in_the_manner_of_students_plays(theirs, toy, manner):
    files = MANNERS[manner]
    if needed(files) and not shutil.which(needed(files)):
        pytest.skip(f"NOT RUN: this machine has no {needed(files)}")
    if manner == "Python 2" and not python27():
        pytest.skip("NOT RUN: this machine has no Python 2.7")
    program = program_at(theirs(files), toy if manner == "numpy" else "")
    player = player_of(program)
    try:
        for turn, expected in ((START, 0), (SECOND, 1)):
            reply = player.choose(turn)
            assert (reply.move, reply.fault) == (expected, ""), (reply, program.remarks)
    finally:
        player.close()


def test_there_are_30_manners_and_more():
    assert len(MANNERS) >= 30


@pytest.mark.parametrize(("name", "needs"), [("31-two-cpp", "g++"), ("32-two-java", "javac")])
def test_programs_in_two_files_of_the_field_pass(name, needs):
    if not shutil.which(needs):
        pytest.skip(f"NOT RUN: this machine has no {needs}")
    player = player_of(program_at(str(FIELD / name)))
    assert player.choose(START).move == PASS
    player.close()


@pytest.mark.skipif(not shutil.which("javac"), reason="NOT RUN: this machine has no javac")
def test_a_java_exception_is_told_with_its_own_line(theirs):
    player = player_of(program_at(str(FIELD / "34-java-trace")))
    said = player.choose(START).note
    exception = "java.lang.ArrayIndexOutOfBoundsException: Index 5 out of bounds for length 2"
    assert said == f"exit status 1; {exception} at my_player.java:1 (my_player.main)"
    player.close()
    deep = "public class my_player { static void f() { f(); }\n public static void main(String[] a) { f(); } }"
    player = player_of(program_at(theirs({"my_player.java": deep})))
    assert player.choose(START).note == "exit status 1; java.lang.StackOverflowError at my_player.java:1 (my_player.f)"
    player.close()


@pytest.mark.parametrize("sandbox", ["none", pytest.param("bwrap", marks=needs_bubblewrap)])
def test_a_named_interpreter_has_its_packages_and_an_unnamed_one_has_none(toy, tmp_path, monkeypatch, sandbox):
    monkeypatch.setenv("LITTLEGO_SANDBOX", sandbox)
    folder = str(FIELD / "33-numpy")
    unnamed, named = program_at(folder), program_at(folder, toy)
    assert unnamed.modules == (("numpy", None),) and named.modules == (("numpy", "1.0"),)
    assert any(text.startswith("imports numpy, which") and text.endswith("--with numpy") for text in unnamed.remarks)
    assert named.python == toy and named.runs.endswith(f" ({toy})")
    found = []
    monkeypatch.chdir(tmp_path)
    shutil.copy(f"{folder}/my_player3.py", "prog.py")
    for player in (player_of(unnamed), player_of(named), make_player(f"folder:python={toy}:{folder}", 0),
                   make_player("file:venv/bin/python prog.py", 0)):  # fmt: skip
        found.append(player.choose(START).move)
        player.close()
    assert found == [None, PASS, PASS, PASS]


CANARY = """
import sys
sys.path += [path for path in ({places!r}) if path not in sys.path]
try:
    import littlego.paths
    open('output.txt', 'w').write('0,0')
except ImportError:
    open('output.txt', 'w').write('PASS')
"""


@needs_bubblewrap
def test_our_packages_cannot_be_imported_even_by_our_own_interpreter(theirs, monkeypatch):
    monkeypatch.setenv("LITTLEGO_SANDBOX", "bwrap")
    folder = theirs({"my_player3.py": CANARY.format(places=sys.path)})
    for python in ("", sys.executable):
        player = player_of(program_at(folder, python))
        assert player.choose(START).move == PASS
        player.close()


def test_the_base_interpreter_runs_without_its_site_packages(theirs):
    text = (
        "import sys\nassert not [p for p in sys.path if 'packages' in p and not p.startswith(sys.prefix)]\nexit\n"
        + MAIN
    )
    player = player_of(program_at(theirs({"my_player3.py": text})))
    assert player.choose(START).move == 0
    player.close()


def test_a_wrong_python_is_named(theirs):
    with pytest.raises(ProgramError, match="^/nowhere/python is not a working Python; expected the path of an interp"):
        program_at(theirs({"my_player3.py": PASSES}), "/nowhere/python")


@pytest.fixture
def wheels(tmp_path, monkeypatch):
    """Make pip find only the package `toypack`, in a folder."""
    import zipfile

    folder = tmp_path / "wheels"
    folder.mkdir()
    with zipfile.ZipFile(folder / "toypack-1.2-py2.py3-none-any.whl", "w") as file:
        file.writestr("toypack/__init__.py", "answer = 42\n")
        file.writestr("toypack-1.2.dist-info/METADATA", "Metadata-Version: 2.1\nName: toypack\nVersion: 1.2\n")
        file.writestr(
            "toypack-1.2.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py2.py3-none-any\n"
        )
        file.writestr("toypack-1.2.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)


def test_packages_are_installed_once_for_a_program(theirs, wheels, monkeypatch, capsys):
    text = "import toypack\nassert toypack.answer == 42\n" + MAIN
    folder = theirs({"my_player3.py": text})
    program = program_at(folder, packages=("toypack",))
    assert program.runs.endswith(" with toypack") and program.modules == (("toypack", "1.2"),)
    player = player_of(program)
    assert player.choose(START).move == 0
    player.close()
    monkeypatch.setattr("littlego.match.environments._install", None)  # the second player needs no installation
    player = make_player(f"folder:with=toypack:{folder}", 0)
    assert player.choose(START).move == 0
    player.close()
    assert parse(f"folder:slower=2:with=toypack:{folder}").text == f"folder:slower=2:with=toypack:{folder}"
    few = ["--stage", "1", "--games", "2", "--repetitions", "1", "--jobs", "1"]
    main(["grade", folder, "--with", "toypack", *few])
    shown = capsys.readouterr().out
    assert "with toypack\n" in shown and "  third-party modules: toypack 1.2\n" in shown


def test_packages_that_cannot_be_installed_are_one_line(theirs, wheels, capsys):
    folder = theirs({"my_player3.py": PASSES})
    assert main(["grade", folder, "--with", "otherpack"]) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith("littlego: otherpack cannot be installed for Python 3.") and "--python PATH" in said
    assert main(["grade", folder, "--with", "--index-url=x"]) == 2
    assert "'--index-url=x' is not a package name; expected names" in capsys.readouterr().err
    with pytest.raises(UnknownPlayerError, match="is not a package"):
        make_player(f"folder:with=a b:{folder}", 0)
    with pytest.raises(EnvironmentFailure):
        split_packages("numpy,")


def test_an_environment_that_was_changed_is_made_again():
    base = ask_interpreter(sys.executable)
    python = environment(base)
    packages = Path(python).parents[1] / "lib" / f"python{base.version}" / "site-packages"
    (packages / "spoilt.py").touch()
    assert environment(base) == python and not list(packages.iterdir())


WRONG_NAMES = [
    ("my_player3.py", "x = 1\nprint 'done'\n", "my_player3.py:2", "it is a Python 2 program"),
    ("my_player.py", "x = 1\nprint(f'{x}')\n", "my_player.py:2", "it is a Python 3 program"),
]


@pytest.mark.skipif(not (python27() and python37()), reason="NOT RUN: needs Python 2.7 and 3.7")
@pytest.mark.parametrize(("name", "text", "place", "why"), WRONG_NAMES)
def test_a_program_for_the_other_python_is_told_with_its_line(theirs, name, text, place, why, capsys):
    assert main(["grade", theirs({name: text})]) == 2
    said = capsys.readouterr().err
    assert place in said and why in said and "Traceback" not in said


def test_a_program_for_python_3_is_told_where_there_is_no_python_2(theirs, monkeypatch):
    monkeypatch.setattr(programs, "python27", lambda: None)
    program = program_at(theirs({"my_player.py": "x = 1\nprint(f'{x}')\n"}))
    assert any("my_player.py:2: syntax of Python 3, but the course runs" in text for text in program.remarks)
    with pytest.raises(
        ProgramError, match=r"my_player.py:1.*runs this file with Python 2.7: if Python 2.7 is missing here, install it"
    ):
        program_at(theirs({"my_player.py": "print 'old'\n"}))


@pytest.mark.skipif(not python27(), reason="NOT RUN: this machine has no Python 2.7")
def test_modules_of_the_other_python_are_told(theirs):
    program = program_at(theirs({"my_player.py": "import queue, typing\n" + MAIN}))
    assert any("imports queue" in text and "rename it my_player3.py" in text for text in program.remarks)
    shutil.rmtree(theirs({}))
    program = program_at(theirs({"my_player3.py": "import Queue\n" + MAIN}))
    assert any("imports Queue, which only Python 2 has" in text for text in program.remarks)


def test_a_syntax_error_in_a_helper_file_is_a_remark(theirs):
    files = {
        "my_player3.py": "try:\n    import helper\nexcept SyntaxError:\n    pass\n" + MAIN,
        "helper.py": "x = = 1\n",
    }
    program = program_at(theirs(files))
    assert any(text.startswith("helper.py:1:") and "invalid syntax" in text for text in program.remarks)


@pytest.mark.parametrize("condition", ["TYPE_CHECKING", "typing.TYPE_CHECKING"])
def test_an_import_for_type_checkers_only_is_not_reported(theirs, condition):
    text = f"import typing\nTYPE_CHECKING = False\nif {condition}:\n    import nowhere_to_be_found\n{MAIN}"
    assert program_at(theirs({"my_player3.py": text})).modules == ()
