"""The submission's folder: copied without compiled files, made anew for every game, removed whatever it holds."""

import os

from tournament.inside.workdirs import CopiedFolder, copy_submission, remove_tree


def tree(folder):
    return {
        os.path.relpath(os.path.join(where, name), folder) for where, _, names in os.walk(folder) for name in names
    }


def test_compiled_files_and_links_are_not_copied(tmp_path):
    source = tmp_path / "source"
    (source / "__pycache__").mkdir(parents=True)
    (source / "__pycache__/my_player.cpython-311.pyc").write_bytes(b"something else")
    (source / "tables").mkdir()
    (source / "tables/table.bin").write_bytes(b"\0")
    (source / "my_player.py").write_text("")
    (source / "link").symlink_to("/etc/passwd")
    copy_submission(source, tmp_path / "copy", -1)
    assert tree(tmp_path / "copy") == {"my_player.py", "tables/table.bin"}


def test_a_copy_can_be_written_to_even_if_the_original_cannot(tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "table").write_text("1")
    (source / "table").chmod(0o400)
    copy_submission(source, tmp_path / "copy", -1)
    assert (tmp_path / "copy/table").stat().st_mode & 0o700 == 0o600


def test_a_closed_deep_and_odd_folder_can_be_removed(tmp_path):
    top = tmp_path / "top"
    for name in ("closed", "-rf", "new\nline", "a" * 255):
        (top / name / "inner").mkdir(parents=True)
        (top / name / "inner/file").write_text("")
        (top / name / "link").symlink_to(tmp_path)
        os.mkfifo(top / name / "pipe")
        (top / name).chmod(0)
    top.chmod(0)
    (tmp_path / "bystander").write_text("")
    remove_tree(top)
    assert tree(tmp_path) == {"bystander"}


def test_a_link_is_removed_and_not_what_it_points_to(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/file").write_text("")
    (tmp_path / "link").symlink_to("folder")
    remove_tree(tmp_path / "link")
    assert tree(tmp_path) == {"folder/file"}


def test_every_game_finds_what_the_import_left(tmp_path):
    source, top = tmp_path / "source", tmp_path / "top"
    home = top / "space/player"
    source.mkdir()
    (source / "table").write_text("as handed in")
    home.parent.mkdir(parents=True)
    folder = CopiedFolder(source, top, home)
    folder.for_import()
    (home / "table").write_text("as imported")
    os.mkfifo(home / "pipe")
    folder.keep_import()
    for _ in range(2):
        folder.for_game()
        assert tree(home) == {"table"}
        assert (home / "table").read_text() == "as imported"
        (home / "table").write_text("as played")
        (home / "more").write_text("")
    folder.for_import()
    assert (home / "table").read_text() == "as handed in"
    folder.remove()
    assert not top.exists()
