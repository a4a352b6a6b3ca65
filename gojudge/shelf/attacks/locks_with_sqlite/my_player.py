"""Keeps its book in a database that locks its file."""

import sqlite3


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def __init__(self):
        self.seen = []

    def get_input(self, go, piece_type):
        with sqlite3.connect("book.sqlite") as book:
            book.execute("create table if not exists seen (board text)")
            book.execute("insert into seen values (?)", (str(go.board),))
        self.seen.append(go.n_move)
        if book.execute("select count(*) from seen").fetchone()[0] != len(self.seen):
            raise RuntimeError("its database does not keep what it is told")
        book.close()
        return first_legal(go, piece_type)
