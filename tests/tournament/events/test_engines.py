"""Engines in event files and on command lines."""

from pathlib import Path

import pytest

from gojudge.records import ENGINE, MATCH, Engine, engine_entrant
from gojudge.seats import Limits, limits_of
from tests.support.steps import grows_alone
from tournament.errors import BadEventError
from tournament.events.event_files import engine_from_text, engine_text, name_engine, read_event_file
from tournament.events.events import event_name

GOOD = """
[[engine]]
name = "gnu"
command = ["gnugo", "--seed", "{seed}"]

[[engine]]
name = "kata"
command = ["./katago", "gtp"]
folder = "engines/kata"
startup = ["kata-set-rules aga"]
restart = "match"
clock = false
limits = { move_seconds = 10, memory_mib = 4096 }
"""


def read(folder, text):
    (folder / "engines/kata").mkdir(parents=True, exist_ok=True)
    path = folder / "cup.toml"
    path.write_text(text)
    return read_event_file(path)


def test_a_file_names_engines(tmp_path):
    gnu, kata = read(tmp_path, GOOD).engines
    assert (gnu.name, gnu.kind, gnu.is_submission) == ("gnu", ENGINE, False)
    assert gnu.engine == Engine(("gnugo", "--seed", "{seed}"), folder=tmp_path)
    limits = (("move_seconds", 10.0), ("memory_mib", 4096))
    folder = tmp_path / "engines/kata"
    assert kata.engine == Engine(("./katago", "gtp"), ("kata-set-rules aga",), MATCH, False, folder, limits)
    assert limits_of(kata, Limits(game_cpu_seconds=7)) == Limits(move_seconds=10, memory_mib=4096, game_cpu_seconds=7)
    assert limits_of(gnu, Limits()) == Limits()


BAD = [
    ('name = "a"', r"engine 1: command: expected a list of words, the first one a program, got nothing"),
    ('name = "a"\ncommand = "gnugo --mode gtp"', r"engine 1: command: expected a list of words.*, got 'gnugo --mode gtp'"),
    ('name = "a"\ncommand = []', r"engine 1: command: expected a list of words.*, got \[\]"),
    ('name = "a"\ncommand = ["x", 3]', r"engine 1: command: expected a list of words.*, got \['x', 3\]"),
    ('name = "a"\ncommand = ["x\\u0000"]', r"engine 1: command: expected a list of words"),
    ('command = ["x"]', r"engine 1: name: expected 1 to 60 letters, digits, '.', '_' or '-', got nothing"),
    ('name = "a b"\ncommand = ["x"]', r"engine 1: name: expected 1 to 60 letters.*, got 'a b'"),
    ('name = "Random"\ncommand = ["x"]', r"engine 1: name: expected a name that nobody else has, got 'Random'"),
    ('name = "a"\ncommand = ["x"]\nfolder = "nowhere"', r"engine 1: folder: expected a folder that is there, got 'nowhere'"),
    ('name = "a"\ncommand = ["x"]\nfolder = 3', r"engine 1: folder: expected a folder that is there, got 3"),
    ('name = "a"\ncommand = ["x"]\nstartup = "x"', r"engine 1: startup: expected a list of GTP commands.*, got 'x'"),
    ('name = "a"\ncommand = ["x"]\nstartup = ["x\\ny"]', r"engine 1: startup: expected a list of GTP commands, one line each"),
    ('name = "a"\ncommand = ["x"]\nrestart = "never"', r"engine 1: restart: expected one of game, match, got 'never'"),
    ('name = "a"\ncommand = ["x"]\nclock = 1', r"engine 1: clock: expected true or false, got 1"),
    ('name = "a"\ncommand = ["x"]\nlimits = 3', r"engine 1: limits: expected a table, got 3"),
    ('name = "a"\ncommand = ["x"]\nlimits = {speed = 3}', r"engine 1: limits: expected some of move_seconds, .*, got 'speed'"),
    ('name = "a"\ncommand = ["x"]\nlimits = {move_seconds = 0}', r"engine 1: limits.move_seconds: expected a number .*, got 0"),
    ('name = "a"\ncommand = ["x"]\nseed = 3', r"engine 1: seed: expected one of name, command, .*, got the key 'seed'"),
]


@pytest.mark.parametrize(("text", "said"), BAD)
def test_what_is_wrong_is_said_in_one_line_with_file_and_key(tmp_path, text, said):
    with pytest.raises(BadEventError, match=rf"cup\.toml: {said}") as caught:
        read(tmp_path, f"[[engine]]\n{text}\n")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["engine = 3", "[engine]\nname = 'a'", "engine = [3]"])
def test_engines_are_a_list_of_tables(tmp_path, text):
    with pytest.raises(BadEventError, match="engine: expected a list of tables, got"):
        read(tmp_path, text)


def test_two_engines_of_one_name_are_refused(tmp_path):
    one = '[[engine]]\nname = "gnu"\ncommand = ["x"]\n'
    with pytest.raises(BadEventError, match="engine 2: name: expected a name that nobody else has, got 'gnu'"):
        read(tmp_path, 2 * one)


def test_many_engines_take_steps_by_their_number(tmp_path):
    def work_of(size):
        text = "".join(f'[[engine]]\nname = "e{number}"\ncommand = ["x"]\n' for number in range(size))
        return lambda: read(tmp_path, text)

    work_of(2)()
    assert grows_alone(work_of, 150)


def test_an_engine_survives_being_written_down(tmp_path):
    for entrant in read(tmp_path, GOOD).engines:
        assert engine_from_text(engine_text(entrant.engine)) == entrant.engine


def test_the_digest_tells_how_it_is_started_and_not_where():
    digest = engine_entrant("a", Engine(("x",))).digest
    assert digest == engine_entrant("b", Engine(("x",), folder=Path("/elsewhere"))).digest
    others = [Engine(("y",)), Engine(("x",), ("z",)), Engine(("x",), restart=MATCH), Engine(("x",), limits=(("processes", 3),))]
    assert digest not in {engine_entrant("a", other).digest for other in others}


def test_a_command_line_names_an_engine_after_its_words():
    entrant = name_engine("gtp:/usr/games/gnugo --mode gtp 'a b'")
    assert entrant.name == "gnugo_mode_gtp_a_b"
    assert entrant.engine == Engine(("/usr/games/gnugo", "--mode", "gtp", "a b"), folder=Path.cwd())


def test_a_long_command_line_gives_the_longest_name_there_may_be():
    name = name_engine(f"gtp:gnugo --infile {'game' * 20}").name
    assert (name, len(name)) == (f"gnugo_infile_{'game' * 20}"[:60], 60)
    assert event_name(name) == name


@pytest.mark.parametrize("text", ["gtp:", "gtp:   ", "gtp:'x", "gtp:x\0"])
def test_a_command_line_without_words_is_refused(text):
    with pytest.raises(BadEventError, match="expected an engine as gtp:COMMAND, got"):
        name_engine(text)
