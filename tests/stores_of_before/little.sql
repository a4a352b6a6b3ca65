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
INSERT INTO events VALUES ('little', '67910d580d83a984af6f746d418ed6f866b8203eb75433ef7dbdc2a8b689ba67', '8f675bda2197c17fc5f4401a3774dfb078e8dd2349c4f7325a60e71291988c8c', '{"games":2,"kind":"grade","limits":{"disk_mib":64,"game_cpu_seconds":150.0,"log_kib":64,"memory_mib":1024,"move_seconds":1.0,"processes":64,"start_seconds":15.0},"name":"little","python":"","references":["random"],"require_tier":"T0","rubric":"little.toml","rules":"littlego","size":3}', X'A7F6A0D9F5711D548F8215D783852CD4621590A7147F47CCBA9986717DEDC703', 86892949);
INSERT INTO runs VALUES (1, '2026-11-26T13:22:58+00:00', 'somewhere', 'Python 3.11.7, go-competition-harness 0.1.0, Linux 6.18.44-fc-v595', 1413535265);
INSERT INTO entrants VALUES (1, 'cy', 'a80d177dbfcf4ef3938ad967e82b551d50eaf64ffc4489a033625e2bc41f4a40', '', '["cy"]', 'cy.py', 'MyPlayer', 'program', 2252023234, 1);
INSERT INTO entrants VALUES (2, 'random', 'random', 'random', '[]', 'my_player.py', 'MyPlayer', 'class', 3878263055, 1);
INSERT INTO games VALUES (1, 'cy-random-001', 1, 2, 2, 'score', 0, 4, 4, 0.04105, 0.000358, 0.014162, 0.000181, 2947324895, 1.0, 5.5, 'T3', 0, 1, '', '', 'A3 C2 B3 A2 C3 B2 A3 A1', X'651A0000FF100000680600006200000080040000B500000000000000CB0300003B3C000090110000061D0000890400004200000040000000000000000200000044440000D810000079260000E20C00003C0000003B0000000000000001000000AA240000230E0000E81400009E01000037000000360000000000000001000000', X'', 848870088, 0);
INSERT INTO games VALUES (2, 'cy-random-002', 2, 1, 1, 'score', 0, 4, 4, 0.000229, 0.018758, 9.2e-05, 0.006173, 894164783, 4.0, 3.5, 'T3', 0, 1, '', '', 'C2 A3 A2 B3 B1 pass C3 pass', X'38000000370000000000000001000000CE0E0000FB0E0000000000000000000029000000280000000000000001000000321E0000020E00001B0A0000DA0400002A0000002A000000000000000100000006900000FE0D000000000000A56500005F0000005C00000000000000030000005B140000F41100003B02000000000000', X'', 2583671368, 0);
