"""Tests of the work folder, which is prepared or refused, and removed without following links."""

import os

import pytest

from littlego.match.host import FilePlayer
from littlego.match.protocol import Turn
from littlego.rules.position import opening
from littlego.rules.ruleset import LITTLE_GO
from littlego.sandbox import workfolder
from littlego.sandbox.workfolder import FolderError, WorkFolder, describe_excess, remove_tree

START = Turn(opening(LITTLE_GO), (0, 0))


@pytest.fixture
def foreign(tmp_path):
    """Return a folder outside the work folder, with an input.txt and a folder output.txt, which must stay."""
    folder = tmp_path / "foreign"
    (folder / "output.txt").mkdir(parents=True)
    (folder / "output.txt" / "precious").write_text("kept")
    (folder / "input.txt").write_text("kept")
    return folder


@pytest.fixture
def work(tmp_path):
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


def whole(foreign):
    return (foreign / "output.txt" / "precious").read_text() == (foreign / "input.txt").read_text() == "kept"


def test_a_link_in_the_place_of_a_given_folder_is_not_followed(work, foreign):
    player = FilePlayer("x", ["true"], str(work))
    work.rmdir()
    work.symlink_to(foreign)
    assert player.choose(START).fault == "has put a link in place of its work folder"
    player.close()
    assert whole(foreign) and work.is_symlink()


def test_another_folder_in_its_place_is_refused(work, foreign, tmp_path):
    player = FilePlayer("x", ["true"], str(work))
    player.choose(START)
    work.rename(tmp_path / "moved")
    foreign.rename(work)
    assert player.choose(START).fault == "has put another folder in place of its work folder"
    player.close()
    assert whole(work)


def test_a_link_above_it_is_not_followed(tmp_path, foreign):
    above = tmp_path / "above"
    (above / "work").mkdir(parents=True)
    player = FilePlayer("x", ["true"], str(above / "work"))
    above.rename(tmp_path / "moved")
    above.symlink_to(foreign)
    assert player.choose(START).fault == "has put a link in place of a folder above its work folder"
    player.close()
    assert sorted(os.listdir(foreign)) == ["input.txt", "output.txt"] and whole(foreign)


def test_a_file_in_its_place_is_told(work):
    player = FilePlayer("x", ["true"], str(work))
    work.rmdir()
    work.write_text("")
    assert player.choose(START).fault == "has put a file in place of its work folder"


def test_a_hard_link_and_links_of_the_names_of_the_host_are_only_unlinked(work, foreign):
    os.link(foreign / "input.txt", work / "input.txt")
    (work / "output.txt").symlink_to(foreign / "output.txt")
    FilePlayer("x", ["true"], str(work)).choose(START)
    assert whole(foreign)


def test_an_output_that_is_a_link_is_not_read(work, foreign):
    (foreign / "move").write_text("2,2")
    player = FilePlayer("x", ["ln", "-s", str(foreign / "move"), "output.txt"], str(work))
    assert player.choose(START).fault == "output.txt is not a plain file"


def test_a_tree_deeper_than_recursion_and_paths_go_is_removed(work):
    top = os.open(work, os.O_RDONLY)
    place = os.dup(top)
    for _ in range(1200):  # the recursion limit is 1,000, and a path has at most 4,096 bytes
        os.mkdir("folder", dir_fd=place)
        below = os.open("folder", os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = below
    os.close(place)
    os.close(top)
    remove_tree(str(work))
    assert not work.exists()


def test_what_is_closed_and_oddly_named_is_removed_and_links_lead_nowhere(work, foreign):
    (work / "0" / "closed" / "inner").mkdir(parents=True)
    (work / "0" / "closed" / "inner" / "file").write_text("")
    (work / "a\nb").write_text("")
    (work / "link").symlink_to(foreign)
    os.mkfifo(work / "pipe")
    (work / "0" / "closed").chmod(0)
    (work / "0").chmod(0)
    work.chmod(0)
    remove_tree(str(work))
    assert not work.exists() and whole(foreign)


def test_a_link_in_the_place_of_a_tree_is_removed_alone(work, foreign):
    work.rmdir()
    work.symlink_to(foreign)
    remove_tree(str(work))
    assert not work.is_symlink() and whole(foreign)


def excess(folder, had=(0, 0)):
    with WorkFolder(str(folder)).open() as descriptor:
        return describe_excess(descriptor, had)


def test_bytes_files_and_folders_are_bounded_beyond_what_was_there(work, monkeypatch):
    monkeypatch.setattr(workfolder, "DISK", 100_000)
    monkeypatch.setattr(workfolder, "FILES", 5)
    monkeypatch.setattr(workfolder, "FOLDERS", 3)
    assert excess(work) == ""
    (work / "large").write_bytes(b"x" * 200_000)
    assert excess(work) == "more than 0 MB" and excess(work, (150_000, 0)) == ""
    (work / "large").unlink()
    for number in range(6):
        (work / str(number)).write_text("")
    assert excess(work) == "more than 5 files" and excess(work, (0, 1)) == ""
    for number in range(6):
        (work / str(number)).unlink()
    for number in range(4):
        (work / str(number)).mkdir()
    assert excess(work) == "more than 5 files"


def test_a_hole_in_a_file_takes_no_room(work):
    with open(work / "sparse", "wb") as file:
        file.truncate(1 << 40)
    assert excess(work) == ""


def test_a_folder_that_is_gone_is_made_anew_only_where_that_is_asked_for(work):
    folder = WorkFolder(str(work))
    work.rmdir()
    with pytest.raises(FolderError, match="has removed its work folder"), folder.open():
        pass
    with folder.open(make=True):
        assert work.is_dir()


def test_a_program_that_fills_its_folder_is_stopped_before_it_ends(work, monkeypatch):
    monkeypatch.setattr(workfolder, "FILES", 50)
    text = "i=0; while true; do i=$((i+1)); : > file$i; done"
    player = FilePlayer("x", ["sh", "-c", text], str(work), wall_limit=20.0)
    reply = player.choose(START)
    assert reply.fault == "has filled its work folder with more than 50 files" and player.spoilt
