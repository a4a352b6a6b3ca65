// A game that is being played or looked at: the board takes moves, the server has the game.
"use strict";

const Play = (() => {
  const NAMES = ["", "Black", "White"];
  // More stones of a line would hide the board.
  const MOST_OF_LINE = 9;
  // The newest that the server has said of the game, and the file that it goes on from.
  let state = null;
  let file = null;
  let thinkingSince = 0;
  let refusal = "";
  // Whether a game of two programs has been watched to its end.
  let watched = true;
  let loaded = 0;
  // Whether the losing move is to be shown, once it is known.
  let losing = false;
  // Requests go one after the other, so that a move is made on the board that the one before it has left.
  let last = Promise.resolve();

  const at = (id) => document.getElementById(id);
  const mover = () => state.names[state.to_move - 1];
  const isPersons = () => state.people[state.to_move - 1];
  const isMine = () => !state.over && isPersons() && !state.checking;
  const atEnd = () => Replay.place() === Replay.count();
  const moves = () => (state.record[6] ? state.record[6].split(" ") : []);

  function send(request) {
    const answer = last.then(() => ask(request));
    last = answer.catch(() => {});
    return answer;
  }

  async function ask(request) {
    refusal = "";
    try {
      const answer = await Server.ask({ game: state.game, ...(request.do === "play" ? { number: moves().length } : {}), ...request });
      show(answer);
      return answer;
    } catch (error) {
      refusal = error.message;
      tellNews();
      return null;
    }
  }

  const play = (move) => send({ do: "play", move });

  // name: of the file that is opened, if any. What is clicked meanwhile is done in the game that begins.
  function begin(request, name = "") {
    last = last.then(async () => {
      at("trouble").textContent = "";
      try {
        enter(await Server.ask({ do: "new", teach: Number(at("teach").value), ...request }));
      } catch (error) {
        at("trouble").textContent = name ? `${name}: ${error.message}` : error.message;
        keepFocus();
      }
    });
    return last;
  }

  function enter(answer) {
    Replay.stop();
    Truths.forget();
    losing = false;
    state = null;
    file = answer.file;
    loaded = answer.loaded[0];
    location.hash = answer.game;
    Setup.show(false);
    at("game").hidden = false;
    watched = answer.people.includes(true) || Boolean(answer.boards);
    show(answer);
    // Two programs are watched, move by move, and a file is looked at from its start.
    if (!watched || answer.boards) Replay.go(0);
    if (!watched) Replay.play();
    const key = answer.game;
    Server.follow(key, () => state.version, () => state.game === key, show, (words) => (at("trouble").textContent = words));
  }

  function show(answer) {
    if (state && (answer.game !== state.game || answer.version <= state.version)) return;
    const stays = state && (Replay.playing() || !atEnd() || answer.boards);
    const place = stays ? Replay.place() : undefined;
    state = answer;
    if (state.tried) file.nodes.splice(state.tried[0], Infinity, ...state.tried[1]);
    thinkingSince = state.thinking === null ? 0 : Date.now() - 1000 * state.thinking;
    at("game-title").textContent = `${state.names[0]} against ${state.names[1]}`;
    document.body.classList.toggle("review", Boolean(state.boards));
    Truths.news(state);
    Replay.open(Replay.recordOf(state.record), about(), place ?? moves().length);
    if (losing && !state.analysing) toLosingMove();
    tellNews();
    keepFocus();
    at("game").dataset.version = state.version;
  }

  function about() {
    const { size, komi, rules, names, boards } = state;
    const begun = state.begun ? { cells: [...state.begun].map(Number), first: state.turns[0] } : null;
    const positions = boards ? Board.positionsOf(boards, moves(), state.colours, state.turns, size) : Board.positions(moves(), size, begun);
    const isSecret = () => !watched && !(atEnd() && state.over && (watched = true));
    return { size, komi, rules, names, boards, positions, file: "game.sgf", save: sgf, grows: () => !state.over, drawn, isSecret, find: Truths.find };
  }

  // The game as SGF: what was tried as variations, and if it came from a file, within that.
  function sgf() {
    const lines = state.boards ? [] : Tree.linesOf(state);
    if (file) return Sgf.writeFile(file, lines, state.turns[0], state.size);
    return Sgf.write(Replay.recordOf(state.record), { size: state.size, komi: state.komi, rules: state.rules, names: state.names }, lines);
  }

  function drawn(place) {
    const position = Replay.position();
    const live = place === moves().length && !state.boards;
    const { toMove } = position;
    const colour = state.boards ? toMove : live && isMine() ? state.to_move : 0;
    const taught = Lessons.line(state, place);
    const line = (Truths.line(place).length ? Truths.line(place) : taught).slice(0, MOST_OF_LINE);
    const worth = line.length ? {} : Truths.worth(place, toMove);
    const signs = Tree.show(state, file, place, Replay.go, goTo);
    for (const name of Object.keys(worth)) delete signs[name];
    Points.draw(at("board"), position, state.size, {
      colour, refused: live ? state.refused : {}, worth, line, first: toMove, signs, choose: (name) => choose(name, place), confirm: () => at("confirm").checked, ask: (name) => say(`Touch ${name} again to play there.`),
    });
    at("pass").textContent = worth.pass ? `Pass ${worth.pass.text}` : "Pass";
    Truths.moved(place);
    Truths.list(place, toMove, (move) => explore(place, move));
    Lessons.show(state, place);
    Verdicts.show(state);
    showButtons();
    tellNews();
    keepFocus();
  }

  // A click on a point: a move where it is somebody's turn here, and in a file's game the way to its node, or a variation.
  async function choose(name, place) {
    if (!state.boards) return place === moves().length ? play(name) : say("This is an earlier position: play from here, or go to the end.");
    const node = file.nodes.findIndex(([parent, move]) => parent === state.path[place] && move.slice(2) === name);
    if (node < 0) return (await send({ do: "play", move: name, number: place })) && Replay.go(place + 1);
    return state.path[place + 1] === node ? Replay.go(place + 1) : goTo(node, file.nodes.map(([parent]) => ({ parent })));
  }

  // In a file's game what was tried last goes, and the position before it is shown.
  async function undo() {
    const { tried } = state;
    if ((await send({ do: "undo" })) && tried) Replay.go(state.path.indexOf(tried[1].at(-1)[0]));
  }

  // To a node of the tree that is not on the line shown.
  async function goTo(node, nodes) {
    const place = Tree.lineTo(nodes, node).length - 1;
    if (!state.boards) {
      const line = Tree.movesThrough(nodes, node);
      return branch(state.players, 0, line, line.length - place);
    }
    await send({ do: "follow", node });
    return Replay.go(place);
  }

  // A move of the explorer's: on this board where it is a person's turn or a file is looked at, else in a game of its own, from there.
  const explore = (place, move) => (state.boards || (place === moves().length && isMine()) ? choose(move, place) : branch(["", ""], place, [move]));

  function say(words) {
    refusal = words;
    tellNews();
  }

  // To the move that lost the game. What moves are worth is asked for first, where that can be known.
  function toLosingMove() {
    const asks = !losing && state.solvable && !state.record[10];
    losing = asks;
    if (asks) return Truths.find();
    watched = true;
    return Replay.go(Replay.losing() ?? Replay.count());
  }

  function showButtons() {
    const mine = isMine() && atEnd();
    const plays = state.people.includes(true) && !state.boards;
    const tried = state.tried && state.tried[1].length;
    at("undo").disabled = !tried && !moves().some((_, k) => state.people[state.turns[k] - 1]);
    at("pass").disabled = !mine || !state.passing;
    at("pass").hidden = !state.passing || !plays;
    at("resign").disabled = !mine;
    at("again").hidden = !state.fault;
    at("losing").hidden = !state.over || Boolean(state.boards) || !watched || !state.record[3] || state.fault;
    at("losing").disabled = state.analysing;
    at("from-here").hidden = !state.boards && atEnd();
    at("resign").hidden = !plays;
    at("undo").hidden = !plays && !tried;
    showClock();
  }

  function showClock() {
    const seconds = thinkingSince ? (Date.now() - thinkingSince) / 1000 : 0;
    const late = seconds > state.allowed ? ` The course allows ${state.allowed} s.` : "";
    at("clock").textContent = seconds > 1 ? `${Math.floor(seconds)} s.${late}` : "";
    at("stop").hidden = seconds < 2;
  }

  function news() {
    if (state.boards) return `A file is looked at. ${(file.notes || []).join(". ")}`.trim();
    if (!watched) return `${state.names[0]} and ${state.names[1]} play.`;
    if (state.over) return state.fault ? "The game cannot go on." : "The game is over.";
    if (state.checking) return "Looking at your move …";
    if (!isPersons()) return `${mover()} (${NAMES[state.to_move]}) is thinking.`;
    const alone = state.people.filter(Boolean).length === 1;
    return alone ? `Your move, ${NAMES[state.to_move]}.` : `${NAMES[state.to_move]} to move.`;
  }

  function tellNews() {
    const said = refusal || news();
    at("news").classList.toggle("bad", Boolean(refusal));
    if (at("news").textContent !== said) at("news").textContent = said;
    if (state.loaded[0] > loaded) at("loaded").textContent = `${state.loaded[1]} was saved, and is loaded anew (${state.loaded[0]}).`;
    else if (!state.loaded[0]) at("loaded").textContent = "";
  }

  // Whoever has the focus may vanish or be disabled: then the board has it, never the page.
  function keepFocus() {
    const active = document.activeElement;
    const gone = !active || active === document.body || active.disabled || !active.getClientRects().length;
    if (gone && !at("panel").open && document.hasFocus()) at("board").focus({ preventScroll: true });
  }

  const KEYS = { u: "undo", h: "hint", t: "truth", w: "why", i: "look", N: "new-game" };

  function onKey(event) {
    if (!state || at("panel").open || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input:not([type=range], [type=checkbox]), select, pre")) return;
    const button = KEYS[event.key] && at(KEYS[event.key]);
    const marked = /^[1-9]$/.test(event.key) ? Truths.marked(Replay.place())[Number(event.key) - 1] : "";
    if (event.key === "b") Points.focus();
    else if (marked) explore(Replay.place(), marked);
    else if (button && !button.disabled && button.getClientRects().length) button.click();
  }

  // Another game that leaves this one after so many moves and goes on with these; so many moves before its end it is shown. The
  // browser's Back leads back.
  async function branch(players, number, names, back = 0) {
    await begin({ do: "branch", game: state.game, players, number, moves: names });
    if (back) Replay.go(Replay.count() - back);
  }

  // A game from the position shown, against the players of this one; of a file's game, against those that the panel has.
  const playFromHere = () => branch(state.boards ? Setup.request().players : state.players, Replay.place(), []);

  // The line of best play as a game of its own, to step through and to leave at any move.
  const playLine = () => branch(["", ""], Replay.place(), Truths.line(Replay.place()), Truths.line(Replay.place()).length);

  // Another address names another game.
  async function enterNamed() {
    const key = location.hash.slice(1);
    if (!key || key === "main" || (state && state.game === key)) return;
    try {
      enter(await Server.ask({ do: "wait", game: key, version: -1 }));
    } catch (error) {
      await begin({ ...Setup.request(), moves: [] });
      at("trouble").textContent = error.message;
    }
  }

  // The bytes of a file in base 64, whatever its encoding.
  function readFile(chosen) {
    return new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
      reader.onerror = () => reject(reader.error);
      reader.readAsDataURL(chosen);
    });
  }

  async function openSgf() {
    const chosen = at("open-sgf").files[0];
    if (!chosen) return;
    const data = await readFile(chosen);
    at("open-sgf").value = "";
    await begin({ do: "sgf", data }, chosen.name);
  }

  function listen() {
    const on = (id, action) => at(id).addEventListener("click", action);
    for (const id of ["again", "stop"]) on(id, () => send({ do: id }));
    on("undo", undo);
    for (const id of ["pass", "resign"]) on(id, () => play(id));
    on("losing", toLosingMove);
    on("from-here", playFromHere);
    on("play-line", playLine);
    window.addEventListener("hashchange", enterNamed);
    at("open-sgf").addEventListener("change", openSgf);
    document.addEventListener("keydown", onKey);
    // The board shows that it has the focus to those who use keys.
    document.addEventListener("keydown", () => (document.documentElement.dataset.keys = "yes"), true);
    document.addEventListener("pointerdown", () => delete document.documentElement.dataset.keys, true);
    document.addEventListener("focusout", () => setTimeout(() => state && keepFocus()));
    setInterval(() => state && showClock(), 500);
    Replay.listen();
    Points.listen(at("board"), (step) => (Replay.stop(), Replay.go(Replay.place() + step)));
    Truths.listen(send, () => begin({ rules: "course", size: 5, players: ["", "perfect"], moves: [] }));
    Lessons.listen(send);
    Verdicts.listen(send, JSON.parse(at("data").textContent).no_grades);
  }

  async function open() {
    const offer = JSON.parse(at("data").textContent);
    Setup.open(offer, begin);
    at("challenge").disabled = !offer.truth;
    if (!offer.truth) at("challenge").title = offer.why_not;
    at("sgf").textContent = "Save SGF";
    listen();
    if (location.hash.length > 1 && location.hash !== "#main") await enterNamed();
    else if (offer.chosen.game) enter(await Server.ask({ do: "wait", game: offer.chosen.game, version: -1 }));
    else await begin({ ...Setup.request(), moves: [] });
    document.documentElement.dataset.ready = "yes";
  }

  document.addEventListener("DOMContentLoaded", open);
  return { redraw: () => Replay.go(Replay.place()) };
})();
