PRAGMA application_id = 1198474056;
PRAGMA user_version = 2;
CREATE TABLE events (name TEXT, hash TEXT, rubric TEXT, text TEXT, key BLOB, checksum INTEGER);
CREATE TABLE runs (run INTEGER PRIMARY KEY, started TEXT, host TEXT, versions TEXT, checksum INTEGER);
CREATE TABLE entrants (
    entrant INTEGER PRIMARY KEY, name TEXT, digest TEXT, reference TEXT, players TEXT, entry TEXT, class_name TEXT,
    kind TEXT, checksum INTEGER, current INTEGER, UNIQUE (name, digest));
CREATE TABLE games (
    game INTEGER PRIMARY KEY, id TEXT, black INTEGER, white INTEGER, winner INTEGER, termination TEXT,
    forfeited_by INTEGER, black_moves INTEGER, white_moves INTEGER, black_seconds REAL, white_seconds REAL,
    black_worst REAL, white_worst REAL, summary_checksum INTEGER, black_score REAL, white_score REAL, tier TEXT,
    replays INTEGER, run INTEGER, detail TEXT, notes TEXT, moves TEXT, times BLOB, texts BLOB, checksum INTEGER,
    superseded INTEGER);
CREATE UNIQUE INDEX current_games ON games (id) WHERE superseded = 0;
INSERT INTO events VALUES ('pair', '87ceb5c2a4bece32811e016a3144232adf83f8a84811896f9d2af376494e73c8', '', '{"games":2,"kind":"match","limits":{"disk_mib":64,"game_cpu_seconds":120.0,"log_kib":64,"memory_mib":1024,"move_seconds":1.0,"processes":64,"start_seconds":15.0},"name":"pair","python":"","references":[],"require_tier":"T0","rubric":"","rules":"course","size":3}', X'A7F6A0D9F5711D548F8215D783852CD4621590A7147F47CCBA9986717DEDC703', 3582512193);
INSERT INTO runs VALUES (1, '2026-11-26T13:22:55+00:00', 'somewhere', 'Python 3.11.7, go-competition-harness 0.1.0, Linux 6.18.44-fc-v595', 2229493852);
INSERT INTO entrants VALUES (1, 'random', 'random', 'random', '[]', 'my_player.py', 'MyPlayer', 'class', 3878263055, 1);
INSERT INTO entrants VALUES (2, 'ann', '4eeaa9d82680377a3d7eb29f0ab949aa12ee578e88404fdaf90dbe6b4a35b28c', '', '["ann"]', 'ann.py', 'MyPlayer', 'class', 1400487713, 1);
INSERT INTO games VALUES (1, 'random-ann-001', 1, 2, 2, 'score', 0, 4, 3, 0.000197, 0.005339, 7.6e-05, 0.005047, 2924723276, 4.0, 4.5, 'T3', 0, 1, '', '', 'C1 A3 A2 B3 B2 C3 B1', X'4F0000004C00000000000000030000006C010000B713000000000000000000003500000033000000000000000200000047000000AD000000000000000000000025000000240000000000000001000000D200000077000000000000000000000023000000220000000000000001000000', X'', 3146023573, 0);
INSERT INTO games VALUES (2, 'random-ann-002', 2, 1, 2, 'score', 0, 4, 4, 0.005522, 0.000153, 0.005021, 5.4e-05, 3208155169, 3.0, 4.5, 'T3', 0, 1, '', '', 'A3 B3 C3 A2 B2 C1 A3 A1', X'9E0100009D13000000000000000000003900000036000000000000000300000040000000BC00000000000000000000001F0000001E00000000000000010000003B0000009D0000000000000000000000200000001F0000000000000001000000C80000009D000000000000000000000026000000260000000000000001000000', X'', 630847538, 0);
