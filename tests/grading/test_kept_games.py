"""Tests that a grading resumes correctly from its file of games, and never mixes in another grading."""

import json
import resource

import pytest
from graded_games import FLAWLESS, outcomes, with_moves

from littlego.cli.arguments import ArgumentError
from littlego.grading import kept as kept_module
from littlego.grading.chain import ChainFile, resealed
from littlego.grading.games import forfeit
from littlego.grading.kept import head_of, open_kept
from littlego.match.student_programs import Program
from littlego.players.roles import table as roles_table

PROGRAM = Program("theirs", "my_player3.py", "/cache/abc", (), "Python 3.7", (), ())
HEAD = head_of(PROGRAM, 0, 1.0, 20)
GAMES = list(map(with_moves, outcomes(FLAWLESS)))


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


def changed_bytes(data):
    """Yield (place, the data with the byte at this place changed) for both ends and a sample between them."""
    places = [*range(60), *range(60, len(data) - 60, 97), *range(len(data) - 60, len(data))]
    for place in places:
        for flipped in (0x01, 0x20):
            yield place, data[:place] + bytes([data[place] ^ flipped]) + data[place + 1 :]


def test_a_changed_byte_is_told_and_leaves_the_file_as_it_is(tmp_path):
    path = tmp_path / "games"
    write(path, GAMES[:3])
    whole = path.read_bytes()
    last = whole[:-1].rindex(b"\n") + 1
    for place, data in changed_bytes(whole):
        path.write_bytes(data)
        if place == len(whole) - 1 or 0 in data[last:]:  # a damaged last line looks incomplete
            assert write(path, []) == GAMES[:2]
            continue
        with pytest.raises(ArgumentError, match="games:[1-4]: damaged: this line or an earlier line|does not contain"):
            write(path, GAMES[3:])
        assert path.read_bytes() == data


@pytest.mark.parametrize("order", [(0, 2, 1, 3), (0, 1, 3), (0, 1, 1, 2, 3), (0, 2, 3), (1, 2, 3)])
def test_lines_that_are_moved_removed_or_doubled_are_told(tmp_path, order):
    path = tmp_path / "games"
    write(path, GAMES[:3])
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[number] for number in order))
    told = "games:[1-3]: damaged: .*; restore a copy of the file, or name another file"
    with pytest.raises(ArgumentError, match=told):
        write(path, [])


def test_zeros_in_the_last_line_are_what_a_power_cut_leaves(tmp_path):
    path = tmp_path / "games"
    write(path, GAMES[:2])
    whole = path.read_bytes()
    start = whole[:-1].rindex(b"\n") + 1
    for last in (bytes(len(whole) - start), bytes(50) + whole[start + 50 :], whole[start:-50] + bytes(49) + b"\n"):
        path.write_bytes(whole[:start] + last)
        assert write(path, GAMES[1:2]) == GAMES[:2] and path.read_bytes() == whole


def test_a_first_line_that_a_crash_broke_off_is_written_again(tmp_path):
    path = tmp_path / "games"
    write(path, [])
    whole = path.read_bytes()
    for begun in (whole[:1], whole[:-1], bytes(len(whole)), bytes(40) + whole[40:]):
        path.write_bytes(begun)
        assert write(path, []) == [] and path.read_bytes() == whole


def forge(path, **changes):
    """Write a file with one altered game and a matching digest, as a hostile program could."""
    game = GAMES[0]._replace(**{name: value for name, value in changes.items() if name in game_fields()})
    record = {**game.record, **{name: value for name, value in changes.items() if name not in game_fields()}}
    with open(path, "a+b", buffering=0) as file:
        for value in (HEAD, game._replace(record=record)):
            ChainFile(file).add(value)


def game_fields():
    return GAMES[0]._fields


