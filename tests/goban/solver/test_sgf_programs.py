"""SGF in the manner of twenty programs and servers, made up here: what is read, beside what Sabaki's own reader reads."""

import json
import subprocess
from base64 import b64encode

import pytest

from goban.solver.sgf_files import read_game
from tests.support.missing import no_node_module, node_environment, skip_if
from tests.support.waiting import PATIENCE

# Manner -> file, names, size, komi, (Black's, White's) stones at the start, moves.
FILES = {
    "Fox": (
        "(;GM[1]FF[4]SZ[19]GN[]DT[2024-05-01]PB[绝艺]PW[柯洁]BR[P10段]WR[9段]KM[375]HA[0]RU[Chinese]AP[GNU Go:3.8]RN[3]RE[W+R]"
        "TM[1200]TC[3]TT[30];B[pd];W[dp];B[pp];W[dd])",
        ("绝艺", "柯洁"), 19, 7.5, (0, 0), "Bpd Wdp Bpp Wdd",
    ),
    "Tygem, in EUC-KR": (
        "(;GM[1]FF[3]SZ[19]EV[타이젬]PB[이세돌]BR[9단]PW[박정환]WR[9단]KM[6.5]RE[백 불계승]"
        ";B[qd];W[dc];B[pq];W[dq])".encode("euc_kr"),
        ("이세돌", "박정환"), 19, 6.5, (0, 0), "Bqd Wdc Bpq Wdq",
    ),
    "KGS, handicap": (
        "(;GM[1]FF[4]CA[UTF-8]AP[CGoban:3]ST[2]\nRU[Japanese]SZ[19]HA[4]KM[0.50]TM[1800]OT[5x30 byo-yomi]\n"
        "PW[white]PB[black]WR[3d]BR[2k]DT[2023-02-03]PC[The KGS Go Server at http://www.gokgs.com/]AB[dd][pd][dp][pp]RE[W+12.50]\n"
        ";W[nc]WL[1795.2]\n;B[qf]BL[1789.0]\n;W[]WL[1700]\n;B[]BL[1600]\nTW[aa]TB[sa])",
        ("black", "white"), 19, 0.5, (4, 0), "Wnc Bqf W B",
    ),
    "OGS": (
        '(;FF[4]\nCA[UTF-8]\nGM[1]\nDT[2022-11-11]\nPC[OGS: https://online-go.com/game/1]\nGN[Friendly "Match"]\n'
        "PB[anna]\nPW[bo b]\nBR[12k]\nWR[11k]\nTM[259200]OT[86400 fischer]\nRE[B+3.5]\nSZ[9]\nKM[5.5]\nRU[Japanese]\n;B[ee]\n"
        "(;W[ec]\n(;B[gd]\n(;W[cf]\n))))",
        ("anna", "bo b"), 9, 5.5, (0, 0), "Bee Wec Bgd Wcf",
    ),
    "CGoban 1": (
        "(;\nGM[1]FF[1]VW[]AP[cgoban 1.9.14]\nSZ[13]HA[2]KM[0.5]\nPW[cgoban]PB[me]\nGN[one \\: two]C[A \\] in text]"
        ";AB[jd]AB[dj]\n;W[jj]C[Here]\n;B[dd])",
        ("me", "cgoban"), 13, 0.5, (2, 0), "Wjj Bdd",
    ),
    "Drago": (
        "(;FF[4]GM[1]SZ[19]CA[Windows-1252]AP[Drago:4.30]PB[J\xf6rg]PW[Ren\xe9]KM[7]RE[?];B[dq]N[start];W[pd]LB[pd:A];B[qp])".encode(
            "cp1252"
        ),
        ("Jörg", "René"), 19, 7.0, (0, 0), "Bdq Wpd Bqp",
    ),
    "MultiGo, setup by colour and player": (
        "(;GM[1]FF[4]AP[MultiGo:4.4.4]SZ[9]AB[cc:ce]AW[ee][ef]PL[W]MULTIGOGM[0];W[dd];B[gg])",
        ("", ""), 9, None, (3, 2), "Wdd Bgg",
    ),
    "Smart Go": (
        "(;GM[1]FF[4]VW[aa:ss]AP[SmartGo Kifu:3.2]SZ[19]ID[]\nPW[Honinbo Shusai]PB[Go Seigen]KM[0]\nMULTIGOGM[1];B[qc]MN[1]"
        ";W[dp]\n(;B[jj];W[pp])\n(;B[dd]))",
        ("Go Seigen", "Honinbo Shusai"), 19, 0.0, (0, 0), "Bqc Wdp Bjj Wpp",
    ),
    "GoGui": (
        "(;FF[4]CA[UTF-8]AP[GoGui:1.5.1]SZ[7]\nKM[9]PB[GNU Go]PW[Fuego]DT[2020-01-02]RU[Chinese]\n"
        ";B[dd]BL[30]OB[0]\n;W[tt]\n;B[])",
        ("GNU Go", "Fuego"), 7, 9.0, (0, 0), "Bdd W B",
    ),
    "q5Go": (
        "(;GM[1]FF[4]CA[UTF-8]AP[q5Go:1.1]ST[1]\nSZ[19]HA[0]KM[6.5]PW[White]PB[Black]FIGURE[]\n\n;B[pd]\n;AW[dd]\n;B[dp])",
        ("Black", "White"), 19, 6.5, (0, 0), "Bpd Bdp",
    ),
    "Lizzie": (
        "(;KM[7.5]PW[human]PB[leela zero]DT[2019-07-20]AP[Lizzie: 0.7.2]SZ[19];B[dp]LZ[0.7.2 48.2 1.6k\n"
        "move pd visits 10 winrate 4800 pv Q16];W[pd]LZ[x])",
        ("leela zero", "human"), 19, 7.5, (0, 0), "Bdp Wpd",
    ),
    "KaTrain": (
        "(;GM[1]FF[4]CA[UTF-8]AP[KaTrain:1.14]SZ[13]KM[6.5]RU[chinese]PB[Me (Human)]PW[KaTrain (AI)]KTV[1.0]"
        ";B[jd]KT[H4sIAAAAAAAA][/w==]C[Move 1: B K10\nScore: B+0.3\u3164\u200b];W[dj])",
        ("Me (Human)", "KaTrain (AI)"), 13, 6.5, (0, 0), "Bjd Wdj",
    ),
    "Nihon Ki-in, in Shift_JIS": (
        "(;\r\nGM[1]FF[4]SZ[19]\r\nEV[第48期名人戦]PB[芝野虎丸]PW[井山裕太]KM[6.5]RE[白中押し勝ち]\r\n;B[qd];W[dd]\r\n)".encode("shift_jis"),
        ("芝野虎丸", "井山裕太"), 19, 6.5, (0, 0), "Bqd Wdd",
    ),
    "sgfmill, in Big5, escaped byte by byte": (
        "(;FF[4]CA[Big5]GM[1]SZ[9]PB[許功蓋]PW[成功]KM[6.5]RE[B+3]"
        ";B[ee]C[許功蓋。];W[cc])".encode("big5").replace(b"\\", b"\\\\"),
        ("許功蓋", "成功"), 9, 6.5, (0, 0), "Bee Wcc",
    ),
    "Jago": (
        "(\n;GM[1]FF[4]SZ[9]AP[Jago:Version 5.0]\nC[a game]KM[5.5]BS[0]WS[0]\n\n;B[ee]\n;W[cc]\n;B[gg]\n)\n",
        ("", ""), 9, 5.5, (0, 0), "Bee Wcc Bgg",
    ),
    "PANDA, no semicolon between": (
        "(;GM[1]FF[4]RE[W+4.5]KM[-5.50]HA[3]SZ[19]US[PANDANET]PW[p]PB[q]AB[dp][pd][dd]\n;W[qp];B[op]\n;W[oq])",
        ("q", "p"), 19, -5.5, (3, 0), "Wqp Bop Woq",
    ),
    "WBaduk": (
        "\ufeff(;FF[3]GM[1]SZ[19]HA[0]KM[6,5]PB[흑]PW[백]RE[W+0.5];B[pd];W[dd];B[tt];W[tt])",
        ("흑", "백"), 19, 6.5, (0, 0), "Bpd Wdd B W",
    ),
    "Eidogo": (
        "(;GM[1]FF[4]SZ[19]AP[EidoGo:1.2]CA[UTF-8]PW[a\\\\b]PB[c\\]d];B[dd]C[\\[\\]];W[pp](;B[dp]TR[dp])(;B[pd]))",
        ("c]d", "a\\b"), 19, None, (0, 0), "Bdd Wpp Bdp",
    ),
    "Sabaki": (
        "(;GM[1]FF[4]CA[UTF-8]AP[Sabaki:0.52.2]KM[6.5]SZ[5]DT[2024-01-01];B[cc]SBKV[53.2];W[cb];B[bb];W[db])",
        ("", ""), 5, 6.5, (0, 0), "Bcc Wcb Bbb Wdb",
    ),
    "GNU Go": (
        "(;GM[1]FF[4]\nRU[Chinese]SZ[9]HA[00]KM[7.5]PW[GNU Go 3.8 level 10]PB[user]GN[GNU Go 3.8]DT[2021]AP[GNU Go:3.8]"
        "RE[W+0.5]\n  ;B[ee]C[load and analyze mode];W[ec];B[]\n;W[])",
        ("user", "GNU Go 3.8 level 10"), 9, 7.5, (0, 0), "Bee Wec B W",
    ),
    "Leela Zero": (
        "(;GM[1]FF[4]RU[Chinese]DT[2018-03-01]SZ[19]KM[7.5]PB[Leela Zero 0.16 57f5]PW[Human]RE[W+Resign]"
        ";B[pd];W[dd];B[pq];W[dq]\n\n)\n",
        ("Leela Zero 0.16 57f5", "Human"), 19, 7.5, (0, 0), "Bpd Wdd Bpq Wdq",
    ),
}  # fmt: skip


