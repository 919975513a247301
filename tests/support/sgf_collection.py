"""A seeded collection of small SGF files, written in other programs' styles, with each file's moves.

Each writer imitates its program's order of properties, line breaks, escapes, encoding and habits. The games consist of
random legal moves, so that no copyright applies to the files.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from littlego.games.handicap import fixed_handicap
from littlego.games.match import match_rules
from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK, PASS, WHITE

LETTERS = "abcdefghijklmnopqrs"
QUOTE = "na\u00efve \u201cquote\u201d"
SIZES = (9, 9, 13, 19)
JAPANESE, CHINESE, KOREAN = (
    "表示、ソフトの能力。ここは構えるべき十段",
    "這手棋許功蓋很好，圍棋九段",
    "이창호 九단의 좋은 수",
)
SIMPLIFIED = "这步棋很好，白棋应该在这里，围棋九段"
NOTES = (
    "good move",
    "a [hane] at the edge ;)",
    "see (below); Black is thin\nand White is thick",
    "path C:\\go\\games",
    "J\u00fcrgen: tr\u00e8s bien jou\u00e9",
)


@dataclass(frozen=True)
class Sample:
    """An SGF file. moves: the (colour, point or PASS) pairs of the main line, as the program wrote them."""

    program: str
    number: int
    data: bytes
    moves: list[tuple[int, int]]
    size: int

    @property
    def name(self) -> str:
        """The sample's file name."""
        return f"{self.program}-{self.number}.sgf"


