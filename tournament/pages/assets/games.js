// Which game an address means, and where it is in the files.
"use strict";

const Games = (() => {
  let head = null;

  const at = (id) => document.getElementById(id);

  // A pair's address names them in the order in which they were chosen, and may name a game and a move in it.
  function address(one, other, number, ply) {
    const parts = [one, other].map((k) => encodeURIComponent(head.players[k].slug));
    const tail = [...parts, ...(number === undefined ? [] : [number]), ...(ply ? [ply] : [])].join("/");
    return `#${site.single ? "games/" : ""}${tail}`;
  }

  function wanted() {
    const parts = decodeURIComponent(location.hash.slice(1)).split("/");
    if (site.single && parts.shift() !== "games") return null;
    const [a, b] = parts.slice(0, 2).map((slug) => head.players.findIndex((one) => one.slug === slug));
    if (a === undefined || b === undefined || a < 0 || b < 0 || a === b) return {};
    const [number, ply] = parts.slice(2).map(Number);
    return { pair: [a, b], number, ply };
  }

  // The first pairs of the files ascend. A pair may begin at the end of one file and go on in the next.
  function filesOf([a, b]) {
    const before = ([x, y]) => x < a || (x === a && y < b);
    const after = ([x, y]) => x > a || (x === a && y > b);
    const found = [];
    head.starts.forEach((start, k) => {
      const next = head.starts[k + 1];
      if (!after(start) && (next === undefined || !before(next))) found.push(k);
    });
    return found;
  }

  async function gamesOf([one, other]) {
    const pair = [Math.min(one, other), Math.max(one, other)];
    const files = await Promise.all(filesOf(pair).map((k) => site.load(`games-${k}`)));
    const records = files.flat().map(Replay.recordOf);
    return records.filter((one) => Math.min(one.black, one.white) === pair[0] && Math.max(one.black, one.white) === pair[1]);
  }

  // One game

  function open(record, games, pair, ply) {
    const [black, white] = [head.players[record.black], head.players[record.white]];
    at("game-title").replaceChildren(
      element("bdi", {}, Lists.playerLink(record.black)), " (Black) against ", element("bdi", {}, Lists.playerLink(record.white)), " (White)",
    );
    showNeighbours(record, games, pair);
    const { size, komi, rules } = head;
    Replay.open(record, { size, komi, rules, names: [black.name, white.name], file: `${black.slug}-${white.slug}-${record.number}.sgf` }, ply);
  }

  function showNeighbours(record, games, [a, b]) {
    const k = games.indexOf(record);
    const link = (id, other, text) => (other ? [element("a", { id, href: address(a, b, other.number) }, text)] : []);
    at("neighbours").replaceChildren(
      ...link("previous-game", games[k - 1], "← Previous game"), " ", ...link("next-game", games[k + 1], "Next game →"), " ",
      element("a", { id: "to-pair", href: address(a, b) }, "All games of the two"),
    );
  }

  function listen() {
    for (const id of ["choose-one", "choose-other"]) {
      at(id).addEventListener("change", () => {
        const chosen = ["choose-one", "choose-other"].map((name) => at(name).value);
        if (!chosen.includes("") && chosen[0] !== chosen[1]) location.hash = address(...chosen.map(Number));
      });
    }
  }

  // The heading stays for those who do not see the page: on a low screen the board needs its room.
  function showChoice(shown) {
    at("choose").hidden = !shown;
    at("games-title").classList.toggle("aside", !shown);
  }

  async function route(event) {
    // "Skip to content" stays on the current view.
    if (location.hash === "#main") return;
    const where = wanted();
    if (where === null) return;
    Replay.stop();
    for (const id of ["list", "game", "browse"]) at(id).hidden = true;
    showChoice(true);
    at("trouble").textContent = "";
    if (!where.pair) {
      at("browse").hidden = false;
      return;
    }
    [at("choose-one").value, at("choose-other").value] = where.pair;
    try {
      const games = await gamesOf(where.pair);
      if (!games.length) throw new Error("These two have not played each other.");
      const record = games.find((one) => one.number === where.number);
      Lists.showPair(where.pair, games, where.number);
      at("list").hidden = false;
      at("game").hidden = !record;
      showChoice(!record);
      if (record) open(record, games, where.pair, where.ply || undefined);
      if (event) window.scrollTo(0, 0);
    } catch (error) {
      at("trouble").textContent = error.message;
      at("browse").hidden = false;
    }
  }

  async function begin() {
    if (!at("game")) return;
    head = await site.load("head");
    for (const id of ["choose-one", "choose-other"]) {
      const options = head.players.map((player, k) => element("option", { value: k }, player.name));
      at(id).replaceChildren(element("option", { value: "" }, "…"), ...options);
    }
    Lists.open(head, address);
    listen();
    Replay.listen();
    Replay.listenToTouch();
    window.addEventListener("hashchange", route);
    await route();
    document.documentElement.dataset.ready = "yes";
  }

  document.addEventListener("DOMContentLoaded", begin);
})();
