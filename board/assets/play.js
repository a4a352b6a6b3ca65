// A game that is being played: the board takes moves, the server has the game.
"use strict";

const Play = (() => {
  const NAMES = ["", "Black", "White"];
  // More stones of a line would hide the board.
  const MOST_OF_LINE = 9;
  // The newest that the server has said of the game.
  let state = null;
  let thinkingSince = 0;
  let refusal = "";

  const at = (id) => document.getElementById(id);
  const mover = () => state.names[state.to_move - 1];
  const isPersons = () => state.people[state.to_move - 1];
  const isMine = () => !state.over && isPersons();
  const atEnd = () => Replay.place() === Replay.count();

  async function send(request) {
    refusal = "";
    try {
      show(await Server.ask({ game: state.game, ...request }));
    } catch (error) {
      refusal = error.message;
      tellNews();
    }
  }

  const play = (move) => send({ do: "play", move, number: Replay.count() });

  // file: the name of the one that is opened, if any.
  async function begin(request, file = "") {
    at("trouble").textContent = "";
    try {
      enter(await Server.ask({ do: "new", ...request }));
    } catch (error) {
      at("trouble").textContent = file ? `${file}: ${error.message}` : error.message;
    }
  }

  function enter(answer) {
    Replay.stop();
    Truths.forget();
    state = null;
    location.hash = answer.game;
    Setup.show(false);
    at("game").hidden = false;
    show(answer);
    // Two programs are watched, move by move.
    if (!answer.people.includes(true) && !answer.over) {
      Replay.go(0);
      Replay.play();
    }
    const key = answer.game;
    Server.follow(key, () => state.version, () => state.game === key, show, (words) => (at("trouble").textContent = words));
  }

  function show(answer) {
    if (state && (answer.game !== state.game || answer.version <= state.version)) return;
    const stays = state && (Replay.playing() || !atEnd());
    const place = stays ? Replay.place() : undefined;
    state = answer;
    thinkingSince = state.thinking === null ? 0 : Date.now() - 1000 * state.thinking;
    at("game-title").textContent = `${state.names[0]} (Black) against ${state.names[1]} (White)`;
    Truths.news(state);
    const record = Replay.recordOf(state.record);
    const about = { size: state.size, komi: state.komi, rules: state.rules, names: state.names, file: "game.sgf", lines: Variations.linesOf(state), grows: () => !state.over, drawn };
    Replay.open(record, about, place ?? (record.moves ? record.moves.split(" ").length : 0));
    showButtons();
    tellNews();
  }

  function drawn(place) {
    const position = Board.positions(moves().slice(0, place), state.size)[place];
    const live = place === moves().length;
    const colour = live && isMine() ? state.to_move : 0;
    const toMove = place % 2 ? 2 : 1;
    const line = Truths.line(place).slice(0, MOST_OF_LINE);
    const worth = line.length ? {} : Truths.worth(place, toMove);
    Points.draw(at("board"), position, state.size, { colour, play, refused: live ? state.refused : {}, worth, line, first: toMove });
    at("pass").textContent = worth.pass ? `Pass ${worth.pass.text}` : "Pass";
    Truths.moved(place);
    Explorer.show(Truths.groups(place, toMove), (move) => explore(place, move));
    Variations.show(state, place, (line) => branch(state.players, line, place + 1));
    showButtons();
  }

  // A move of the explorer's: on this board, if people play on it and it is their turn; else on another.
  const explore = (place, move) =>
    (state.people.every(Boolean) && place === moves().length ? play(move) : branch(["", ""], [...moves().slice(0, place), move], place + 1));

  const moves = () => (state.record[6] ? state.record[6].split(" ") : []);

  function showButtons() {
    const mine = isMine() && atEnd();
    at("undo").disabled = !moves().some((_, k) => state.people[k % 2]);
    at("pass").disabled = !mine || !state.passing;
    at("pass").hidden = !state.passing;
    at("resign").disabled = !mine;
    at("again").hidden = !state.fault;
    at("from-here").hidden = atEnd();
    for (const id of ["undo", "resign"]) at(id).hidden = !state.people.includes(true);
    showClock();
  }

  function showClock() {
    const seconds = thinkingSince ? (Date.now() - thinkingSince) / 1000 : 0;
    const late = seconds > state.allowed ? ` The course allows ${state.allowed} s.` : "";
    at("clock").textContent = seconds > 1 ? `${Math.floor(seconds)} s.${late}` : "";
    at("stop").hidden = seconds < 2;
  }

  function news() {
    if (state.over) return state.fault ? "The game cannot go on." : "The game is over.";
    if (!isPersons()) return `${mover()} (${NAMES[state.to_move]}) is thinking.`;
    const alone = state.people.filter(Boolean).length === 1;
    return alone ? `Your move, ${NAMES[state.to_move]}.` : `${NAMES[state.to_move]} to move.`;
  }

  function tellNews() {
    const said = refusal || news();
    at("news").classList.toggle("bad", Boolean(refusal));
    if (at("news").textContent !== said) at("news").textContent = said;
  }

  const KEYS = { u: "undo", h: "hint", t: "truth", w: "why", N: "new-game" };

  function onKey(event) {
    if (!state || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input:not([type=range], [type=checkbox]), select, pre")) return;
    const button = KEYS[event.key] && at(KEYS[event.key]);
    if (event.key === "b") {
      const point = at("board").querySelector(".point[tabindex='0']");
      if (point) point.focus();
    } else if (button && !button.disabled && button.getClientRects().length) button.click();
  }

  // Another game from the same beginning, shown after so many moves. The browser's Back leads back.
  async function branch(players, names, place) {
    await begin({ do: "branch", game: state.game, players, moves: names });
    Replay.go(place);
  }

  // The line of best play as a game of its own, to step through and to leave at any move.
  const playLine = () => branch(["", ""], [...moves().slice(0, Replay.place()), ...Truths.line(Replay.place())], Replay.place());

  // Another address names another game.
  async function enterNamed() {
    const key = location.hash.slice(1);
    if (!key || key === "main" || (state && state.game === key)) return;
    try {
      enter(await Server.ask({ do: "wait", game: key, version: -1 }));
    } catch (error) {
      at("trouble").textContent = error.message;
      Setup.show(true);
    }
  }

  async function openSgf() {
    const file = at("open-sgf").files[0];
    at("open-sgf").value = "";
    if (!file) return;
    await begin({ do: "sgf", players: Setup.request().players, text: await file.text() }, file.name);
  }

  function listen() {
    const on = (id, action) => at(id).addEventListener("click", action);
    for (const id of ["undo", "again", "stop"]) on(id, () => send({ do: id }));
    for (const id of ["pass", "resign"]) on(id, () => play(id));
    on("new-game", () => Setup.show(at("setup").hidden));
    on("from-here", () => branch(state.players, moves().slice(0, Replay.place()), Replay.place()));
    on("play-line", playLine);
    window.addEventListener("hashchange", enterNamed);
    at("open-sgf").addEventListener("change", openSgf);
    document.addEventListener("keydown", onKey);
    setInterval(() => state && showClock(), 500);
    Replay.listen();
    Truths.listen(send, () => begin({ rules: "course", size: 5, players: ["", "perfect"], moves: [] }));
  }

  async function open() {
    const offer = JSON.parse(at("data").textContent);
    Setup.open(offer, begin);
    at("challenge").hidden = !offer.truth;
    listen();
    if (location.hash.length < 2 || location.hash === "#main") Setup.show(true);
    else await enterNamed();
    document.documentElement.dataset.ready = "yes";
  }

  document.addEventListener("DOMContentLoaded", open);
  return { redraw: () => Replay.go(Replay.place()) };
})();