class Game:
    """A random game and the source of all random choices about its file."""

    def __init__(self, rng: Random, size: int = 0, handicap: int = 0) -> None:
        self.rng, self.size = rng, size or rng.choice(SIZES)
        self.handicap = fixed_handicap(self.size, handicap) if handicap else []
        ruleset = match_rules(self.size, pass_stones=False)
        stones = sum(1 << point for point in self.handicap)
        position = ruleset.start((stones, 0), WHITE) if stones else ruleset.opening()
        self.moves: list[tuple[int, int]] = []
        for _ in range(rng.randint(6, 30)):
            move = rng.choice(points_of(position.legal()) or [PASS])
            self.moves.append((position.colour, move))
            position = position.play(move)
        self.colour = position.colour

    def add_passes(self, count: int) -> None:
        """Add `count` passes, by the two players in turn."""
        for _ in range(count):
            self.moves.append((self.colour, PASS))
            self.colour = BLACK + WHITE - self.colour

    def point(self, move: int, passed: str = "") -> str:
        """Return a move as an SGF value. passed: the value of a pass."""
        return passed if move == PASS else LETTERS[move % self.size] + LETTERS[move // self.size]

    def nodes(self, passed: str = "") -> list[str]:
        """Return each move as a node. passed: the value of a pass."""
        return [f";{'BW'[colour - 1]}[{self.point(move, passed)}]" for colour, move in self.moves]

    def stones(self) -> str:
        """Return the properties HA and AB of the handicap, or '' without a handicap."""
        points = "".join(f"[{self.point(point)}]" for point in self.handicap)
        return f"HA[{len(self.handicap)}]AB{points}" if points else ""

    def note(self, *texts: str) -> str:
        """Return a comment property in 40% of the calls, otherwise ''."""
        return f"C[{escape(self.rng.choice(texts or NOTES))}]" if self.rng.random() < 0.4 else ""


def escape(text: str) -> str:
    """Return a text as the value of a property."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _with_variation(game: Game, nodes: list[str]) -> str:
    """Return nodes with a variation in the middle, the main line first."""
    half = len(nodes) // 2
    return "".join(nodes[:half]) + f"(\n{''.join(nodes[half:])}\n)(\n{nodes[half]}C[another way];W[];B[]\n)"


def cgoban(game: Game) -> bytes:
    head = f"(;GM[1]FF[4]CA[UTF-8]AP[CGoban:3]ST[2]\nRU[Japanese]SZ[{game.size}]KM[6.50]\nPW[White]PB[Black]\n"
    return (head + _with_variation(game, [node + game.note() + "\n" for node in game.nodes()]) + ")\n").encode()


def kgs(game: Game) -> bytes:
    """Return an SGF in KGS's style: the handicap as Black's first moves, clocks, ranks in brackets."""
    stones = [f";B[{game.point(point)}]\n" for point in game.handicap]
    game.moves = [(BLACK, point) for point in game.handicap] + game.moves
    handicap = f"HA[{len(stones)}]KM[0.50]" if stones else "KM[6.50]"
    head = (
        f"(;GM[1]FF[4]CA[UTF-8]AP[CGoban:3]ST[2]\nRU[Japanese]SZ[{game.size}]{handicap}TM[1800]OT[5x30 byo-yomi]\n"
        "PW[anna]PB[bert]WR[3d]BR[?]DT[2021-02-03]PC[The KGS Go Server at http://www.gokgs.com/]RE[W+Resign]\n"
    )
    chat = "anna [3d\\]: hi\nbert [?\\]: hi :)\n"
    nodes = [
        f"{node}{'BW'[at % 2]}L[{1700 - at}.25]{f'C[{chat}]' if at == 3 else ''}\n"
        for at, node in enumerate(game.nodes())
    ]
    return (head + "".join(nodes) + ")\n").encode()


def igs(game: Game) -> bytes:
    """Return an SGF in IGS's style: three passes at the end, of which the first two count."""
    game.add_passes(3)
    head = (
        f"(;\nGM[1]FF[4]AP[PANDANET IGS:glGo]\nSZ[{game.size}]\nPB[bert]\nBR[4k*]\nPW[anna]\nWR[3k ]\n"
        f"KM[6.5]\nRE[W+3.5]\n"
        f"TM[900]\nUS[Brought to you by IGS PANDANET]\nCP[\n  Copyright (c) PANDANET Inc.\n  ]\n{game.stones()}\n"
    )
    text = head + "".join(f"{node}{'BW'[at % 2]}L[{900 - at}]\n" for at, node in enumerate(game.nodes("tt"))) + "\n)\n"
    game.moves.pop()
    return text.encode()


def fox(game: Game) -> bytes:
    komi = game.rng.choice(["375", "650", "0", "325", "750", "50"])
    head = (
        f"(;GM[1]FF[4]\nSZ[{game.size}]\nGN[第一局 绝艺[9段\\]]\nDT[2021-02-03]\nPB[星阵]\nPW[豆泥w]\nBR[2段]\n"
        f"KM[{komi}]HA[{len(game.handicap)}]RU[Chinese]"
        "AP[GNU Go:3.8]RN[3]RE[W+R]TM[300]TC[3]TT[30]AP[foxwq]RL[0]\n"
    )
    stones = "".join(f"[{game.point(point)}]" for point in game.handicap)
    return (head + (f"AB{stones}" if stones else "") + "".join(game.nodes()) + "\n)").encode()


def tygem(game: Game) -> bytes:
    """Return an SGF in Tygem's style: GBK or EUC-KR without a declaration, ten moves per line."""
    encoding, texts = game.rng.choice([("gb18030", SIMPLIFIED), ("cp949", KOREAN)])
    nodes = game.nodes()
    lines = ["".join(nodes[at : at + 10]) for at in range(0, len(nodes), 10)]
    head = f"(;GM[1]FF[3]SZ[{game.size}]\r\nPB[{texts[:4]}]PW[{texts[-4:]}]EV[{texts}]KM[6.5]RE[B+R]\r\n"
    return (head + game.stones() + "\r\n".join(lines) + f"C[{texts}])\r\n").encode(encoding, "replace")


def multigo(game: Game) -> bytes:
    head = f"(;CA[gb2312]SZ[{game.size}]AP[MultiGo:4.4.4]SO[{SIMPLIFIED}]MULTIGOGM[1]\r\n{game.stones()}\r\n"
    nodes = [f"{node}N[{SIMPLIFIED[:3]}]{game.note(SIMPLIFIED, '嘳a誠')}" for node in game.nodes()]
    return (head + _with_variation(game, nodes) + ")").encode("gb18030")


def dgs(game: Game) -> bytes:
    game.add_passes(2)
    head = (
        f"(;FF[4]GM[1]\nPC[Dragon Go Server: http://www.dragongoserver.net/]\nDT[2021-02-03]\nGN[bert-anna-1]\nSO[x]\n"
        f"PB[Bert (bert)]\nPW[Anna (anna)]\nBR[3 kyu]\nWR[1 dan]\nXM[{len(game.moves)}]\nOT[90 days with 1 day extra]\n"
        f"RU[Japanese]\nSZ[{game.size}]\nKM[6.5]\nGC[Game ID: 1\nGame Type: GO]\nCA[UTF-8]\nAP[DGS:1.19]\n"
    )
    first = f"{game.stones()}PL[W]" if game.handicap else ""
    end = "\n;N[RESULT]TB[aa][ab:bc]TW[ia]C[Result: B+1.5\n]"
    notes = [f"{node}{game.note('anna: thanks for the game', 'bert: ...')}" for node in game.nodes()]
    return (head + first + "\n" + "\n".join(notes) + end + "\n)\n").encode()


def smartgo(game: Game) -> bytes:
    head = (
        f"(;GM[1]FF[4]AP[SmartGo Windows:2.8.1]CA[Windows-1252]SZ[{game.size}]\nGN[J\u00fcrgen]\n.AB[aa].XX[1]KM[6.5]\n"
    )
    notes = [f"{node}.TM[3]{game.note(NOTES[-1], QUOTE)}" for node in game.nodes()]
    return (head + game.stones() + _with_variation(game, notes) + ")").encode("cp1252")


def jago(game: Game) -> bytes:
    """Return an SGF in Jago's style: Latin-1 without a declaration, long notes of several lines."""
    long = " ".join(["White is thick here \u00fcber alles, and the right side is \u00f6de."] * 12).replace(". ", ".\n")
    head = f"(;GM[1]FF[4]AP[Jago:Version 5.00]SZ[{game.size}]GN[Lektion]KM[0]US[]"
    head += f"CoPyright[\u00a9 niemand]\n{game.stones()}\n"
    return (head + "\n".join(node + game.note(long, "Ein sch\u00f6ner Zug") for node in game.nodes()) + ")\n").encode(
        "latin-1"
    )


def gogui(game: Game) -> bytes:
    head = (
        f"(;FF[4]CA[UTF-8]AP[GoGui:1.5.1]SZ[{game.size}]\nKM[6.5]PB[GNU Go]PW[Fuego]DT[2021-02-03]\n{game.stones()}\n"
    )
    figures = [
        node + (f"FG[259:Figure {at}]PM[1]LB[aa:1][bb:A:2]" if at % 7 == 0 else "")
        for at, node in enumerate(game.nodes())
    ]
    return (head + "\n".join(figures) + ")\n").encode()


def sabaki(game: Game) -> bytes:
    head = f"(;GM[1]FF[4]CA[UTF-8]AP[Sabaki:0.52.2]KM[6.5]SZ[{game.size}]DT[2021-02-03]PB[本因坊]{game.stones()}\n"
    marks = ["", "AR[aa:cc]", "LN[aa:bb]HO[1]", "SBKV[48.3]", "CR[aa:bb]MA[cc]", "BM[1]DM[2]"]
    return (
        head + _with_variation(game, [node + game.rng.choice(marks) + game.note() for node in game.nodes()]) + ")"
    ).encode()


def katrain(game: Game) -> bytes:
    head = (
        f"(;GM[1]FF[4]CA[UTF-8]AP[KaTrain:https://github.com/sanderland/katrain]SZ[{game.size}]KM[6.5]RU[japanese]\n"
        f"PB[Human]PW[AI (default)]KTV[1.0.1]C[SGF generated by KaTrain 1.0.1\u3164\u200b\n]{game.stones()}"
    )
    packed = [base64.b64encode(game.rng.randbytes(40)).decode() for _ in game.moves]
    notes = [
        f"{node}KT[{kept}==][{kept}]C[Move 1: {node[1:]}\nScore: **B+1.2**\u200b]"
        for node, kept in zip(game.nodes(), packed, strict=True)
    ]
    return (head + "".join(note.replace("]\nScore", "\\]\nScore") for note in notes) + ")").encode()


WRITERS: tuple[Callable[[Game], bytes], ...] = (
    cgoban,
    kgs,
    igs,
    fox,
    tygem,
    multigo,
    dgs,
    smartgo,
    jago,
    gogui,
    sabaki,
    katrain,
)


def samples(each: int, seed: int = 1) -> Iterator[Sample]:
    """Yield `each` files for every program; every third file has a handicap."""
    for writer in WRITERS:
        for number in range(each):
            game = Game(Random(f"{seed} {writer.__name__} {number}"), handicap=2 + number % 3 if number % 3 == 2 else 0)
            data = writer(game)
            yield Sample(writer.__name__, number, data, game.moves, game.size)


def awkward_characters(encoding: str) -> str:
    """Return the letters whose second byte in an encoding is `\\` or `]`."""
    found = []
    for lead in range(0x81, 0xFF):
        for trail in b"\\]":
            try:
                character = bytes([lead, trail]).decode(encoding)
            except UnicodeDecodeError:
                continue
            if len(character) == 1 and character.isalpha():
                found.append(character)
    return "".join(found)


TEXTS = {"cp932": JAPANESE, "gb18030": SIMPLIFIED, "big5": CHINESE, "cp949": KOREAN, "utf-16": JAPANESE + KOREAN}
DECLARED = {"cp932": "Shift_JIS", "gb18030": "GBK", "big5": "Big5", "cp949": "EUC-KR", "utf-16": "UTF-16"}


def encoded(encoding: str, declared: bool, number: int) -> Sample:
    """Return a game full of awkward characters in an encoding, with or without the property CA."""
    rng = Random(f"{encoding} {declared} {number}")
    game = Game(rng)
    pool = awkward_characters("cp932" if encoding == "utf-16" else encoding) or TEXTS[encoding]
    ordinary = TEXTS[encoding].replace(" ", "")

    def words() -> str:
        text = "".join(rng.choice(pool if rng.random() < 0.5 else ordinary) for _ in range(rng.randint(1, 25)))
        return escape(text + rng.choice(["", "[1]", "\\", "a]"]))

    names = f"PB[{words()}]PW[{words()}]"
    head = f"(;GM[1]FF[4]{f'CA[{DECLARED[encoding]}]' if declared else ''}SZ[{game.size}]{names}KM[6.5]"
    text = head + "".join(f"{node}C[{words()}]" if rng.random() < 0.6 else node for node in game.nodes()) + ")"
    return Sample(encoding, number, text.encode(encoding, "replace"), game.moves, game.size)
