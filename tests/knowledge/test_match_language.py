"""Tests of match patterns: examples of all sizes, facts about a game, sequences, and shared patterns."""

from __future__ import annotations

import pytest
from drawn_patterns import FILE, changed
from hypothesis import given
from hypothesis import strategies as st
from match_patterns import MATCHES, NO_MATCH, TOUCH, codes, drawn, entry, example, file_of, read

from littlego.cli.main import main
from littlego.engines.large.book import large_book, load_large
from littlego.engines.large.engine import ENGINE
from littlego.games.match import match_rules
from littlego.knowledge.firing import near_misses
from littlego.knowledge.model import Example
from littlego.knowledge.sequences import ORDER, read_replies, read_sequence
from littlego.knowledge.source import Source, compose
from littlego.knowledge.textfile import pattern_line
from littlego.rules.geometry import make_grid
from littlego.rules.patternfile import Pattern, book_of, load
from littlego.rules.position import BLACK, PASS, WHITE, is_legal, played


@pytest.mark.parametrize("size", [7, 8, 13, 19])
def test_an_example_has_the_size_that_is_drawn(size):
    edge = size - 1
    matches = example(drawn(size, O=f"{edge},{edge - 1}"), f"move: {edge},{edge}")
    problems, base = read(file_of(entry(matches=matches)))
    assert problems == [] and base.patterns[0].examples[0].position().ruleset is match_rules(size)


@pytest.mark.parametrize(
    ("matches", "code"),
    [
        (example(drawn(6, O="2,2"), "move: 2,3"), "P060"),
        (example(drawn(9, O="2,2") + "            . .\n", "move: 2,3"), "P060"),
        (example(drawn(9, O="2,2"), "move: 2,9"), "P063"),
        (example(drawn(9, O="2,2"), "move: 2,3", "last: 9,2"), "P063"),
        (example(drawn(9, O="2,2"), "move: 2,3", "last: 2,3"), "P069"),
        (example(drawn(9, O="2,2"), "move: 2,3", "own_last: 9,2"), "P063"),
        (example(drawn(9, O="2,2"), "move: 2,3", "own_last: 2,2"), "P069"),
        (example(drawn(9, O="2,2"), "move: 2,3", "own_last: 3,3", "previous: |\n" + drawn(9).rstrip()), "P069"),
        (example(drawn(9, O="2,2"), "move: 2,3", "prisoners: [1]"), "P069"),
        (example(drawn(9, O="2,2"), "move: 2,3", "prisoners: [1, x]"), "P015"),
        (example(drawn(9, O="2,2"), "move: 2,3", "moves_left: 3"), "P006"),
        (example(drawn(9, O="2,2", X="0,0") + "", "move: 2,3", "pass_stones: never"), "P016"),
    ],
)
def test_what_no_example_may_be(matches, code):
    assert codes(file_of(entry(matches=matches))) == [code]


def test_the_position_of_an_example_knows_its_game():
    lines = "move: 2,3", "last: 2,2", "own_last: 2,1", "prisoners: [2, 3]", "colour: white", "pass_stones: false"
    [one, _] = read(file_of(entry(matches=example(drawn(9, O="2,2"), *lines))))[1].patterns[0].examples
    position = one.position()
    assert (position.colour, position.prisoners, position.last, position.own_last) == (WHITE, (3, 2), 20, 19)
    assert not position.ruleset.pass_stones and position.black == 1 << 20
    for line in lines:
        assert line in one.text()


def previous(board: str) -> str:
    return "previous: |\n" + board.rstrip("\n")


def test_what_was_before_tells_ko_prisoners_and_passes():
    before = drawn(9, X="0,1 1,0 2,1 1,2", O="0,2 2,2 1,3")
    after = drawn(9, X="0,1 1,0 2,1", O="0,2 2,2 1,3 1,1")
    # O at 1,1 captures the stone at 1,2: X may not recapture at once.
    text = file_of(entry(body="    diagram: |\n      O *\n", matches=example(after, "move: 1,2", previous(before))))
    problems, _ = read(text)
    assert [one.code for one in problems] == ["P070"] and "illegal" in problems[0].hint
    passed = file_of(entry(matches=example(drawn(9, O="2,2"), "move: 2,3", previous(drawn(9, O="2,2")))))
    [one, _] = read(passed)[1].patterns[0].examples
    assert one.position().passed and one.position().prisoners == (1, 0) and one.position().last == PASS


