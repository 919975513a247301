"""The corpora of positions for each game, and surveys of the patterns' roles in these positions.

The corpora are examples, recorded games, recorded decisions, and games against built-in opponents (roles). `corpora_of`
returns the corpora for a ruleset.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, Protocol

from littlego.cache import Cache, digest
from littlego.cli.arguments import ArgumentError, trying_to
from littlego.engines.choosing import engine_of
from littlego.files import short_name
from littlego.games.match import NAME as MATCH
from littlego.judging.corpus import Corpus, ExampleCorpus, Game, GameCorpus, SpelledCorpus, games_corpus, spelled
from littlego.judging.coverage import AGAINST, CACHE, ENGINES, EXAMPLES, PLAYED, Survey
from littlego.judging.coverage import REAL as REAL_SOURCE
from littlego.judging.coverage import RECORDED as RECORDED_SOURCE
from littlego.judging.deciding import Numbered
from littlego.judging.recorded import read_record
from littlego.knowledge.files import Knowledge, book_of_lines
from littlego.knowledge.model import MATCHES, Example
from littlego.meaning import meaning_of
from littlego.parallel import each, with_progress
from littlego.paths import DECISIONS, ENGINE_GAMES, HOME, MATCH_DECISIONS, MATCH_TXT, PATTERNS_TXT, REAL_GAMES
from littlego.records.packed_games import game_digest, read_packed
from littlego.records.recorded_games import read_games, recorded_positions
from littlego.rules.position import RESIGN, Position
from littlego.rules.ruleset import LITTLE_GO

REAL, RECORDED = "real", "recorded"  # names of corpora
RECORDED_POSITIONS = 300  # maximum number of positions from stored games, for each board size


@dataclass(frozen=True)
class RoleGames(SpelledCorpus):
    """The positions in which our player moves in games against a role; the games are played on demand.

    role: the name of the opponent. lines: our patterns, as lines of patterns.txt. games: the number of games.
    """

    role: str = ""
    lines: tuple[str, ...] = ()
    games: int = 0
    seed: int = 0
    is_slow = True

    def key(self) -> tuple[str, ...]:
        return (meaning_of("littlego.judging.role_games"), self.role, str(self.games), str(self.seed))

    def parts(self) -> list[SpelledCorpus]:
        return [self]

    def positions(self) -> tuple[Position, ...]:
        from littlego.judging.role_games import positions_against  # lazy: numba takes a second to load

        return tuple(positions_against(self.role, book_of_lines(self.lines), self.games, self.seed))


@dataclass(frozen=True)
class Wanted:
    """The options that select the positions of a survey.

    recorded: a file of games that replaces the shipped games. snapshot: a file of recorded decisions. played: files of
    games that `littlego match --json` wrote. games: the number of games against each role. seed: a number that is added
    to the seed of each role. positions: the maximum number of positions of stored games for each board size.
    """

    recorded: Path | None = None
    snapshot: Path | None = None
    played: tuple[Path, ...] = ()
    games: int = 16
    seed: int = 0
    positions: int = 300


class Corpora(Protocol):
    """The corpora of a ruleset's games. board_size: the size of all boards, or 0 if the sizes vary."""

    board_size: int

    @property
    def record(self) -> Path:
        """The path of the shipped file of recorded decisions."""

    @property
    def games(self) -> Path:
        """The path of the shipped file of recorded games."""

    @property
    def makers(self) -> Sequence[str]:
        """The names of the patterns files that may have produced the recorded decisions."""

    def record_of(self, folder: Path) -> Path:
        """Return the path for the recorded decisions of a folder's patterns; the file need not exist.

        The player's own folder uses the shipped record; an author's folder has its own record.
        """

    def record_for(self, folder: Path) -> Path:
        """Return the path of the recorded decisions to compare with a folder's patterns.

        The result is the path from `record_of` if the file exists, else the path of the shipped record.
        """

    def named(self, name: str, snapshot: Path) -> Corpus:
        """Return the corpus called `name` or, if `name` is a file of games or decisions, the file's corpus.

        Raise ArgumentError for an unreadable file.
        """

    def on_record(self, name: str, snapshot: Path) -> Corpus:
        """Return the recorded positions that belong to the corpus `name`, with the recorded moves.

        `name` is RECORDED or REAL. Raise ArgumentError for another name, and for an unreadable file.
        """

    def new_record(self) -> Corpus:
        """Return the positions for a new record.

        Raise ArgumentError if this game's record can only be extended.
        """

    def glance(self) -> Corpus:
        """Return a corpus whose decisions take so little time that an author can wait for them."""

    def sources(self, knowledge: Knowledge, wanted: Wanted) -> dict[str, Corpus]:
        """Return {source name from littlego.judging.coverage: corpus} for the corpora that a survey covers.

        Only patterns from a patterns.yaml have a corpus of examples. Raise OSError or ArgumentError for an unreadable
        file.
        """

    def options(self, wanted: Wanted) -> str:
        """Return the command-line options of `littlego coverage` that set the numbers in `wanted`.

        The result omits numbers that this game's corpora do not use, and all options that name files.
        """


