"""Tests of entrants: names that stay valid on other machines, and digests that change with a player."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from zlib import compress, decompress

import override_files
import pytest
from small_knowledge import CUTTING

from littlego.arena import players
from littlego.arena.plan import Entrant
from littlego.arena.play import player_of
from littlego.arena.players import entrants, find_changed, identity, is_unknown, one_at_a_time
from littlego.cli.arguments import ArgumentError
from littlego.knowledge import revisions
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.overrides import to_bytes
from littlego.match.protocol import Turn
from littlego.match.series import Pairing
from littlego.players import named_books, ours
from littlego.players.roles import qlearning
from littlego.rules.position import opening
from littlego.rules.ruleset import LITTLE_GO

OTHER = CUTTING.replace("points: 50", "points: 60")


def one(name: str) -> Entrant:
    return entrants([name])[0]


def txt(text: str) -> bytes:
    return compile_text(text, "patterns.yaml", with_examples=False)[0]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Enter a new Git repository. After its only commit, patterns.yaml was edited and the overrides removed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(revisions, "HOME", tmp_path)
    monkeypatch.setattr(named_books, "FOLDER", tmp_path / "cache")
    named_books._unpack.cache_clear()
    (tmp_path / "patterns.yaml").write_text(CUTTING)
    (tmp_path / "overrides.txt").write_bytes(OVERRIDES)
    settings = ["-c", "user.name=a", "-c", "user.email=a", "-c", "commit.gpgsign=false"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"], ["rm", "-q", "overrides.txt"]):
        subprocess.run(["git", *settings, *command], check=True)
    (tmp_path / "patterns.yaml").write_text(OTHER)
    return tmp_path


CENTRE = opening(LITTLE_GO)
FILES = {
    "program.sh": "",
    "program.py": "",
    "patterns.txt": "",
    "overrides.txt": "",
    "my_player3.py": "",
    "rules/position.py": "",
    "tools/littlego/players/roles/simple.py": "def f():\n    from littlego import helper",
    "tools/littlego/players/roles/alphabeta.py": "",
    "tools/littlego/helper.py": "import os",
    "tools/littlego/players/erring.py": "from littlego.players.roles import simple, table",
    "tools/littlego/players/roles/table.py": "from littlego.players.roles import alphabeta, simple",
    "tools/littlego/players/ours.py": "",
}
OVERRIDES = to_bytes(dict([override_files.override(CENTRE, 7)]))


def test_a_name_that_comes_twice_gets_a_number():
    assert [player.name for player in entrants(["ours", "random", "ours", "ours"])] == [
        "ours",
        "random",
        "ours#2",
        "ours#3",
    ]
    first, second = entrants(["ours", "ours"])
    assert first.spec == second.spec == "ours" and first.digest == second.digest


def test_a_patterns_file_is_played_as_compiled_without_overrides(folder):
    player = one("patterns.yaml")
    assert (player.name, player.spec, player.overrides) == ("patterns.yaml", "ours-without-overrides", b"")
    assert decompress(player.patterns) == txt(OTHER)
    (folder / "their.txt").write_bytes(txt(CUTTING))
    assert decompress(one("their.txt").patterns) == txt(CUTTING)


def test_a_revision_is_played_as_it_was(folder):
    old, new = entrants(["HEAD:patterns.yaml", "patterns.yaml"])
    assert decompress(old.patterns) == txt(CUTTING) and old.digest != new.digest and old.overrides == b""
    assert find_changed([old, new]) == []
    (folder / "patterns.yaml").write_text("broken")
    assert find_changed([old, new]) == []  # the tournament stores the book itself


def test_overrides_beside_a_patterns_file_are_taken_where_asked_for(folder):
    assert decompress(one("ours:HEAD:patterns.yaml").overrides) == OVERRIDES
    assert one("ours:patterns.yaml").overrides == b""  # the overrides were removed since that revision
    assert one("ours-without-overrides:HEAD:patterns.yaml").overrides == b""
    turn = Turn(CENTRE, (0, 0))
    for kind, follows in (("ours", True), ("ours-uncounted", True), ("ours-without-overrides", False)):
        entrant = one(f"{kind}:HEAD:patterns.yaml")
        player = player_of(entrant, Pairing(0, entrant, entrant, 0, 0, 10.0))
        assert (player.choose(turn).move == 7) == follows
        assert isinstance(player, ours.UncountedPlayer) == (kind == "ours-uncounted")


def test_a_book_in_the_cache_that_was_damaged_or_removed_is_made_again(folder):
    player = one("patterns.yaml")
    pair = Pairing(0, player, player, 0, 0, 10.0)
    player_of(player, pair)
    shutil.rmtree(folder / "cache")
    with open(player_of(player, pair).path, "rb") as file:
        assert file.read() == txt(OTHER)
    path = Path(named_books.unpack_book(player.patterns, b""))
    path.write_bytes(b"damaged")
    named_books._unpack.cache_clear()
    assert Path(named_books.unpack_book(player.patterns, b"")).read_bytes() == txt(OTHER)


def test_a_player_with_a_patterns_file_is_another_with_another_engine(tmp_path, monkeypatch):
    monkeypatch.setattr(players, "CODE", tmp_path / "tools")
    monkeypatch.setattr(players, "HOME", tmp_path)
    player = Entrant("a", "ours", "", compress(b"x"))
    for file in ("rules/engine.py", "tools/littlego/players/ours.py"):
        before = identity(player)
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).touch()
        assert identity(player) != before


def test_packing_does_not_change_who_a_player_is():
    text = b"x" * 1000
    packed = [compress(text, level) for level in (0, 9)]
    assert packed[0] != packed[1]
    assert len({identity(Entrant("a", "ours", "", data)) for data in packed}) == 1
    assert identity(Entrant("a", "ours", "", packed[0])) != identity(Entrant("a", "ours", "", compress(b"y")))


def test_programs_are_named_so_that_any_folder_will_do(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.py").write_text("")
    (tmp_path / "own").mkdir()
    assert one("file:python3 program.py").spec == f"file:python3 {tmp_path / 'program.py'}"
    assert one("file:cwd=own:sh x y").spec == f"file:cwd={tmp_path / 'own'}:sh x y"
    assert one("file:python3 program.py").name == "file:python3 program.py"
    assert one_at_a_time(one("file:cwd=own:sh x")) and not one_at_a_time(one("file:python3 program.py"))
    assert is_unknown(one("file:sh x")) and not is_unknown(one("file:greedy")) and not is_unknown(one("my_player3"))


def test_modules_are_looked_for_in_so_many_folders_and_in_no_virtual_environment(tmp_path, monkeypatch):
    for folder in ("", "a", "b", "env"):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "one.py").touch()
    (tmp_path / "env" / "pyvenv.cfg").touch()
    found = ["one.py", "a/one.py", "b/one.py"]
    for most in (2, 3, 4):
        monkeypatch.setattr(players, "FOLDERS", most)
        assert list(players._python_below(tmp_path)) == [tmp_path / name for name in found[:most]]


def test_a_table_of_train_is_no_patterns_file(folder):
    shutil.copy(qlearning.__file__[:-3] + ".txt", folder / "mine.txt")
    for kind in ("qlearning", "erring:0.1:qlearning"):
        player = one(f"{kind}:mine.txt")
        assert (player.spec, player.patterns) == (f"{kind}:{folder / 'mine.txt'}", b"")
    with open(folder / "mine.txt", "a") as file:
        file.write("\n")
    assert find_changed([player]) == [player.name]


@pytest.mark.parametrize(("cpu_limit", "wall_limit"), [(5.0, 50.0), (10.0, 50.0), (100.0, 500.0)])
def test_the_clock_on_the_wall_leaves_room_for_the_cpu_limit(cpu_limit, wall_limit):
    player = one("file:true")
    made = player_of(player, Pairing(0, player, player, 0, 0, cpu_limit))
    assert (made.cpu_limit, made.wall_limit) == (cpu_limit, wall_limit)
    made.close()


def test_who_errs_is_the_player_that_it_is_but_for_the_errors(folder, tmp_path):
    player, plain = entrants(["erring:0.5:patterns.yaml", "patterns.yaml"])
    assert player.spec == "erring:0.5:ours-without-overrides" and player.patterns == plain.patterns
    assert len({player.digest, plain.digest, one("erring:0.6:patterns.yaml").digest}) == 3
    made = player_of(player, Pairing(0, player, plain, 0, 0, 10.0))
    assert made.rate == 0.5 and made.player.path.startswith(str(tmp_path / "cache"))
    program = tmp_path / "program.sh"
    program.write_text("")
    erring = one("erring:0.1:file:sh program.sh")
    assert erring.spec == f"erring:0.1:file:sh {program}" and is_unknown(erring) and find_changed([erring]) == []
    program.write_text("more")
    assert find_changed([erring]) == ["erring:0.1:file:sh program.sh"]
    assert one_at_a_time(one("erring:0.1:file:cwd=.:sh x"))
    with pytest.raises(ArgumentError, match="'2' is not a rate"):
        one("erring:2:patterns.yaml")


@pytest.mark.parametrize("name", ["folder:theirs", "file:python3 theirs/my_player3.py"])
def test_links_beside_a_program_are_no_part_of_it(tmp_path, monkeypatch, name):
    """The digest ignores links because a program is copied without its links."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "my_player3.py").write_text("")
    before = one(name).digest
    (tmp_path / "theirs" / "data.txt").symlink_to("/proc/self/mem")
    assert one(name).digest == before
    (tmp_path / "theirs" / "table.txt").write_text("")
    assert one(name).digest != before