def test_prisoners_are_at_least_those_that_the_last_move_made():
    board = drawn(9, O="2,2")
    assert codes(file_of(entry(matches=example(board, "move: 2,3", previous(board), "prisoners: [0, 4]")))) == ["P069"]
    assert codes(file_of(entry(matches=example(board, "move: 2,3", previous(board), "prisoners: [1, 4]")))) == []


@given(st.integers(0, 3), st.integers(0, 3), st.booleans(), st.booleans(), st.data())
def test_an_example_of_a_position_is_that_position(own, theirs, pass_stones, white, data):
    rules = match_rules(7, pass_stones=pass_stones)
    colour = WHITE if white else BLACK
    board = (1 << 8 | 1 << 40, 1 << 9 | 1 << 30)
    last = data.draw(st.sampled_from([None, 9, 30] if colour == BLACK else [None, 8, 40]))
    own_last = data.draw(st.sampled_from([None, 0, 8 if colour == BLACK else 9]))  # 0: the stone was captured
    position = rules.start(board, colour, (own, theirs), last, own_last)
    again = Example.of_position("matches", position, 20).position()
    for name in ("black", "white", "colour", "prisoners", "last", "own_last", "passed", "ko", "ruleset"):
        assert getattr(again, name) == getattr(position, name), name


# -- sequences ---------------------------------------------------------------------------------------------------

SLIDE = """\
    sequence: |
      - - - - - +
      ? . . . . |
      ? . 3 . . |
      ? . . O . |
      ? . 1 . . |
      ? . . 2 . |
"""
AFTER_TWO = example(drawn(9, X="3,6", O="4,7 5,6"), "move: 1,6")


def slide(body: str = SLIDE, name: str = "slide", matches: str = MATCHES) -> str:
    return entry(name, body, matches)


def test_each_move_is_a_pattern_seen_by_whoever_makes_it():
    problems, base = read(file_of(slide(matches=example(drawn(9, O="2,7"), "move: 3,6"))))
    assert problems == []
    rows = {one.id: "/".join(one.rows) for one in base.patterns}
    assert rows == {
        "slide-1": "-----+/?....|/?....|/?..O.|/?.*..|/?....|",
        "slide-2": "-----+/?....|/?....|/?..X.|/?.O..|/?..*.|",
        "slide-3": "-----+/?....|/?.*..|/?..O.|/?.X..|/?..O.|",
    }
    assert {one.sequence for one in base.patterns} == {"slide"} and {one.entry for one in base.patterns} == {"slide"}


def test_an_example_of_a_sequence_may_name_any_of_its_moves():
    for matches in (
        example(drawn(9, O="2,7"), "move: 3,6"),
        example(drawn(9, X="2,7", O="3,6"), "move: 4,7"),
        example(drawn(9, O="2,7 4,7", X="3,6"), "move: 1,6"),
    ):
        assert codes(file_of(slide(matches=matches))) == []
    wrong = example(drawn(9, O="2,7 4,7", X="3,6"), "move: 1,7")
    problems, _ = read(file_of(slide(matches=wrong)))
    assert [one.code for one in problems] == ["P070"] and "`slide` fires for 1,6" in problems[0].message


def test_replies_choose_the_moves():
    body = SLIDE + "    replies: 2-3\n"
    base = read(file_of(slide(body)))[1]
    assert [one.id for one in base.patterns] == ["slide-2", "slide-3"]
    assert codes(file_of(slide(SLIDE + "    replies: 2-4\n"))) == ["P037"]
    assert codes(file_of(slide(SLIDE + "    replies: many\n"))) == ["P037"]


@given(st.lists(st.integers(1, 35), min_size=1, max_size=6))
def test_replies_are_read_as_they_are_written(numbers):
    source = Source(f"replies: '{', '.join(map(str, numbers))}'", "x.yaml")
    assert read_replies(source, compose(source).value[0][1], 35) == sorted(set(numbers))


@pytest.mark.parametrize(
    ("drawing", "code", "said"),
    [
        ("O 1\n      ? 3", "P037", "move `3` without move `2`"),
        ("O 1\n      1 2", "P037", "a second move `1`"),
        ("O .\n      X .", "P037", "without a move"),
        ("O *\n      X 1", "P021", "unknown symbol `*`"),
        ("1 x\n      . .", "P037", "move `x` without move `w`"),
        ("O 1 2\n      . .", "P020", "row 2 of the sequence"),
        ("- - +\n      O 1 |\n      O O |", "P037", "move `1` has no liberty"),
    ],
)
def test_what_no_sequence_may_be(drawing, code, said):
    problems, _ = read(file_of(slide(f"    sequence: |\n      {drawing}\n")))
    assert [one.code for one in problems] == [code] and said in problems[0].message


