"""What a player answers: the file output.txt, and the messages of its process."""

from __future__ import annotations

import json
import socket
from pathlib import Path

from goban.common.player_faults import CHANGED_BOARD
from goban.game import judge_answer
from goban.rulesets import COURSE
from goban.states import new_game
from gojudge.inside.answer_files import OUTPUT, AnswerFileError, AnswerFiles, read_answer_file
from gojudge.inside.protocol import Channel, ClosedError, ProtocolError, read_move
from gojudge.sandbox.faults import death, fault_of, ran_out_of_memory
from gojudge.sandbox.transcripts import presentable
from tests.fuzz.readers import Reader

_ERROR = {"type": "ValueError", "line": "ValueError: no", "trace": "Traceback (most recent call last):\nValueError: no\n"}
_MESSAGES = (
    {"ready": True}, {"loaded": True}, {"answer": 1, "move": [1, 2]}, {"answer": 2, "move": "PASS"}, {"answer": 3,
        "move": "RESIGN"},
    {"answer": 4, "text": "(1.5, 2)", "why": "expected two whole numbers, got (1.5, 2)"},
    {"answer": 6, "move": [0, 0], "remark": CHANGED_BOARD}, {"answer": 5, "error": _ERROR}, {"ended": 256},
    {"loaded": True, "why_not": ""},
)  # fmt: skip


def _read_output(data: bytes, folder: Path) -> str:
    (folder / OUTPUT).write_bytes(data)
    files = AnswerFiles(str(folder), -1)
    try:
        answer = read_answer_file(files.take())
    finally:
        files.close()
    return _judged(answer)


def _judged(answer: object) -> str:
    _, complaint, _ = judge_answer(answer, new_game(COURSE, 5))
    assert complaint.isprintable(), complaint
    return f"{type(answer).__name__} {complaint[:20]}"


def _read_messages(data: bytes, folder: Path) -> str:
    ours, theirs = socket.socketpair()
    told = []
    with ours, theirs:
        # What does not fit is not sent: nobody reads meanwhile.
        theirs.setblocking(False)
        theirs.send(data or b"\n")
        theirs.close()
        channel = Channel(ours)
        try:
            while True:
                message = channel.receive()
                fault = fault_of(message)
                assert fault.detail.isprintable(), fault
                assert death(message.get("ended")).isprintable(), message
                ran_out_of_memory(presentable(str(message)))
                told.append(_judged(read_move(message)) if "answer" in message and "error" not in message else "other")
        except ClosedError:
            return " ".join(told[:3])


READERS = {
    "output": Reader(
        lambda: [b"2,3", b"PASS", b"PASS\n", b" 1 , 2 \r\n3,4", b"1,2,3\n", b""], _read_output, (AnswerFileError,),
        (b"PASS", b",", b"pass", b"\n", b"\r", b" ", b"+1", b"\xc2\xa0", b"\x0c"),
    ),
    "protocol": Reader(
        lambda: [b"".join(json.dumps(one).encode() + b"\n" for one in _MESSAGES[k:]) for k in range(len(_MESSAGES))],
        _read_messages, (ProtocolError,),
        (b'"answer"', b'"move"', b'"text"', b'"error"', b'"ended"', b'"type"', b'"line"', b'"trace"', b"[", b"{", b"NaN",
        b"Infinity",
         b"\\ud800", b"\\u0000", b"\\u001b", b'"memory"', b"std::bad_alloc", b"\n", b"true", b"null"),
        most_bytes=2**17,
    ),
}  # fmt: skip