def test_a_handed_in_folder_is_named_likewise(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "my_player3.py").write_text("")
    assert one("folder:theirs").spec == f"folder:{tmp_path / 'theirs'}"
    assert one("folder:slower=2:theirs").spec == f"folder:slower=2:{tmp_path / 'theirs'}"
    player = one("folder:theirs")
    assert is_unknown(player) and find_changed([player]) == []
    (tmp_path / "theirs" / "table.json").write_text("{}")
    assert find_changed([player]) == ["folder:theirs"]


@pytest.mark.parametrize(
    ("name", "file", "matters"),
    [
        ("file:sh {}/program.sh", "program.sh", True),
        ("file:sh {}/program.sh", "table.json", False),  # beside a script that is not part of the course's files
        ("file:python3 {}/program.py", "table.json", True),
        ("file:python3 {}/program.py", "notes.md", False),
        ("file:python3 {}/program.py", "output.txt", False),
        ("file:cwd={}:python3 program.py", "other.py", True),
        ("file:cwd={}:python3 program.py", "count.txt", False),  # a program may write notes into its folder
        ("file:python3 {}/program.py", "rules/position.py", True),  # a program may import modules from subfolders
        ("file:python3 {}/program.py", "tools/littlego/players/table.json", False),
        ("file:python3 {}/program.py", ".hidden/other.py", False),
        ("file:python3 {}/program.py", "tools/littlego/__pycache__/other.py", False),
        ("file:sh {}/program.sh", "tools/littlego/helper.py", False),
        ("folder:{}", "rules/position.py", True),  # our player, which comes with its engine
        ("folder:{}/my_player3.py", "rules/position.py", True),
        ("folder:{}/tools", "rules/position.py", False),
        ("ours", "patterns.txt", True),
        ("ours", "tools/littlego/players/ours.py", True),
        ("ours-without-overrides", "tools/littlego/players/ours.py", True),
        ("my_player3", "tools/littlego/players/ours.py", False),
        ("my_player3", "overrides.txt", True),
        ("random", "patterns.txt", False),
        ("random", "rules/position.py", True),
        ("file:greedy", "tools/littlego/players/roles/simple.py", True),
        ("greedy", "tools/littlego/helper.py", True),  # the module of the player imports this file
        ("greedy", "tools/littlego/players/roles/qlearning.txt", False),
        ("greedy", "tools/littlego/players/roles/alphabeta.py", False),
        ("alphabeta", "tools/littlego/players/roles/simple.py", False),
        ("ours", "tools/littlego/players/roles/simple.py", False),
        ("ours", "rules/position.py", True),
        ("qlearning:{}/a_table", "a_table", True),
        ("erring:0.1:alphabeta", "tools/littlego/players/roles/alphabeta.py", True),
        ("erring:0.1:alphabeta", "tools/littlego/players/roles/simple.py", True),  # contains the errors' code
        ("erring:0.1:greedy", "tools/littlego/players/roles/alphabeta.py", False),
    ],
)
def test_what_makes_another_player(name, file, matters, tmp_path, monkeypatch):
    for known, text in FILES.items():
        path = tmp_path / known
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(players, "CODE", tmp_path / "tools")
    monkeypatch.setattr(players, "HOME", tmp_path)
    monkeypatch.chdir(tmp_path)
    spec = name.format(tmp_path)
    before = identity(Entrant("a", spec, ""))
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("more = 1")
    assert (identity(Entrant("a", spec, "")) != before) == matters