class _Corpora:
    """The base class for the Corpora of each game, with default implementations of some methods."""

    record: Path
    games: Path

    def record_of(self, folder: Path) -> Path:
        return self.record if folder.resolve() == HOME else folder / self.record.name

    def record_for(self, folder: Path) -> Path:
        own = self.record_of(folder)
        return own if own.is_file() else self.record

    def named(self, name: str, snapshot: Path) -> Corpus:
        if name == RECORDED:
            return self._read_record(snapshot)
        path = Path(name)
        with trying_to(f"read {short_name(path)}"):
            with open(path, "rb") as file:
                head = file.read(1000).lstrip()[:1]
            return self.recorded(path) if head in b"{[" else read_record(path, self.games)

    def on_record(self, name: str, snapshot: Path) -> Corpus:
        record = self._read_record(snapshot)
        if name == RECORDED:
            return record
        if name != REAL:
            raise ArgumentError(
                f"--corpus {name}: the record may lack moves for these positions; also name OLD, the patterns to "
                "compare with"
            )
        real = set(self.named(REAL, snapshot).names)
        return record.only([number for number, one in enumerate(record.names) if one in real])

    def recorded(self, path: Path) -> Corpus:
        """Return the positions of the games in a file; raise OSError or GamesError for an unreadable file."""
        raise NotImplementedError

    def _read_record(self, snapshot: Path) -> Corpus:
        with trying_to(f"read {short_name(snapshot)}"):
            return read_record(snapshot, self.games)


@dataclass(frozen=True)
class LittleGoCorpora(_Corpora):
    """The corpora of Little-Go: real games, recorded decisions, and our player's games against the roles."""

    board_size = LITTLE_GO.size
    record: Path = DECISIONS
    games: Path = REAL_GAMES
    makers: tuple[str, ...] = ("HEAD:patterns.txt", str(PATTERNS_TXT))

    def named(self, name: str, snapshot: Path) -> Corpus:
        return super().named(str(self.games) if name == REAL else name, snapshot)

    def new_record(self) -> Corpus:
        raise ArgumentError(
            f"--record does not support {LITTLE_GO.name}: use `littlego dev regenerate decisions --extend`"
        )

    def glance(self) -> Corpus:
        return self._read_record(self.record)

    def recorded(self, path: Path) -> SpelledCorpus:
        return spelled(recorded_positions(path))

    def sources(self, knowledge: Knowledge, wanted: Wanted) -> dict[str, Corpus]:
        from littlego.players.roles.table import corpus_roles  # lazy: only this method needs the roles

        real, record = self.recorded(wanted.recorded or self.games), read_record(wanted.snapshot or self.record)
        known = set(real.names)
        others = record.only([number for number, name in enumerate(record.names) if name not in known])
        drawn = {EXAMPLES: spelled(one.position() for one in _examples(knowledge))} if knowledge.known else {}
        played = {f"{PLAYED}{path.name}": self.recorded(path) for path in wanted.played}
        lines, games = knowledge.lines, wanted.games
        against = {
            f"{AGAINST}{role.name}": RoleGames((), (), role.name, lines, games, wanted.seed + role.seed)
            for role in (corpus_roles() if games else ())
        }
        return {**drawn, REAL_SOURCE: real, RECORDED_SOURCE: others, **played, **against}

    def options(self, wanted: Wanted) -> str:
        return f"--games {wanted.games} --seed {wanted.seed}"


@dataclass(frozen=True)
class MatchCorpora(_Corpora):
    """The corpora of matches: positions from stored games between engines."""

    board_size = 0
    record: Path = MATCH_DECISIONS
    games: Path = ENGINE_GAMES
    makers: tuple[str, ...] = ("HEAD:patterns.match.txt", str(MATCH_TXT))
    positions: int = RECORDED_POSITIONS
    glanced: int = 20  # maximum number of positions of each board size that `glance` returns

    def named(self, name: str, snapshot: Path) -> Corpus:
        return self.sample(self.positions) if name == REAL else super().named(name, snapshot)

    def new_record(self) -> GameCorpus:
        return self.sample(self.positions)

    def glance(self) -> Corpus:
        return self.sample(self.glanced)

    def sample(self, most: int) -> GameCorpus:
        """Return positions of the stored games, at most `most` for each board size, smallest boards first."""
        return GameCorpus(tuple(place for some in self._sampled(self.games, most).values() for place in some.places))

    def recorded(self, path: Path) -> GameCorpus:
        return games_corpus(read_games(path, by_any_rules=True))

    def sources(self, knowledge: Knowledge, wanted: Wanted) -> dict[str, Corpus]:
        drawn = {EXAMPLES: ExampleCorpus(tuple(_examples(knowledge)))} if knowledge.known else {}
        kept = self._sampled(wanted.recorded or self.games, wanted.positions)
        played = {f"{PLAYED}{path.name}": self.recorded(path) for path in wanted.played}
        return {**drawn, **{f"{ENGINES}{size}x{size}": some for size, some in kept.items()}, **played}

    def options(self, wanted: Wanted) -> str:
        return f"--positions {wanted.positions}"

    def _sampled(self, games: Path, most: int) -> dict[int, GameCorpus]:
        return sampled([Game(game.ruleset, game.moves) for game in read_packed(games)], most)


