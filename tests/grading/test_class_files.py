"""Tests of a class's submissions: hostile or damaged zip files, unusual folders, copied programs."""

from __future__ import annotations

import stat
import struct
import zipfile
from datetime import datetime
from pathlib import Path

import pytest
from class_submissions import LONGER, copied
from student_programs import CPP, FIRST_FREE, JAVA, PASSES

from littlego.cli.arguments import ArgumentError
from littlego.grading.classroom import unzipping
from littlego.grading.classroom.rows import add_changes
from littlego.grading.classroom.similar import similar_pairs, tokens_of
from littlego.grading.classroom.submissions import find_submissions, key_of
from littlego.grading.classroom.unzipping import ArchiveError, extract


def pack(path: Path, *entries: tuple[zipfile.ZipInfo | str, str], method: int = zipfile.ZIP_DEFLATED) -> str:
    with zipfile.ZipFile(path, "w", method) as made:
        for entry, text in entries:
            made.writestr(entry, text)
    return str(path)


def link(name: str, target: str) -> tuple[zipfile.ZipInfo, str]:
    entry = zipfile.ZipInfo(name)
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry, target


def test_a_zip_file_gives_its_plain_accepted_files(tmp_path):
    entry = zipfile.ZipInfo("hw/my_player3.py", (2025, 3, 14, 23, 58, 0))
    archive = pack(tmp_path / "a.zip", (entry, PASSES), ("hw/report.pdf", "%PDF"), ("__MACOSX/hw/x.py", ""))
    (tmp_path / "out").mkdir()
    extracted = extract(archive, tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").rglob("*") if path.is_file()] == ["my_player3.py"]
    assert extracted.left_out == ("hw/report.pdf", "__MACOSX/hw/x.py")
    assert extracted.newest == datetime(2025, 3, 14, 23, 58).astimezone()


def test_a_zip_file_gives_what_a_folder_would(tmp_path):
    names = {"my_player11.cpp", "board.h", "table.pkl", "weights.npy"}
    archive = pack(tmp_path / "a.zip", *((name, "") for name in names))
    (tmp_path / "out").mkdir()
    assert extract(archive, tmp_path / "out").left_out == ()
    assert {path.name for path in (tmp_path / "out").iterdir()} == names


HOSTILE = [
    ([("../my_player3.py", PASSES)], "the zip file has an entry '../my_player3.py'; expected a relative path"),
    ([("/etc/my_player3.py", PASSES)], "the zip file has an entry '/etc/my_player3.py'"),
    ([("a/../../b.py", PASSES)], "the zip file has an entry 'a/../../b.py'"),
    ([("C:my_player3.py", PASSES)], "the zip file has an entry 'C:my_player3.py'"),
    ([link("my_player3.py", "/etc/passwd")], "that is a link or a device; expected plain files"),
    ([link("dir", "/tmp"), ("dir/my_player3.py", PASSES)], "that is a link or a device"),
    ([("a.py", "1"), ("a.py", "2")], "'a.py' in the zip file cannot be extracted: File exists"),
    ([("a.py", "1"), ("a.py/b.py", "2")], "'a.py/b.py' in the zip file cannot be extracted"),
    ([("/".join("abcdefghijkl") + ".py", "1")], "expected a shorter path"),
    ([("x" * 250 + ".py", "1")], "expected a shorter path"),
    ([(f"{number}.py", "") for number in range(1001)], "more than 1,000 files"),
]


@pytest.mark.parametrize(("entries", "message"), HOSTILE)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_hostile_zip_file_is_refused_and_writes_nothing_outside(tmp_path, entries, message):
    (tmp_path / "in").mkdir()
    archive = pack(tmp_path / "in" / "a.zip", *entries)
    out = tmp_path / "in" / "deep" / "out"
    out.mkdir(parents=True)
    before = {path for path in tmp_path.rglob("*") if out not in path.parents}
    with pytest.raises(ArchiveError, match=message.replace("(", r"\(")):
        extract(archive, out)
    assert {path for path in tmp_path.rglob("*") if out not in path.parents} == before


def test_a_zip_bomb_is_counted_as_it_is_extracted(tmp_path, monkeypatch):
    monkeypatch.setattr(unzipping, "MOST_BYTES", 1_000_000)
    archive = pack(tmp_path / "a.zip", ("a.py", "0" * 5_000_000))
    data = bytearray(Path(archive).read_bytes())
    place = data.index(b"PK\x01\x02")
    data[place + 24 : place + 28] = struct.pack("<I", 10)  # make the zip directory claim a size of 10 bytes
    for content in (bytes(data), Path(archive).read_bytes()):
        Path(archive).write_bytes(content)
        out = tmp_path / f"out{len(content)}{content == data}"
        out.mkdir()
        with pytest.raises(ArchiveError):
            extract(archive, out)
        assert sum(path.stat().st_size for path in out.iterdir()) <= 1_000_000


def test_an_entry_without_a_name_is_refused(tmp_path):
    path = Path(pack(tmp_path / "a.zip", ("a", PASSES)))
    data = bytearray(path.read_bytes())
    place = data.index(b"PK\x01\x02")
    data[place + 28 : place + 32] = struct.pack("<HH", 0, 1)  # the directory gives the name's byte to another field
    path.write_bytes(data)
    with pytest.raises(ArchiveError, match="the zip file has an entry ''"):
        extract(str(path), tmp_path)


def test_damaged_zip_files_are_refused_at_every_byte(tmp_path):
    whole = Path(pack(tmp_path / "a.zip", ("my_player3.py", PASSES), ("b.txt", "x" * 100))).read_bytes()
    for place in range(len(whole)):
        for changed in (whole[:place], whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :]):
            (tmp_path / "b.zip").write_bytes(changed)
            out = tmp_path / f"out{place}{len(changed)}"
            out.mkdir()
            try:
                extract(str(tmp_path / "b.zip"), out)
            except ArchiveError as error:
                assert str(error)


