// All games of two players on one page: a list, and the one that an address names, as #3 or, at a move, #3/7.
"use strict";

const Album = (() => {
  const NAMES = ["", "Black", "White"];
  let data = null;
  let games = [];

  const at = (id) => document.getElementById(id);

  // What is known of a game: the moves that cost something, with how many stones, and those that let a better result go.
  function mistakesOf(record) {
    if (!record.truth) return [];
    const [winners, margins] = record.truth;
    const known = (k) => winners[k] >= 0;
    return moves(record).flatMap((move, k) => {
      const colour = k % 2 ? 2 : 1;
      const cost = margins[k] === null || margins[k + 1] === null ? 0 : (colour === 1 ? 1 : -1) * (margins[k] - margins[k + 1]);
      const turns = known(k) && known(k + 1) && winners[k] !== winners[k + 1];
      return cost || turns ? [{ ply: k + 1, move, colour, cost, loses: turns && winners[k + 1] === 3 - colour }] : [];
    });
  }

  const moves = (record) => (record.moves ? record.moves.split(" ") : []);

  function turningOf(record) {
    const thrown = mistakesOf(record).filter((one) => one.loses);
    // The same that the game opens at.
    const lost = thrown.filter((one) => one.colour === 3 - record.winner).at(-1) ?? thrown[0];
    return lost ? `${NAMES[lost.colour]} ${lost.move}, move ${lost.ply}, let the win go.` : "";
  }

  function show(number, ply) {
    const record = games[number - 1];
    at("game").hidden = !record;
    if (!record) return;
    at("game-title").textContent = `Game ${number} of ${games.length}`;
    const link = (id, other, text) => (games[other - 1] ? [element("a", { id, href: `#${other}` }, text), " "] : []);
    at("neighbours").replaceChildren(...link("previous-game", number - 1, "← Previous game"), ...link("next-game", number + 1, "Next game →"), element("a", { id: "to-pair", href: "#to-list" }, "All games"));
    Replay.open(record, { size: data.size, komi: data.komi, rules: data.rules, names: data.names, file: `game-${number}.sgf` }, ply || undefined);
    for (const row of at("games").rows) row.toggleAttribute("aria-current", row.dataset.number === String(number));
  }

  function row(record) {
    const cell = (content, attributes = {}) => element("td", attributes, content);
    const time = record.times.reduce((sum, ms) => sum + ms, 0);
    return element(
      "tr", { "data-number": record.number }, cell(element("a", { href: `#${record.number}` }, `Game ${record.number}`), { class: "nowrap" }), cell(record.mark),
      cell(String(moves(record).length), { class: "number" }), cell(Replay.duration(time), { class: "number" }), cell([record.ending, record.turning].filter(Boolean).join(" "), { class: "why" }),
    );
  }

  function total(colour) {
    const own = games.flatMap((record) => mistakesOf(record).filter((one) => one.colour === colour));
    const stones = own.reduce((sum, one) => sum + one.cost, 0);
    const thrown = own.filter((one) => one.loses).length;
    return `${data.names[colour - 1]} (${NAMES[colour]}): ${own.length} known mistakes, ${stones} stones lost by them, ${thrown} times a game let go.`;
  }

  function route() {
    const [number, ply] = location.hash.slice(1).split("/").map(Number);
    if (Number.isInteger(number)) show(number || 1, ply);
  }

  function open() {
    data = JSON.parse(at("data").textContent);
    games = data.games.map(Replay.recordOf);
    for (const record of games) record.turning = turningOf(record);
    at("result").textContent = data.result;
    if (games.some((record) => record.truth)) at("mistakes").textContent = [1, 2].map(total).join(" ");
    at("games").replaceChildren(...games.map(row));
    Replay.listen();
    Replay.listenToTouch();
    window.addEventListener("hashchange", route);
    route();
    document.documentElement.dataset.ready = "yes";
  }

  document.addEventListener("DOMContentLoaded", open);
})();
