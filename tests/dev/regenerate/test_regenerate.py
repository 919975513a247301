"""Tests of generated files: all are up to date, and a product is rebuilt when its sources change."""

from __future__ import annotations

import json

import pytest

from littlego.cli.main import main
from littlego.dev.regenerate import cli, products
from littlego.dev.regenerate.products import (
    CODE,
    PRODUCTS,
    NotMadeError,
    Product,
    check_decisions,
    check_match_decisions,
)
from littlego.judging.recorded import read_record, write_record
from littlego.paths import DECISIONS, MATCH_DECISIONS, MATCH_YAML, PATTERNS_YAML
from littlego.rules.position import PASS


def test_all_that_is_made_is_up_to_date(capsys):
    status = main(["dev", "regenerate", "--check"])
    assert status == 0, capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("product", PRODUCTS.values(), ids=list(PRODUCTS))
def test_what_is_made_anew_is_what_is_there(product):
    for path, data in product.make().items():
        assert path.read_bytes() == data, f"{path.name}: run `littlego dev regenerate {product.name}`"


class House:
    """A folder with two products: `big`, the source in capital letters, and `quick`, the source's length."""

    def __init__(self, folder):
        self.source, self.big, self.length = (folder / name for name in ("source.txt", "big.txt", "length.txt"))
        self.source.write_text("a\nb\n")
        self.made = 0
        big = Product("big", "capitals", self.make_big, (self.source,), ("littlego.files",))
        quick = Product("quick", "a number", self.make_quick, (self.source,))
        self.products = {product.name: product for product in (big, quick)}

    def make_big(self):
        self.made += 1
        text = self.source.read_text()
        if "!" in text:
            raise NotMadeError("a source that shouts is its author's affair")
        return {self.big: text.upper().encode()}

    def make_quick(self):
        return {self.length: str(len(self.source.read_text())).encode()}


@pytest.fixture
def house(tmp_path, monkeypatch):
    made = House(tmp_path)
    for module in (cli, products):
        monkeypatch.setattr(module, "ROOT", tmp_path)
        monkeypatch.setattr(module, "PRODUCTS", made.products)
    monkeypatch.setattr(cli, "MADE", tmp_path / "made.json")
    return made


def run(*options: str) -> int:
    """Run `regenerate` without its option parser, which would reject the names of made-up products."""
    forced = tuple(name for name in options if not name.startswith("-"))
    return cli.regenerate.callback(forced, "--check" in options, "--all" in options, False)


def test_everything_is_made_and_then_up_to_date(house, capsys):
    assert run("--check") == 1 and not house.big.exists()
    assert "big: stale: it was never built" in capsys.readouterr().err
    assert run() == 0
    assert house.big.read_text() == "A\nB\n" and house.length.read_text() == "4"
    assert "big: big.txt changed, 0 lines removed, 2 added" in capsys.readouterr().out
    assert run("--check") == 0 and run() == 0 and house.made == 1
    assert run("big") == 0 and run("--all") == 0 and house.made == 3
    assert "big: nothing changed" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["source", "big", "length"])
def test_an_edit_of_a_source_or_of_what_is_made_is_noticed_and_named(house, capsys, name):
    run()
    path = getattr(house, name)
    path.write_text("c\n")
    capsys.readouterr()
    assert run("--check") == 1 and path.read_text() == "c\n"
    assert path.name in capsys.readouterr().err or name == "source"
    assert run() == 0 and run("--check") == 0
    assert house.big.read_text() == ("C\n" if name == "source" else "A\nB\n")


def test_another_meaning_of_the_code_is_noticed(house, capsys):
    run()
    made = json.loads(cli.MADE.read_text())
    made["big"]["from"][CODE] = "of old"
    cli.MADE.write_text(json.dumps(made))
    assert run("--check") == 1 and f"big: stale: {CODE} changed" in capsys.readouterr().err


def test_what_is_its_authors_to_change_is_left_and_stays_out_of_date(house, capsys):
    run()
    house.source.write_text("a!\n")
    assert run() == 1 and house.big.read_text() == "A\nB\n"
    assert "its author's affair" in capsys.readouterr().err
    assert house.length.read_text() == "3"  # the command still makes the other products
    assert run("--check") == 1


@pytest.mark.parametrize("text", ["{", "[]"])
def test_a_damaged_file_of_digests_is_told(house, text):
    cli.MADE.write_text(text)
    with pytest.raises(ValueError, match="made.json is damaged"):
        run("--check")


def test_the_pages_depend_on_the_patterns_of_both_games():
    assert {PATTERNS_YAML, MATCH_YAML} <= set(products.PRODUCTS["pages"].files)


def test_a_product_that_is_not_known_is_refused(capsys):
    assert main(["dev", "regenerate", "nothing"]) == 2
    assert "'openings'" in capsys.readouterr().err


def test_a_decision_that_differs_from_the_record_is_told_and_not_overwritten(tmp_path, monkeypatch):
    first, second = DECISIONS.read_text().splitlines()[1:3]
    path = tmp_path / "decisions.txt"
    path.write_text(f"{first}\n{second}\n")
    monkeypatch.setattr(products, "DECISIONS", path)
    assert check_decisions() == {path: path.read_bytes()}
    assert not second.endswith(" PASS")
    path.write_text(f"{first}\n{second.rpartition(' ')[0]} PASS\n")
    with pytest.raises(NotMadeError, match="differ from the record in 1 of 2 .*`littlego diff --accept`"):
        check_decisions()


def test_a_decision_of_a_match_that_differs_from_the_record_is_told_too(tmp_path, monkeypatch):
    path = tmp_path / "match_decisions.txt"
    record = read_record(MATCH_DECISIONS).only([0, 1])
    first, second = record.moves
    write_record(record, path)
    monkeypatch.setattr(products, "MATCH_DECISIONS", path)
    assert second != PASS and check_match_decisions() == {path: path.read_bytes()}
    write_record(record.with_moves([first, PASS]), path)
    with pytest.raises(NotMadeError, match="differ from the record in 1 of 2 .*`littlego diff --ruleset match`"):
        check_match_decisions()
    assert list(read_record(path).moves) == [first, PASS]