def data_of(manner):
    text = FILES[manner][0]
    return text.encode() if isinstance(text, str) else text


def spelt(game):
    """The moves as 'Bpd', a pass as 'B'."""
    places = ["".join("abcdefghijklmnopqrs"[k] for k in move.move[::-1]) if move.move else "" for move in game.moves]
    return [f"{'_BW'[move.colour]}{place}" for move, place in zip(game.moves, places, strict=True)]


@pytest.mark.parametrize("manner", FILES)
def test_files_of_twenty_programs_are_read(manner):
    _, names, size, komi, stones, moves = FILES[manner]
    game = read_game(data_of(manner))
    assert ((game.black, game.white), game.size, game.komi) == (names, size, komi)
    points = [stone for row in game.setup or () for stone in row]
    assert (points.count(1), points.count(2)) == stones
    assert spelt(game) == moves.split()


_READER = """
const {parseBuffer} = require('@sabaki/sgf')
const moves = data => {
  const found = []
  for (let node = parseBuffer(data)[0]; node; node = node.children[0])
    for (const colour of ['B', 'W'])
      for (const place of node.data[colour] || []) found.push(colour + (place === 'tt' ? '' : place))
  return found
}
const files = JSON.parse(require('fs').readFileSync(0, 'utf8'))
const tried = data => {
  try {
    return moves(data)
  } catch (error) {
    return null
  }
}
console.log(JSON.stringify(files.map(file => tried(Buffer.from(file, 'base64')))))
"""


def test_sabaki_reads_the_same_moves():
    """It gives up where it cannot guess the encoding; ours does not."""
    skip_if(no_node_module("@sabaki/sgf"))
    encoded = json.dumps([b64encode(data_of(manner)).decode() for manner in FILES])
    run = subprocess.run(
        ["node", "-e", _READER], input=encoded, env=node_environment(), capture_output=True, text=True, timeout=PATIENCE
    )
    assert run.returncode == 0, run.stderr
    all_theirs = json.loads(run.stdout)
    assert sum(theirs is not None for theirs in all_theirs) > len(FILES) / 2
    for manner, theirs in zip(FILES, all_theirs, strict=True):
        assert theirs in (None, spelt(read_game(data_of(manner)))), manner