FORGED = [
    ({"won": False}, ": `won` is False; expected True, as in `record`"),
    ({"tie": True}, ": `tie` is True; expected False, as in `record`"),
    ({"fault": True}, ": `fault` is True; expected False, as in `record`"),
    ({"failed": True}, ": `failed` is True; expected False, as in `record`"),
    ({"seconds": [0.1]}, ": `seconds` is \\[0.1\\]; expected \\[0.5\\], as in `record`"),
    ({"seed": 3}, ": `seed` is 1000; expected 3, as in `record`"),
    ({"won": False, "winner": 2}, ": its winner is 2, but its 2 moves give 1"),
    ({"moves": []}, ": its 0 moves do not end the game"),
    ({"moves": [{"move": "9,9", "cpu": 0.5}]}, ": move 1 is '9,9'; expected row,column"),
    ({"moves": [{"move": "2,2"}]}, ": `record` cannot be read: 'cpu'"),
]


@pytest.mark.parametrize(("changes", "said"), FORGED)
def test_an_outcome_that_its_moves_do_not_come_to_is_told_whatever_its_digest(tmp_path, changes, said):
    path = tmp_path / "games"
    forge(path)
    assert write(path, []) == GAMES[:1]
    path.unlink()
    forge(path, **changes)
    with pytest.raises(ArgumentError, match=f"games:2: damaged{said}"):
        write(path, [])


def as_values(games):
    """Return games as JSON values that can be altered."""
    return json.loads(json.dumps(games))


def test_lines_of_before_there_were_clocks_are_still_read(tmp_path):
    path = tmp_path / "games"
    path.write_bytes(unsealed([line[:10] for line in as_values(GAMES[:2])]))
    assert [game.seconds for game in write(path, [])] == [game.seconds for game in GAMES[:2]]


MISFITS = [
    ("seconds", None, "`seconds` is null; expected a list"),
    ("seconds", [0.5, "x"], '`seconds\\[1\\]` is "x"; expected a finite number'),
    ("seconds", [float("nan")], "`seconds\\[0\\]` is NaN; expected a finite number"),
    ("seconds", [10**400], "`seconds\\[0\\]` is 10+\\.\\.\\.; expected a finite number"),
    ("seconds", [0.5, 1e9], "`seconds` has 2 values; expected at most 1, the number of turns in the record"),
    ("wall", "x", '`wall` is "x"; expected a finite number'),
    ("wall", -1.0, "the wall time is -1 s; expected at least 0 s"),
    ("replayed", -1, "the number of replayed turns is -1; expected at least 0"),
    ("void", "busy", "the game was not judged; expected only judged games"),
    ("held", [1], "`held` is \\[1\\]; expected a string"),
    ("warnings", [{}], "`warnings\\[0\\]` is {}; expected a string"),
    ("notes", None, "`notes` is null; expected a list"),
    ("left", {}, "`left` is {}; expected a list"),
    ("failed", 7, "`failed` is 7; expected true or false"),
    ("won", 1, "`won` is 1; expected true or false"),
    ("record", [], "`record` is \\[\\]; expected an object"),
    ("game", [1, 1, "random"], '`game` is \\[1, 1, "random"\\]; expected a list of 6 values'),
    ("game", [1, 1, [], 0, 1, 1000], "`game\\[2\\]` is \\[\\]; expected a string"),
    ("game", [True, 1, "random", 0, 1, 1000], "`game\\[0\\]` is true; expected a whole number"),
    ("game", [1, 1, "nobody", 0, 1, 1000], "`game` is .*; expected a game of --seed 0 and --games 20"),
    ("game", [1, 1, "random", 20, 1, 1020], "`game` is .*; expected a game of --seed 0 and --games 20"),
    ("game", [0, 1, "random", 0, 1, 0], "`game` is .*; expected a game of --seed 0 and --games 20"),
    ("game", [1, 2, "random", 0, 1, 1000], "`stage` is 2; expected 1"),
    ("game", [1, 1, "greedy", 0, 1, 1000], "`seed` is 1000; expected 1100"),
    ("game", [2, 1, "random", 0, 1, 1000], "`seed` is 1000; expected 2000"),
    ("game", [1, 1, "random", 0, 2, 1000], "`colour` is 2; expected 1"),
    ("game", [1, 1, "greedy", 0, 1, 1100], "`seed` is 1100; expected 1000, as in `record`"),
]
MISFITS_OF_RECORDS = [
    ({"seed": 1100, "game": [1, 1, "greedy", 0, 1, 1100]}, "`role` is greedy; expected random, as in `record`"),
    ({"seed": 1000.0}, "`seed` is 1000.0; expected a whole number"),
    ({"black": 5}, "`black` is 5; expected a string"),
    ({"lead": float("inf")}, "`lead` is Infinity; expected a finite number"),
    ({"why": None}, "`why` is null; expected a string"),
    ({"moves": [{"move": "2,2", "cpu": "x"}]}, 'move 1: `cpu` is "x"; expected a finite number'),
    ({"moves": [{"move": "2,2", "cpu": 0.5, "note": []}]}, "move 1: `note` is \\[\\]; expected a string"),
]


