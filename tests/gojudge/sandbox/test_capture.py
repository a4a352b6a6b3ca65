"""Head and tail of what a player prints are kept."""

from gojudge.sandbox.transcripts import Printout


def test_little_is_kept_as_it_is():
    printout = Printout(100)
    for piece in (b"hello ", b"world\n"):
        printout.add(piece)
    assert printout.text() == "hello world\n"


def test_of_much_the_beginning_and_the_end_are_kept():
    printout = Printout(10)
    for number in range(1000):
        printout.add(b"%03d" % number)
    assert printout.text() == "00000\n[2990 bytes left out]\n98999"


def test_one_flood_is_cut_like_many_drops():
    flood, drops = Printout(10), Printout(10)
    flood.add(b"abcdefghijklmnopqrstuvwxyz")
    for letter in b"abcdefghijklmnopqrstuvwxyz":
        drops.add(bytes([letter]))
    assert flood.text() == drops.text() == "abcde\n[16 bytes left out]\nvwxyz"


def test_what_is_no_text_is_escaped():
    printout = Printout(100)
    printout.add(b"\xff\xfe caf\xc3\xa9")
    assert printout.text() == "\\xff\\xfe café"
