"""Tests that a tournament's file loses nothing, has only complete pairs, and replaces no foreign file."""

from __future__ import annotations

import hashlib
import json
import random
import re
import sqlite3

import pytest
from arena_plans import made_up, played, reseal, small_plan, sprt_plan
from power_cut import torn

from littlego.arena import store as module
from littlego.arena.play import Played, PlayedPair, play_pair, result_of
from littlego.arena.store import Store
from littlego.cli.arguments import ArgumentError


@pytest.fixture
def store(tmp_path):
    with Store.make(tmp_path / "t.sqlite", small_plan(("random", "greedy", "ours"), pairs=2)) as made:
        yield made


def test_what_goes_in_comes_out(store, tmp_path):
    pairs = [play_pair(pair) for pair in store.plan().all_pairs()]
    random.Random(1).shuffle(pairs)
    assert all(store.add(pair) for pair in pairs)
    with Store(tmp_path / "t.sqlite") as again:
        assert again.plan() == small_plan(("random", "greedy", "ours"), pairs=2)
        assert again.done() == set(range(6)) and [result.number for result in again.results()] == list(range(12))
        for game in (game for pair in pairs for game in pair.games):
            kept = again.record(game.result.number)
            assert game.result in again.results()
            assert [move._replace(cpu=0.0) for move in kept.moves] == [m._replace(cpu=0.0) for m in game.record.moves]
            assert kept._replace(moves=(), ruleset=None) == game.record._replace(moves=(), ruleset=None)
        assert again.distinct() == len({game.record.key for pair in pairs for game in pair.games})


def test_a_fault_a_tie_and_an_empty_game_come_out_too(store):
    pair = store.plan().pair(0)
    first, second = made_up(pair, 1.5).games
    broken = first.record._replace(moves=(), fault=1, winner=2, why="Black lost: no move", note="Traceback")
    broken = broken._replace(black=0, lead2=-5)
    store.add(PlayedPair(0, (Played(result_of(broken, pair, 0), broken), second)))
    assert store.record(0) == broken._replace(ruleset=store.record(0).ruleset) and store.record(1).winner in (0, 1, 2)


def test_a_pair_counts_once(store):
    pair = play_pair(store.plan().pair(3))
    assert store.add(pair) and not store.add(pair)
    assert store.has(3) and not store.has(2) and len(store.results()) == 2
    assert [result.pair for result in store.results(3, 4)] == [3, 3] and store.results(0, 3) == store.results(4) == []


def test_a_pair_is_there_whole_or_not_at_all(store):
    first, second = play_pair(store.plan().pair(0)).games
    broken = second._replace(result=second.result._replace(why=None))
    with pytest.raises(ArgumentError):
        store.add(PlayedPair(0, (first, broken)))
    assert store.results() == [] and not store.has(0)
    assert store.add(PlayedPair(0, (first, second)))


def test_once_decided_only_the_pairs_before_count(tmp_path):
    with Store.make(tmp_path / "t.sqlite", sprt_plan(10)) as store:
        for number in (0, 1, 2, 5):
            store.add(made_up(store.plan().pair(number), 1))
        assert store.decision() is None
        store.decide(2, "H1")
        assert store.decision() == (2, "H1") and store.done() == {0, 1}
        assert not store.add(made_up(store.plan().pair(2), 1)) and store.done() == {0, 1}


def test_a_tournament_grows_and_never_shrinks(store):
    store.extend(5)
    store.extend(3)
    assert store.plan().pairs == 5 and store.plan()._replace(pairs=2) == small_plan(("random", "greedy", "ours"), 2)


def test_what_a_check_found_is_kept(store):
    assert store.checked() == {}
    store.keep_check("ours", [("warning", "it said: «x»")])
    assert store.checked() == {"ours": [["warning", "it said: «x»"]]}


def test_a_file_is_made_once_whoever_is_first(store, tmp_path, monkeypatch):
    with pytest.raises(FileExistsError):
        Store.make(tmp_path / "t.sqlite", small_plan())
    monkeypatch.setattr(module.os.path, "lexists", lambda path: False)  # as if the file appeared only after the check
    with pytest.raises(FileExistsError):
        Store.make(tmp_path / "t.sqlite", small_plan())
    assert store.plan() == small_plan(("random", "greedy", "ours"), pairs=2)
    assert not list(tmp_path.glob("*.new"))


def foreign(path):
    base = sqlite3.connect(path)
    base.executescript("CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine');")
    base.close()


def cut(path):
    Store.make(path, small_plan()).close()
    path.write_bytes(path.read_bytes()[:5000])


def scribbled(path):
    Store.make(path, small_plan()).close()
    data = bytearray(path.read_bytes())
    data[100:4096] = b"x" * 3996
    path.write_bytes(data)