def refused_lines(tmp_path, line, said):
    """Assert that a line is refused with this message, both without a digest and with a matching digest."""
    sealed, bare = tmp_path / "sealed", tmp_path / "bare"
    bare.write_bytes(unsealed([line]))
    sealed.unlink(missing_ok=True)
    with open(sealed, "a+b", buffering=0) as file:
        for value in (HEAD, line):
            ChainFile(file).add(value)
    for path in (sealed, bare):
        before = path.read_bytes()
        with pytest.raises(ArgumentError, match=f"{path.name}:2: damaged: {said}.*; restore a copy"):
            write(path, GAMES[1:2])
        assert path.read_bytes() == before


@pytest.mark.parametrize(("field", "value", "said"), MISFITS)
def test_a_field_of_another_shape_or_game_is_told(tmp_path, field, value, said):
    line = as_values(GAMES[0])
    line[GAMES[0]._fields.index(field)] = value
    refused_lines(tmp_path, line, said)


@pytest.mark.parametrize(("changes", "said"), MISFITS_OF_RECORDS)
def test_a_record_of_another_shape_or_role_is_told(tmp_path, changes, said):
    line = as_values(GAMES[0])
    line[0] = changes.pop("game", line[0])
    line[9].update(changes)
    refused_lines(tmp_path, line, said)


def test_a_line_of_too_few_values_or_too_many_is_told(tmp_path):
    for line in ([], as_values(GAMES[0])[:9], [*as_values(GAMES[0]), 1], "x", {}):
        refused_lines(tmp_path, line, "it is not a game; expected a list of 10 to 14 values")


def test_what_a_message_quotes_is_one_line_of_text(tmp_path):
    line = as_values(GAMES[0])
    line[9]["white"] = "a\nb\udcff\x1b[2J"
    refused_lines(tmp_path, line, r"`role` is random; expected a\\nb\\udcff\\x1b\[2J, as in `record`")


def test_a_turn_that_lost_has_a_time_within_bounds(tmp_path):
    """The record contains no move of the turn that lost, but `seconds` contains the turn's time."""
    lost = forfeit(GAMES[0].game, "theirs", "late")
    path = tmp_path / "games"
    path.write_bytes(unsealed([lost._replace(seconds=[61.0])]))
    assert write(path, [])[0].seconds == [61.0]
    refused_lines(tmp_path, lost._replace(seconds=[1e9]), r"`seconds` has the value 1e\+09; expected 0 to 12800")
    refused_lines(tmp_path, lost._replace(seconds=[-1.0]), "`seconds` has the value -1; expected 0 to 12800")
    refused_lines(tmp_path, lost._replace(seconds=[1.0, 1.0]), "`seconds` has 2 values; expected at most 1")


def test_a_game_that_is_there_twice_is_told(tmp_path):
    path = tmp_path / "games"
    path.write_bytes(unsealed([*GAMES[:2], GAMES[0]]))
    with pytest.raises(ArgumentError, match="games:4: damaged: the line repeats the game of line 2; restore"):
        write(path, [])


@pytest.mark.parametrize("said", [0, 3, True, "2", [[]]])
def test_a_seal_counts_the_games_before_it(tmp_path, said):
    path = tmp_path / "games"
    path.write_bytes(unsealed([GAMES[0], {"sealed": said}] if said is True else [*GAMES[:2], {"sealed": said}]))
    with pytest.raises(ArgumentError, match=r"games:[34]: damaged: the count of games is .*; expected [12], the"):
        write(path, [])