def test_a_sequence_takes_the_place_of_a_diagram():
    assert codes(file_of(slide(SLIDE + TOUCH))) == ["P037"]
    assert codes(file_of(entry(body="    replies: 1-2\n" + TOUCH))) == []
    assert "P006" in codes(changed("    diagram: |\n      O *", "    sequence: |\n      O 1", FILE))


def test_ids_of_moves_are_ids_as_others():
    text = file_of(slide(matches=example(drawn(9, O="2,7"), "move: 3,6")), entry("slide-2"))
    assert codes(text) == ["P013"]


def test_labels_and_conditions_are_those_of_each_move():
    labels = (
        "    labels: |\n      - - - - - +\n"
        + "      ? . . . . |\n" * 2
        + "      ? . . A . |\n"
        + "      ? . . . . |\n" * 2
    )
    body = SLIDE + labels + "    when: liberties(A) >= 2\n"
    problems, base = read(file_of(slide(body, matches=example(drawn(9, O="2,7"), "move: 3,6"))))
    assert problems == [] and {tuple(one.when) for one in base.patterns} == {("~A liberties 2 >=",)}
    wrong = SLIDE + labels.replace("A", "B") + "    when: liberties(A) >= 2\n"
    assert set(codes(file_of(slide(wrong)))) == {"P049"}


