"""Players whose source is a deep tree or a large table, as honest homework has them. All play the first legal point."""

PLAYER = '''{top}class MyPlayer:
    def get_input(self, go, piece_type{parameter}):
        x = y = go.n_move
{body}        for i in range(go.size):
            for j in range(go.size):
                if go.valid_place_check(i, j, piece_type, test_check=True):
                    return i, j
        return "PASS"
'''


def player(top="", parameter="", body=""):
    """Return a source. top: lines before the class; parameter: what follows piece_type; body: lines indented by 8."""
    return PLAYER.format(top=top, parameter=parameter, body=body)


def with_elifs(number):
    """A table of moves as people write it who do not know dicts."""
    branches = "".join(f"        elif x == {k + 1000}:\n            y = {k}\n" for k in range(1, number))
    return player(body=f"        if x == 1000:\n            y = 0\n{branches}")


def with_terms(number):
    """A default value that is a long sum."""
    return player(parameter=", t=" + "+".join(["1"] * number))


def with_calls(number):
    """A chain of calls, as of a builder; never reached."""
    return player(body=f"        if x < 0:\n            y = x{'.add(1)' * number}\n")


def with_brackets(number):
    return player(body=f"        y = {'[' * number}{']' * number}\n")


def with_folds(number):
    """Blocks in blocks."""
    return player(body="".join(f"{' ' * (8 + k)}if x < 0:\n" for k in range(number)) + " " * (8 + number) + "y = 1\n")


def with_table(number):
    """What a Q-learner saves of its training, pasted into its source."""
    rows = "".join(f"    {'.XO'[k % 3] * 3 + str(k)!r}: [{k % 7 / 7:.6f}, {k % 5 / 5:.6f}, -0.25],\n" for k in range(number))
    return player(top=f"Q_TABLE = {{\n{rows}}}\n\n\n", body="        y = Q_TABLE.get(str(x))\n")


def with_line(size):
    """One line of almost `size` bytes."""
    return player(top=f"WEIGHTS = [{'1,' * ((size - 1000) // 2)}]\n")


PLAYABLE = {
    "terms_600": with_terms(600),
    "terms_2900": with_terms(2900),
    "elifs_1500": with_elifs(1500),
    "elifs_2900": with_elifs(2900),
    "calls_1400": with_calls(1400),
    "brackets_90": with_brackets(90),
    "folds_90": with_folds(90),
    "table_5000": with_table(5000),
    "line_of_a_megabyte": with_line(2**20),
}
"""All that Python itself can run."""
