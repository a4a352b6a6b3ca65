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
INSERT INTO events VALUES ('ladder', 'be664ccfd5aa7bd531a2f26f2a94f1ea1908530397339f38ea0758ac3284a175', '', '{"games":2,"kind":"round-robin","limits":{"disk_mib":64,"game_cpu_seconds":120.0,"log_kib":64,"memory_mib":1024,"move_seconds":5.0,"processes":64,"start_seconds":15.0},"name":"ladder","python":"","references":[],"require_tier":"T0","rubric":"","rules":"course","size":3}', X'29FE1E37D14D7AB1BC4463B734214C14869A4E1A3BE56B02B7A895F45ADB0316', 3228466268);
INSERT INTO runs VALUES (1, '2026-11-26T13:23:07+00:00', 'somewhere', 'Python 3.11.7, go-competition-harness 0.1.0, Linux 6.18.44-fc-v595', 254956462);
INSERT INTO entrants VALUES (1, 'ann', '4eeaa9d82680377a3d7eb29f0ab949aa12ee578e88404fdaf90dbe6b4a35b28c', '', '{"students": ["ann"], "fields": [["submitted", "2026-10-01 10:00"]]}', 'ann.py', 'MyPlayer', 'class', 72233658, 1);
INSERT INTO entrants VALUES (2, 'bob', '7921132cdd58e2a40cb35f762198b12b82668fd0b708b52d8fa8e9f164335c12', '', '{"students": ["bob"], "fields": [["submitted", "2026-10-02 10:00"]]}', 'bob.py', 'MyPlayer', 'class', 1294892425, 1);
INSERT INTO games VALUES (1, 'ann-bob-001', 2, 1, 2, 'score', 0, 4, 4, 0.005343, 0.005326, 0.00484, 0.004927, 587013593, 4.0, 5.5, 'T3', 0, 1, '', '', 'A1 A3 B1 B3 C1 C3 A2 B2', X'CB010000E81200000000000000000000D30B00003F130000000000000000000030000000D70000000000000000000000A9000000840000000000000020000000290000007600000000000000000000008C0000006B00000000000000000000002F000000AB0000000000000000000000C4000000A0000000000000001F000000', X'', 4041076058, 0);
INSERT INTO games VALUES (2, 'ann-bob-002', 1, 2, 2, 'score', 0, 4, 4, 0.005279, 0.005132, 0.004544, 0.004663, 3583004509, 4.0, 5.5, 'T3', 0, 1, '', '', 'A3 A1 B3 B1 C3 C1 A2 B2', X'5A010000C01100000000000000000000300100003712000000000000000000004F040000190100000000000000000000A5000000930000000800000000000000DD000000E10000000000000000000000880000007C000000030000000000000096060000E60000000000000003000000920D0000A50000001500000000000000', X'', 3894871040, 0);