CORPORA: dict[str, Corpora] = {LITTLE_GO.name: LittleGoCorpora(), MATCH: MatchCorpora()}


def corpora_of(ruleset: str) -> Corpora:
    """Return the corpora of a game. ruleset: the name of the game's ruleset."""
    return CORPORA[ruleset]


class SoFar(NamedTuple):
    """The progress of a survey.

    name: the name of the corpus. survey: the survey of this corpus's finished parts. done, of: the number of finished
    parts and the number of all parts, over all corpora.
    """

    name: str
    survey: Survey
    done: int
    of: int


def surveys_of(knowledge: Knowledge, sources: Mapping[str, Corpus], jobs: int) -> Iterator[SoFar]:
    """Survey corpora; yield the progress after each finished part of a corpus.

    Each corpus has one Survey, to which the function adds the survey of each finished part. Before any part is
    finished, the function yields an item with an empty Survey for each corpus, in order. The corpus of examples is
    surveyed last.
    """
    parts = {name: corpus.parts() for name, corpus in sources.items()}
    surveys = {name: Survey() for name in parts}
    done, of = 0, sum(map(len, parts.values()))
    yield from (SoFar(name, survey, done, of) for name, survey in surveys.items())
    for name in sorted(parts, key=lambda name: name == EXAMPLES):
        for survey in _surveyed(knowledge, parts[name], jobs):
            surveys[name].add(survey)
            done += 1
            yield SoFar(name, surveys[name], done, of)


def survey_all(knowledge: Knowledge, sources: Mapping[str, Corpus], jobs: int) -> dict[str, Survey]:
    """Return {name of a corpus: survey of the corpus}.

    Raise OSError or ArgumentError for an unreadable file.
    """
    return {one.name: one.survey for one in with_progress(surveys_of(knowledge, sources, jobs), None, "part")}


def _surveyed(knowledge: Knowledge, parts: Sequence[Corpus], jobs: int) -> Iterator[Survey]:
    """Yield the survey of each part.

    The cached surveys of slow parts come first, then the other surveys in any order.
    """
    cache, lines = Cache(CACHE), "\n".join(knowledge.lines)
    code = digest(meaning_of(__name__), engine_of(knowledge.ruleset).signature())  # engines are imported by name
    keys = {number: digest("survey", code, lines, *part.key()) for number, part in enumerate(parts) if part.is_slow}
    missing: list[Numbered] = []
    for number, part in enumerate(parts):
        known = cache.get(keys[number]) if number in keys else None
        if known is None:
            missing.append((number, part))
        else:
            yield Survey.from_json(known)
    surveyor = _Surveyor(knowledge.lines, knowledge.ruleset)
    for (number, _), survey in each(surveyor, missing, max(1, min(jobs, len(missing)))):
        if number in keys:
            cache.put(keys[number], survey.as_json())
        yield survey


@dataclass(frozen=True)
class _Surveyor:
    """A picklable function that surveys a part of a corpus with a file's patterns."""

    lines: tuple[str, ...]
    ruleset: str

    def __call__(self, part: Numbered) -> Survey:
        return part[1].survey(book_of_lines(self.lines, self.ruleset))


def _examples(knowledge: Knowledge) -> Iterator[Example]:
    """Yield, for each pattern, the examples in which the pattern must fire."""
    return (one for pattern in knowledge.known.values() for one in pattern.examples if one.kind == MATCHES)


def sampled(games: Iterable[Game], most: int) -> dict[int, GameCorpus]:
    """Return {board size: positions of games}, with at most `most` positions for each size.

    The positions with the smallest digests are selected, so the selection depends only on the games.
    """
    sized: dict[int, list[tuple[bytes, int, int]]] = defaultdict(list)
    different = list({game_digest(game): game for game in games}.items())
    for number, (name, game) in enumerate(different):
        lots = (sha256(f"{name} {ply}".encode()).digest() for ply in range(len(game.moves)))
        moves = zip(lots, game.moves, strict=True)
        sized[game.ruleset.size] += [(lot, number, ply) for ply, (lot, move) in enumerate(moves) if move != RESIGN]
    chosen = {size: sorted(place[1:] for place in sorted(lots)[:most]) for size, lots in sorted(sized.items())}
    return {size: GameCorpus(tuple((different[n][1], ply) for n, ply in places)) for size, places in chosen.items()}