def newer(path):
    Store.make(path, small_plan()).close()
    base = sqlite3.connect(path)
    base.execute("PRAGMA user_version = 99")
    base.close()


BAD = {
    "empty": lambda path: path.write_bytes(b""),
    "text": lambda path: path.write_text("These are my notes.\n"),
    "foreign": foreign,
    "cut": cut,
    "scribbled": scribbled,
    "newer": newer,
}


@pytest.mark.parametrize("kind", BAD)
def test_a_file_that_is_something_else_is_named_in_a_line_and_untouched(kind, tmp_path):
    path = tmp_path / "t.sqlite"
    BAD[kind](path)
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    with pytest.raises(ArgumentError) as caught, Store(path) as store:
        store.plan()
    assert "t.sqlite" in str(caught.value) and "\n" not in str(caught.value)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before


def test_a_missing_file_and_a_folder_that_cannot_be_made_are_said(tmp_path):
    with pytest.raises(ArgumentError, match="No such file"):
        Store(tmp_path / "none.sqlite")
    (tmp_path / "a file").write_text("")
    with pytest.raises(ArgumentError, match="cannot create .*No such file"):
        Store.make(tmp_path / "none" / "t.sqlite", small_plan())
    assert not (tmp_path / "none").exists()
    with pytest.raises(ArgumentError, match="cannot create"):
        Store.make(tmp_path / "a file" / "t.sqlite", small_plan())


DAMAGED = {
    "DELETE FROM tournament": "it contains no plan",
    "DELETE FROM players": "its players differ from the players in its plan",
    "DELETE FROM players WHERE name = 'ours'": "its players differ from the players in its plan",
    "UPDATE players SET name = 'me' WHERE name = 'random'": "its players differ from the players in its plan",
    "DELETE FROM games WHERE number = 2": "game 3: the other game of its pair is missing",
    "DELETE FROM games WHERE number = 3": "game 2: the other game of its pair is missing",
    "UPDATE games SET pair = 7 WHERE number = 3": "game 3: its number does not match its pair",
    "UPDATE games SET second = 'x' WHERE number = 3": "game 3: random and x are not both players",
}


@pytest.mark.parametrize("command", DAMAGED)
def test_what_was_changed_by_hand_is_told(store, command):
    for number in (0, 1):
        store.add(made_up(store.plan().pair(number)._replace(first=store.players()[0], second=store.players()[1]), 1))
    store._base.execute(command)
    with pytest.raises(ArgumentError, match=f"t.sqlite is damaged: {DAMAGED[command]}"), Store(store.path):
        pass


@pytest.mark.parametrize("change", ["winner = 3 - winner", "fault = 1", "plies = 2", "why = ''", "lead2 = 5"])
def test_a_game_that_ended_otherwise_than_its_record_is_told(store, change):
    store.add(made_up(store.plan().pair(0), 2))
    store._base.execute(f"UPDATE games SET {change} WHERE number = 1")
    reseal(store)
    assert store.record(0).winner == 1
    with pytest.raises(ArgumentError, match="t.sqlite is damaged: game 1 has different results in its columns"):
        store.record(1)