def test_a_file_is_sealed_once_and_may_grow_after_that(tmp_path):
    path = tmp_path / "games"
    digests = []
    for games in (GAMES[:2], [], GAMES[2:3], []):
        with open_kept(str(path), HEAD) as kept:
            for game in games:
                kept.add(game)
            digests.append(kept.seal())
    assert digests[0] == digests[1] != digests[2] == digests[3] and len(path.read_bytes().splitlines()) == 6
    assert write(path, []) == GAMES[:3]
    with open_kept(None, HEAD) as kept:
        assert kept.seal() == ""


def unsealed(games):
    """Return a file in the older format, whose lines have no digests."""
    return "".join(json.dumps(line) + "\n" for line in ({**HEAD, "format": "littlego grade 1"}, *games)).encode()


def test_a_file_from_before_digests_is_read_and_gone_on_with(tmp_path, capsys):
    path = tmp_path / "games"
    path.write_bytes(unsealed(GAMES[:2]) + b'[[1, 1, "ran')
    assert write(path, []) == GAMES[:2]
    assert "its first games have no digests and were verified by replay" in capsys.readouterr().err
    assert write(path, GAMES[2:4]) == GAMES[:4] == write(path, [])
    whole = path.read_bytes()
    assert whole.startswith(unsealed(GAMES[:2]))
    path.write_bytes(whole.replace(b"0.5", b"0.4", 1))
    with pytest.raises(ArgumentError, match="games:4: damaged: this line or an earlier line does not match its digest"):
        write(path, [])


def test_a_game_from_before_digests_is_held_against_its_moves(tmp_path):
    path = tmp_path / "games"
    path.write_bytes(unsealed([GAMES[0], GAMES[1]._replace(won=False)]))
    with pytest.raises(ArgumentError, match="games:3: damaged: `won` is False"):
        write(path, [])


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
    with pytest.raises(ArgumentError, match=f"games: `{what}` is .*; name another file"):
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
    """Return a function that limits the size of all files to a number of bytes, as on a full disk."""
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
    with pytest.raises(ArgumentError, match="cannot write /dev/zero: it is not a regular file"):
        write("/dev/zero", [])


def test_a_binary_file_stays_as_it_is(tmp_path):
    path = tmp_path / "games"
    path.write_bytes(bytes(range(256)))
    with pytest.raises(ArgumentError, match="does not contain graded games"):
        write(path, GAMES)
    assert path.read_bytes() == bytes(range(256))


SOMETHING_ELSE = ["hello\n", "{}\n", "[]\n", "3\n", '{"format": "x"}\n', json.dumps(HEAD) + "\n7\n", "{"]


@pytest.mark.parametrize("text", SOMETHING_ELSE)
def test_a_file_with_something_else_stays_as_it_is(tmp_path, text):
    path = tmp_path / "games"
    path.write_text(text)
    with pytest.raises(ArgumentError, match="does not contain graded games"):
        write(path, GAMES)
    assert path.read_text() == text


def test_two_gradings_do_not_write_one_file(tmp_path):
    path = str(tmp_path / "games")
    with open_kept(path, HEAD), pytest.raises(ArgumentError, match="is being written by another grading"):
        write(path, GAMES)


def test_a_file_that_cannot_be_written_is_one_message(tmp_path):
    with pytest.raises(ArgumentError, match="cannot write .*missing/games: No such file"):
        write(tmp_path / "missing" / "games", [])


def test_digests_can_be_put_right_and_then_only_the_games_tell(tmp_path):
    path = tmp_path / "games"
    write(path, GAMES[:2])
    whole = path.read_bytes()
    assert resealed(whole) == whole and resealed(unsealed(GAMES[:2])) == unsealed(GAMES[:2]) and resealed(b"") == b""
    path.write_bytes(resealed(whole.replace(b"true", b"false", 1)))
    with pytest.raises(ArgumentError, match="games:2: damaged: `won` is False; expected True, as in `record`"):
        write(path, [])