def test_words_in_our_own_sources_make_no_other_player(tmp_path, monkeypatch):
    monkeypatch.setattr(players, "CODE", tmp_path / "tools")
    monkeypatch.setattr(players, "HOME", tmp_path)
    (tmp_path / "rules").mkdir()
    source, program = tmp_path / "rules" / "engine.py", tmp_path / "program.py"
    texts = ["a = 1", "a = 1  # one\n", "a = 2", "a = (", "a = )"]
    ours, theirs = [], []
    for text in texts:
        source.write_text(text)
        ours.append(identity(Entrant("a", "random", "")))
        program.write_text(text)
        theirs.append(identity(Entrant("a", f"file:python3 {program}", "")))
    assert ours[0] == ours[1] and len(set(ours)) == 4
    assert len(set(theirs)) == 5


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("human", "littlego play"),
        ("nobody", "unknown player 'nobody'. `littlego play --help`"),
        ("no:body", "unknown player 'no:body'"),
        ("HEAD:nix", "cannot read HEAD:nix: path 'nix' does not exist in 'HEAD'"),
        ("erring:0.1:HEAD:nix", "cannot read HEAD:nix: path 'nix' does not exist in 'HEAD'"),
        ("HEAD:none.yaml", "cannot read HEAD:none.yaml"),
        ("ours:none.txt", "cannot read none.txt"),
        ("none.yaml", "cannot read none.yaml"),
        ("broken.yaml", "broken.yaml:1:1"),
        ("broken.txt", "broken.txt"),
        ("folder:none", "there is no folder or program none"),
        ("perfect:2", "is not a rate"),
    ],
)
def test_what_is_no_player_is_said_in_a_line(name, said, folder):
    (folder / "broken.yaml").write_text("broken")
    (folder / "broken.txt").write_text("broken")
    with pytest.raises(ArgumentError) as caught:
        one(name)
    assert said in str(caught.value).partition("\n")[0]


def test_a_program_that_is_gone_has_changed(tmp_path):
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "my_player3.py").write_text("")
    for name in (f"folder:{tmp_path}/theirs", f"file:cwd={tmp_path}/theirs:python3 my_player3.py"):
        player = one(name)
        (tmp_path / "theirs").rename(tmp_path / "gone")
        assert find_changed([player]) == [name]
        (tmp_path / "gone").rename(tmp_path / "theirs")
        assert find_changed([player]) == []
