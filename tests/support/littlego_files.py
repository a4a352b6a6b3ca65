"""Plays a whole game of Little-Go between programs through files only, as the course's script does."""

from goban.game import play_answers
from goban.inputs import question_text
from goban.points import parse_pair
from goban.rulesets import LITTLEGO
from goban.states import new_game


def play_by_files(folders, answer, size=5):
    """Return the record. `answer(folder)` is called when input.txt is in the player's folder, and writes output.txt.

    folders: Black's and White's.
    """

    def seat(folder):
        def ask(state, complaint):
            (folder / "input.txt").write_text(question_text(state))
            (folder / "output.txt").unlink(missing_ok=True)
            answer(folder)
            text = (folder / "output.txt").read_text()
            return text if text == "PASS" else parse_pair(text, size)

        return ask

    return play_answers(new_game(LITTLEGO, size), seat(folders[0]), seat(folders[1]))