def test_every_kind_of_submission_is_named(tmp_path):
    home = tmp_path / "class"
    files = {
        "ada/my_player3.py": "a program",
        "ben/src/deep/my_player3.py": "the program is in the folder src/deep/",
        "cleo/a/my_player3.py": "2 programs, a/my_player3.py, b/my_player3.py: keep one",
        "cleo/b/my_player3.py": "",
        "dan/MyPlayer3.py": "MyPlayer3.py: wrong name? The course runs my_player3.py or my_player.py",
        "eve/my_player3.py.txt": "my_player3.py.txt: wrong name? The course runs my_player3.py or my_player.py",
        "finn/player.java": "player.java: wrong name? The course runs my_player.java",
        "gus/main.rs": "no program; found main.rs; expected my_player3.py, my_player.py, my_player.cpp, "
        "my_player11.cpp or my_player.java",
        "hal/my_player3.ipynb": "my_player3.ipynb: wrong name? The course runs",
    }
    for name in files:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(PASSES)
    (home / "ivy").symlink_to(home / "ada")
    (home / "roster.csv").write_text("id,name\n")
    found = {submission.name: submission for submission in find_submissions([str(home)], tmp_path / "out" / "unpacked")}
    assert found["ivy"].problem == "a symbolic link; expected a folder or a zip file"
    for name, wanted in files.items():
        submission = found[name.partition("/")[0]]
        if wanted and not wanted.startswith(("a program", "the program")):
            assert submission.problem.startswith(wanted) and not submission.program, name
        elif wanted:
            assert submission.program and submission.remarks == ((wanted,) if wanted != "a program" else ())
    assert len(found) == 9


def test_a_folder_and_a_zip_file_of_one_student_are_not_guessed(tmp_path):
    (tmp_path / "class" / "ada").mkdir(parents=True)
    pack(tmp_path / "class" / "ada.zip", ("my_player3.py", PASSES))
    (found,) = find_submissions([str(tmp_path / "class")], tmp_path / "out" / "unpacked")
    assert found.problem == "ada and ada.zip belong to the same student: keep one"


def test_the_results_in_a_class_folder_are_no_submission(tmp_path):
    (tmp_path / "grades" / "unpacked").mkdir(parents=True)
    with pytest.raises(ArgumentError, match="no submissions in"):
        find_submissions([str(tmp_path)], tmp_path / "grades" / "unpacked")


@pytest.mark.parametrize("name", ["ada", "Ada Lovelace", "../../x", "ä", "日本", "a" * 300, "con:1", ".", "-rf"])
def test_a_key_is_a_short_file_name_that_names_one_student(name):
    key = key_of(name)
    assert key.isascii() and len(key) <= 70 and "/" not in key and not key.startswith((".", "-"))
    assert key == key_of(name) != key_of(name + " ")


def test_renamed_and_reformatted_programs_are_similar_and_others_are_not(tmp_path):
    texts = {"ada": LONGER, "ben": copied(LONGER), "cleo": FIRST_FREE + "# " * 500, "eve": PASSES}
    programs = {}
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
        programs[name] = [str(tmp_path / f"{name}.py")]
    for name, text in (("dan", CPP), ("finn", JAVA)):
        suffix = "cpp" if name == "dan" else "java"
        (tmp_path / f"{name}.{suffix}").write_text(text)
        programs[name] = [str(tmp_path / f"{name}.{suffix}")]
    assert [tuple(pair) for pair in similar_pairs(programs, 80)] == [("ada", "ben", 100)]
    assert [pair.percent for pair in similar_pairs(programs, 20) if {"ada", "cleo"} == {pair.first, pair.second}] < [80]
    assert tokens_of([str(tmp_path / "none.py")]) == {}


@pytest.mark.parametrize("points", [10**400, float("nan"), float("inf"), "many", None])
def test_an_earlier_result_with_impossible_points_counts_as_none(points):
    row = {"key": "ada", "status": "graded", "points": 25.0}
    add_changes([row], {}, {"settings": {}, "rows": [{"key": "ada", "status": "graded", "points": points}]})
    assert row["before"]["points"] == 0.0