@given(st.randoms(use_true_random=False))
def test_a_sequence_draws_the_boards_of_its_game(lots):
    """The diagrams of a sequence of random legal moves on distinct points equal the boards of this game."""
    size, grid = 7, make_grid(7)
    sides, moves, boards = {"X": 0, "O": 0}, [], []
    rows = [["."] * size for _ in range(size)]
    for number in range(24):
        mover, other = ("X", "O") if number % 2 == 0 else ("O", "X")
        free = [p for p in range(size * size) if rows[p // size][p % size] == "." and p not in moves]
        legal = [p for p in free if is_legal(1 << p, sides[mover], sides[other], 0, grid)]
        if not legal:
            break
        boards.append(dict(sides))
        near = [p for p in legal if any(abs(p - q) in (1, size) for q in moves)] or legal
        moves.append(lots.choice(near))
        sides[mover], sides[other], _, _ = played(1 << moves[-1], sides[mover], sides[other], grid)
    for number, move in enumerate(moves):
        rows[move // size][move % size] = ORDER[number]
    lines = ["+" + "-" * size + "+", *("|" + "".join(row) + "|" for row in rows), "+" + "-" * size + "+"]
    source = Source("sequence: |\n" + "".join(f"  {line}\n" for line in lines), "x.yaml")
    steps = read_sequence(source, compose(source).value[0][1], size)
    assert not source.problems and steps is not None and len(steps) == len(moves)
    for number, step in steps.items():
        own, theirs = ("X", "O") if number % 2 else ("O", "X")
        cells = "".join(row[1:-1] for row in step.diagram.rows[1:-1])
        seen = {s: sum(1 << p for p, c in enumerate(cells) if c == s) for s in "XO*"}
        assert seen["*"] == 1 << moves[number - 1]
        assert (seen["X"], seen["O"]) == (boards[number - 1][own], boards[number - 1][theirs])


# -- sharing, facts, the compiled file -----------------------------------------------------------------------------


@pytest.fixture
def shared(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    both = changed("    priority: 900\n", "    priority: 900\n    rulesets: [little-go, match]\n", FILE)
    (tmp_path / "patterns.yaml").write_text(both, encoding="utf-8")
    head = "ruleset: match\nshares: patterns.yaml\n"
    (tmp_path / "patterns.match.yaml").write_text(file_of(head=head), encoding="utf-8")
    return tmp_path


def test_shared_patterns_are_compiled_in(shared, capsys):
    assert main(["compile", "--ruleset", "match"]) == 0
    assert "patterns.match.txt: 2 patterns" in capsys.readouterr().out
    book = load_large((shared / "patterns.match.txt").read_bytes(), "patterns.match.txt")
    assert [one.id for one in book.patterns] == ["take", "touch"] and book.size == 19
    assert main(["test", "--ruleset", "match"]) == 0
    assert "2 of 2 examples hold" in capsys.readouterr().out


def test_shared_patterns_may_bring_other_points_there(shared):
    path = shared / "patterns.yaml"
    more = changed("    rulesets:", "    shared_points: 7 * size(A)\n    rulesets:", path.read_text(encoding="utf-8"))
    path.write_text(more, encoding="utf-8")
    assert main(["compile"]) == main(["compile", "--ruleset", "match"]) == 0
    large = load_large((shared / "patterns.match.txt").read_bytes(), "patterns.match.txt")
    small = load(str(shared / "patterns.txt"))
    assert [one.points for one in (*small.patterns, large.patterns[0])] == ["100 ~A size *", "7 ~A size *"]
    assert codes(changed("7 * size(A)", "7 * size(B)", more)) == ["P049"]
    assert codes(changed("7 * size(A)", "7 *", more)) == ["P041"]
    assert codes(changed("    rulesets: [little-go, match]\n", "", more)) == ["P011"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("shares: patterns.yaml", "shares: nowhere.yaml"), "P019"),
        (("shares: patterns.yaml", "shares: /patterns.yaml"), "P019"),
        (("id: touch", "id: take"), "P013"),
    ],
)
def test_what_cannot_be_shared(shared, change, code):
    text = changed(*change, (shared / "patterns.match.yaml").read_text(encoding="utf-8"))
    assert codes(text) == [code]


def test_a_shared_file_that_is_not_there_is_asked_for_by_name(shared):
    text = changed("shares: patterns.yaml", "shares: nowhere.yaml", (shared / "patterns.match.yaml").read_text("utf-8"))
    problem = read(text)[0][0]
    assert problem.message.startswith("cannot read ") and "expected" not in problem.message
    assert problem.hint == "copy `nowhere.yaml` beside this file, or write its path relative to this file's folder"


def test_mistakes_of_a_shared_file_are_told_in_one_line(shared):
    (shared / "patterns.yaml").write_text(changed("class: capture", "class: captures"), encoding="utf-8")
    problems, _ = read((shared / "patterns.match.yaml").read_text(encoding="utf-8"))
    assert [one.code for one in problems] == ["P019"] and "P014" in problems[0].message


def test_rulesets_name_the_file_s_own():
    for value, code in (("[match]", "P011"), ("[little-go, chess]", "P011")):
        assert codes(changed("    priority: 900\n", f"    priority: 900\n    rulesets: {value}\n")) == [code]


def test_facts_for_large_boards_are_for_these_alone():
    asking = "    when: own_influence(*) == 0\n"
    assert codes(file_of(entry(body=TOUCH + asking))) == []
    problems, _ = read(changed("liberties(A) == 1", "own_influence(*) == 0", FILE))
    assert [one.code for one in problems] == ["P054"] and "7 to 19" in problems[0].message


# -- where a pattern does not fire -----------------------------------------------------------------------------------


@given(st.randoms(use_true_random=False))
def test_near_misses_are_those_of_all_placements(lots):
    """Planes find all placements for a move. There is a near miss if there are placements and none fires."""
    size = 7
    rows = ["".join(lots.choice("XO.xo?") for _ in range(3)) for _ in range(2)]
    move = lots.randrange(3)
    rows[0] = rows[0][:move] + "*" + rows[0][move + 1 :]
    sides = lots.sample(["- - - ", ""], 1)[0]
    drawing = "".join(f"      {' '.join(row)}\n" for row in ([sides] if sides else []) + rows)
    base = read(file_of(entry(body=f"    diagram: |\n{drawing}")))[1]
    [pattern] = base.patterns
    stones = [lots.choice("XO..") for _ in range(size * size)]
    own, theirs = (sum(1 << p for p, one in enumerate(stones) if one == symbol) for symbol in "XO")
    position = match_rules(size).start((own, theirs), BLACK)
    point = lots.randrange(size * size)
    book = book_of("match", size, [Pattern(pattern_line(pattern))])
    shift, ones = 3 + book.bits, (1 << book.bits) - 1
    words = zip(book.cares, book.values, book.cells, strict=True)
    placed = {(care, value) for care, value, cells in words if cells >> shift & ones == point}
    planes = ENGINE.placements(position, large_book(book), point)
    assert {(care, value) for care, value, _ in planes} == placed
    word = own | theirs << size * size
    fires = position.legal() >> point & 1 and any(word & care == value for care, value in placed)
    misses = near_misses(pattern, position, point)
    assert (NO_MATCH in file_of()) and bool(misses) == (bool(placed) and not fires)
