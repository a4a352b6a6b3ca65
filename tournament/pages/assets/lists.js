// Lists of games: those worth looking at, by kind and by player, and all of a pair.
"use strict";

const Lists = (() => {
  const MOST_ROWS = 100;
  let head = null;
  let address = () => "";
  let chosen = "";

  const at = (id) => document.getElementById(id);

  // addressOf(one, other, number, move) is the address of a game in this page.
  function open(data, addressOf) {
    head = data;
    address = addressOf;
    at("filters").replaceChildren(...head.lists.map(button));
    at("names").replaceChildren(...head.players.map((player) => element("option", { value: player.name })));
    at("who").addEventListener("input", show);
    // Nobody wants to read all games of a class.
    choose((head.lists.find((one) => one.key === "all" && one.total > one.games.length) ? head.lists[1] : head.lists[0])?.key ?? "");
  }

  function button(list) {
    const made = element("button", { type: "button", "data-key": list.key }, `${list.label} `, element("span", { class: "soft" }, String(list.total)));
    made.addEventListener("click", () => choose(list.key));
    return made;
  }

  function choose(key) {
    chosen = key;
    for (const one of at("filters").children) one.setAttribute("aria-pressed", String(one.dataset.key === key));
    show();
  }

  function show() {
    const list = head.lists.find((one) => one.key === chosen) ?? { games: [], total: 0 };
    const wanted = at("who").value.trim().toLowerCase();
    const names = (game) => [game[1], game[2]].map((k) => head.players[k].name);
    const found = list.games.filter((game) => names(game).some((name) => name.toLowerCase().includes(wanted)));
    at("found").replaceChildren(...found.slice(0, MOST_ROWS).map(row));
    const rows = Math.min(found.length, MOST_ROWS);
    const all = `${list.total} ${list.total === 1 ? "game" : "games"}`;
    const said = rows === list.total ? all : `${rows} of ${all}${wanted ? ` with “${at("who").value.trim()}”` : ""}`;
    at("found-count").textContent = list.total ? said : "No game has been played yet.";
    at("found-table").hidden = !found.length;
  }

  function row([number, black, white, mark, moves, ms, ending, ply]) {
    const cell = (text, attributes = {}) => element("td", attributes, text);
    const link = element("a", { href: address(black, white, number, ply) }, `Game ${number}`);
    return element(
      "tr", {}, cell(link, { class: "nowrap" }), ...[black, white].map((k) => cell(element("bdi", {}, head.players[k].name))), cell(mark),
      cell(String(moves), { class: "number" }), cell(Replay.duration(ms), { class: "number" }), cell(ending, { class: "why" }),
    );
  }

  function playerLink(k) {
    const player = head.players[k];
    return player.page ? element("a", { href: player.page }, player.name) : document.createTextNode(player.name);
  }

  // The games of a pair, as its first player sees them.
  function showPair([a, b], games, number) {
    at("pair-title").replaceChildren(element("bdi", {}, playerLink(a)), " against ", element("bdi", {}, playerLink(b)));
    const won = [0, a, b].map((k, place) => games.filter((one) => (place ? [one.black, one.white][one.winner - 1] === k : !one.winner)).length);
    const ties = won[0] ? `, ${won[0]} tied` : "";
    at("pair-score").textContent = `${games.length} games: ${won[1]} won, ${won[2]} lost${ties}`;
    at("pair-games").replaceChildren(
      ...games.map((one) => {
        const line = element("tr", one.number === number ? { "aria-current": "true" } : {});
        line.append(
          element("td", { class: "number" }, element("a", { href: address(a, b, one.number) }, `Game ${one.number}`)),
          element("td", {}, element("bdi", {}, head.players[one.black].name)),
          element("td", {}, element("bdi", {}, head.players[one.white].name)),
          element("td", {}, one.mark),
          element("td", { class: "number" }, String(one.moves ? one.moves.split(" ").length : 0)),
          element("td", { class: "why" }, [one.ending, one.turning].filter(Boolean).join(" ")),
        );
        return line;
      }),
    );
  }

  return { open, showPair, playerLink };
})();