FORGED = {
    "winner": (2, "its winner is 2, but its 2 moves give 1"),
    "lead": (2.5, "its lead is 2.5, but its 2 moves give -1.5"),
    "fault": (2, "its fault is 2, but its 2 moves give 0"),
    "why": ("24 moves", "its why is '24 moves', but its 2 moves give 'White resigned'"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_record_that_its_moves_do_not_come_to_is_told(store, name):
    store.add(made_up(store.plan().pair(0), 2))
    value, said = FORGED[name]
    record = json.loads(store._all("SELECT record FROM games WHERE number = 0")[0][0])
    column, kept = ("lead2", 2 * value) if name == "lead" else (name, value)
    wanted = f"UPDATE games SET record = ?, {column} = ? WHERE number = 0"
    store._base.execute(wanted, (json.dumps({**record, name: value}), kept))
    reseal(store)
    with pytest.raises(ArgumentError, match=f"t.sqlite is damaged: game 0: {re.escape(said)}"):
        store.record(0)


CHANGES = {
    "UPDATE games SET seed = 99 WHERE number = 2": "game 2 does not match its digest",
    "UPDATE games SET winner = 3 - winner WHERE number = 3": "game 3 does not match its digest",
    "UPDATE games SET black_cpu = 0.1 WHERE number = 3": "game 3 does not match its digest",
    "UPDATE games SET record = replace(record, 'for a test', 'for a text')": "game 0 does not match its digest",
    "UPDATE games SET moves = 'PASS' WHERE number = 1": "game 1 does not match its digest",
    "DELETE FROM games WHERE pair = 1": "game 2: the game or its digest is missing",
    "DELETE FROM digests WHERE number = 1": "game 1: the game or its digest is missing",
    "UPDATE digests SET digest = substr(digest, 2) WHERE number = 1": "the digests of its games do not add up",
    "UPDATE seal SET games = 'ff'": "the digests of its games do not add up",
    "DELETE FROM seal": "its table `seal` has 0 rows",
    "UPDATE tournament SET plan = replace(plan, '\"seed\": 7', '\"seed\": 8')": "the plan or the players do not match",
    "UPDATE tournament SET decided_after = 2": "the plan or the players do not match",
    "UPDATE players SET digest = 'x' WHERE place = 1": "the plan or the players do not match",
    "UPDATE players SET checked = '[]'": "the plan or the players do not match",
}


@pytest.mark.parametrize("command", CHANGES)
def test_what_is_not_what_was_written_is_told(store, command):
    for number in (0, 1):
        store.add(made_up(store.plan().pair(number), 1))
    store._base.execute(command)
    with pytest.raises(ArgumentError, match=f"t.sqlite is damaged: {CHANGES[command]}"), Store(store.path) as again:
        again.results()


def test_every_change_goes_into_the_digest_of_the_whole(store):
    seals = [store.seal()]
    changes = [
        lambda: store.add(made_up(store.plan().pair(0), 1)),
        lambda: store.add(made_up(store.plan().pair(3), 2)),
        lambda: store.extend(5),
        lambda: store.keep_check("ours", [("warning", "slow")]),
        lambda: store.decide(2, "H1"),
    ]
    for change in changes:
        change()
        with Store(store.path) as again:
            seals.append(again.seal())
    assert len(set(seals)) == len(seals)


def test_the_same_games_in_another_order_have_the_same_digest(store, tmp_path):
    made = [made_up(store.plan().pair(number), 1) for number in range(3)]
    with Store.make(tmp_path / "u.sqlite", store.plan()) as other:
        for one, another in zip(made, reversed(made), strict=True):
            store.add(one)
            other.add(another)
        assert store.seal() == other.seal()


def test_a_pair_that_was_added_is_on_the_disk(store):
    assert store._all("PRAGMA synchronous")[0][0] == 2  # 2 is FULL: each commit waits for the disk


def test_a_power_cut_while_a_pair_is_added_takes_none_before_it(store, tmp_path):
    """Most simulated power cuts shorten or damage what SQLite last wrote to its log."""
    chance, log = random.Random(4), store.path.with_name("t.sqlite-wal")
    (tmp_path / "after").mkdir()
    copy, found = tmp_path / "after" / "t.sqlite", set()
    for number in range(4):
        before = log.read_bytes() if log.exists() else b""
        store.add(made_up(store.plan().pair(number), 1))
        base, after = store.path.read_bytes(), log.read_bytes()
        assert after.startswith(before)  # SQLite only appends, so a power cut can lose only the end
        for _ in range(12):
            written = after[len(before) :]
            written = torn(written, len(before), chance) if chance.random() < 0.8 else written
            copy.write_bytes(base)
            cut = chance.choice([len(written), chance.randrange(len(written))])
            copy.with_name("t.sqlite-wal").write_bytes(before + written[:cut])
            with Store(copy) as left:
                assert left.done() in (set(range(number)), set(range(number + 1)))
                assert [record.seed for record in left.records()] == [game.seed for game in left.results()]
                found.add(len(left.done()) - number)
    assert found == {0, 1} and Store(store.path).done() == set(range(4))


def test_a_file_on_a_disk_that_is_only_read_is_read_without_a_trace(store, monkeypatch):
    store.add(made_up(store.plan().pair(0), 2))
    store.close()
    monkeypatch.setattr(module.os, "access", lambda path, mode: False)
    with Store(store.path) as again:
        assert len(again.results()) == 2 and again.record(0).winner == 1
        assert [path.name for path in store.path.parent.iterdir()] == ["t.sqlite"]
        with pytest.raises(ArgumentError, match="readonly"):
            again.extend(9)
    (store.path.parent / "t.sqlite-wal").write_bytes(b"")
    with pytest.raises(ArgumentError, match="still in t.sqlite-wal, .* copy both files to a writable folder"):
        Store(store.path)


def test_what_is_played_does_not_depend_on_the_file(store, tmp_path):
    (tmp_path / "other").mkdir()
    with Store.make(tmp_path / "other" / "u.sqlite", store.plan()) as other:
        for pair in store.plan().all_pairs():
            store.add(play_pair(pair))
            other.add(play_pair(pair))
        assert played(store) == played(other)
