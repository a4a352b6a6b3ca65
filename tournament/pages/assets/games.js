// Games: the list of a pair, and the board that plays one of them forward and back.
"use strict";

const Games = (() => {
  const NAMES = ["", "Black", "White"];
  const FIELDS = ["number", "black", "white", "winner", "mark", "ending", "moves", "times", "final", "turning", "truth", "logs"];
  let head = null;
  let game = null;
  let place = 0;
  let timer = 0;

  const at = (id) => document.getElementById(id);

  function address(one, other, number) {
    const [a, b] = [one, other].sort((x, y) => x - y);
    const tail = [a, b].map((k) => encodeURIComponent(head.players[k].slug)).join("/") + (number === undefined ? "" : `/${number}`);
    return `#${site.single ? "games/" : ""}${tail}`;
  }

  function wanted() {
    const parts = decodeURIComponent(location.hash.slice(1)).split("/");
    if (site.single && parts.shift() !== "games") return null;
    const [a, b] = parts.slice(0, 2).map((slug) => head.players.findIndex((one) => one.slug === slug));
    if (a === undefined || b === undefined || a < 0 || b < 0 || a === b) return {};
    return { pair: [Math.min(a, b), Math.max(a, b)], number: parts[2] === undefined ? undefined : Number(parts[2]) };
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

  async function gamesOf(pair) {
    const files = await Promise.all(filesOf(pair).map((k) => site.load(`games-${k}`)));
    const records = files.flat().map((values) => Object.fromEntries(FIELDS.map((field, k) => [field, values[k]])));
    return records.filter((one) => Math.min(one.black, one.white) === pair[0] && Math.max(one.black, one.white) === pair[1]);
  }

  function playerLink(k) {
    const player = head.players[k];
    return player.page ? element("a", { href: player.page }, player.name) : document.createTextNode(player.name);
  }

  // The list of a pair

  function showList(pair, games, number) {
    const [a, b] = pair;
    at("pair-title").replaceChildren(element("bdi", {}, playerLink(a)), " and ", element("bdi", {}, playerLink(b)));
    const won = [0, a, b].map((k, place) => games.filter((one) => (place ? [one.black, one.white][one.winner - 1] === k : !one.winner)).length);
    const ties = won[0] ? `, ${won[0]} tied` : "";
    at("pair-score").textContent = `${games.length} games: ${won[1]} to ${won[2]}${ties}`;
    at("pair-games").replaceChildren(
      ...games.map((one) => {
        const row = element("tr", one.number === number ? { "aria-current": "true" } : {});
        row.append(
          element("td", { class: "number" }, element("a", { href: address(a, b, one.number) }, `Game ${one.number}`)),
          element("td", {}, element("bdi", {}, head.players[one.black].name)),
          element("td", {}, element("bdi", {}, head.players[one.white].name)),
          element("td", {}, one.mark),
          element("td", { class: "number" }, String(one.moves ? one.moves.split(" ").length : 0)),
          element("td", { class: "why" }, [one.ending, one.turning].filter(Boolean).join(" ")),
        );
        return row;
      }),
    );
  }

  // One game

  function open(record, games) {
    stop();
    const moves = record.moves ? record.moves.split(" ") : [];
    game = { record, moves, positions: Board.positions(moves, head.size), truth: readTruth(record.truth) };
    at("game-title").replaceChildren(
      element("bdi", {}, playerLink(record.black)), " (Black) against ", element("bdi", {}, playerLink(record.white)), " (White)",
    );
    at("game-ending").textContent = record.ending;
    at("game-turning").textContent = record.turning;
    at("slider").max = moves.length;
    for (const colour of [1, 2]) showPlayer(colour, record);
    showMoves();
    Strip.draw(at("strip"), game, head, go);
    at("strip-part").hidden = at("strip-legend").hidden = !game.truth;
    at("mistake").hidden = !game.truth;
    Printed.open(record, moves.length, go);
    showNeighbours(record, games);
    const link = at("sgf");
    link.href = `data:application/x-go-sgf;charset=utf-8,${encodeURIComponent(sgf(record, moves))}`;
    link.download = `${head.players[record.black].slug}-${head.players[record.white].slug}-${record.number}.sgf`;
    go(moves.length);
  }

  function readTruth(truth) {
    if (!truth) return null;
    const [winners, margins, best, winning] = truth;
    const known = winners.map((winner) => (winner < 0 ? null : winner));
    const cost = (ply) => {
      if (margins[ply - 1] === null || margins[ply] === null) return null;
      return (ply % 2 ? 1 : -1) * (margins[ply - 1] - margins[ply]);
    };
    const turns = (ply) => known[ply - 1] !== null && known[ply] !== null && known[ply - 1] !== known[ply];
    const better = (ply) => (best[ply] || winning[ply] || "").split(" ").filter(Boolean);
    const betterIs = (ply) => (best[ply] ? "Best" : "Would have won");
    return { winners: known, margins, better, betterIs, cost, turns, mistake: (ply) => Boolean(cost(ply)) || turns(ply) };
  }

  function showPlayer(colour, record) {
    const name = colour === 1 ? "black" : "white";
    const times = record.times.filter((_, k) => k % 2 === colour - 1);
    const total = times.reduce((sum, time) => sum + time, 0);
    at(`${name}-name`).textContent = head.players[record[name]].name;
    at(`${name}-time`).textContent = `${duration(total)} in all, longest ${duration(Math.max(0, ...times))}`;
    at(`${name}-score`).textContent = record.mark.endsWith("F") ? "" : `${record.final[colour - 1]} points`;
    at(`${name}-card`).classList.toggle("winner", record.winner === colour);
  }

  const duration = (ms) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s`);

  function costText(ply) {
    if (!game.truth || !game.truth.mistake(ply)) return "";
    const cost = game.truth.cost(ply);
    const stones = cost ? `−${cost}` : "";
    return game.truth.turns(ply) ? `${stones} ✖`.trim() : stones;
  }

  function costLabel(ply) {
    const cost = game.truth.cost(ply);
    const stones = cost ? `cost ${cost} ${cost === 1 ? "stone" : "stones"}` : "";
    return [stones, game.truth.turns(ply) ? "lost the better result" : ""].filter(Boolean).join(", ");
  }

  function showMoves() {
    at("moves").replaceChildren(
      ...game.moves.map((move, k) => {
        const ply = k + 1;
        const colour = k % 2 ? 2 : 1;
        const button = element("button", { type: "button", "data-ply": ply });
        const cost = costText(ply);
        const label = `Move ${ply}, ${NAMES[colour]} ${move}, ${duration(game.record.times[k])}${cost ? `, mistake: ${costLabel(ply)}` : ""}`;
        button.setAttribute("aria-label", label);
        button.append(
          element("span", { class: "ply" }, String(ply)),
          element("span", { class: `dot ${colour === 1 ? "black" : "white"}` }),
          element("span", { class: "move" }, move),
          element("span", { class: "cost" }, cost),
          element("span", { class: "time" }, duration(game.record.times[k])),
        );
        button.addEventListener("click", () => go(ply));
        return element("li", {}, button);
      }),
    );
  }

  function showNeighbours(record, games) {
    const k = games.indexOf(record);
    const link = (other, text) => (other ? [element("a", { href: address(record.black, record.white, other.number) }, text)] : []);
    at("neighbours").replaceChildren(...link(games[k - 1], "← Previous game"), " ", ...link(games[k + 1], "Next game →"));
  }

  function sgf(record, moves) {
    const text = (value) => value.replace(/[\\\]:]/g, "\\$&").replace(/[^\S ]/g, " ");
    const letters = "abcdefghijklmnopqrs";
    const nodes = moves.filter((move) => move !== "resign").map((move, k) => {
      const point = move === "pass" ? -1 : Board.pointOf(move, head.size);
      const name = point < 0 ? "" : letters[point % head.size] + letters[Math.floor(point / head.size)];
      return `;${k % 2 ? "W" : "B"}[${name}]`;
    });
    const names = `PB[${text(head.players[record.black].name)}]PW[${text(head.players[record.white].name)}]`;
    return `(;FF[4]GM[1]CA[UTF-8]SZ[${head.size}]KM[${head.komi}]RU[${head.rules}]${names}RE[${record.mark}]GC[${text(record.ending)}]${nodes.join("")})\n`;
  }

  // Playing it

  function go(to) {
    if (!game) return;
    place = Math.max(0, Math.min(game.moves.length, to));
    const position = game.positions[place];
    const better = game.truth && game.truth.mistake(place) ? game.truth.better(place) : [];
    Board.draw(at("board"), position, head.size, at("numbers").checked, better);
    at("slider").value = place;
    at("slider").setAttribute("aria-valuetext", `after move ${place} of ${game.moves.length}`);
    at("black-captures").textContent = `${position.captured[1]} captured`;
    at("white-captures").textContent = `${position.captured[2]} captured`;
    at("say").textContent = sentence(position, better);
    at("step").textContent = `${place} / ${game.moves.length}`;
    for (const [id, end] of [["first", 0], ["back", 0], ["next", game.moves.length], ["end", game.moves.length]]) at(id).disabled = place === end;
    for (const button of at("moves").querySelectorAll("button")) {
      if (Number(button.dataset.ply) === place) {
        button.setAttribute("aria-current", "step");
        const list = at("moves");
        const item = button.parentElement;
        list.scrollTop = item.offsetTop - list.clientHeight / 2;
      } else button.removeAttribute("aria-current");
    }
    Strip.mark(at("strip"), place);
    Printed.show(place);
  }

  function sentence(position, better) {
    if (!place) return `Start. ${Strip.value(game, head, 0)}`.trim();
    const move = game.moves[place - 1];
    const verb = move === "pass" ? "passes" : move === "resign" ? "resigns" : `plays ${move}`;
    const taken = position.taken.length ? `, taking ${position.taken.length}` : "";
    const mistake = game.truth && game.truth.mistake(place) ? ` Mistake: ${costLabel(place)}.` : "";
    const instead = better.length ? ` ${game.truth.betterIs(place)}: ${better.slice(0, 4).join(", ")}${better.length > 4 ? " …" : ""}.` : "";
    return `Move ${place}: ${NAMES[place % 2 ? 1 : 2]} ${verb}${taken}.${mistake}${instead} ${Strip.value(game, head, place)}`.trim();
  }

  function nextMistake() {
    const plies = game.moves.map((_, k) => k + 1).filter((ply) => game.truth && game.truth.mistake(ply));
    if (plies.length) go(plies.find((ply) => ply > place) ?? plies[0]);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    at("play").textContent = "Play";
  }

  function play() {
    if (timer) return stop();
    if (place >= game.moves.length) go(0);
    at("play").textContent = "Pause";
    timer = setInterval(() => (place < game.moves.length ? go(place + 1) : stop()), 700);
    return undefined;
  }

  function onKey(event) {
    // The slider handles its own keys.
    const inField = event.target.closest("select, pre") || (event.target.closest("#slider") && event.key !== "m");
    if (!game || at("game").hidden || inField || event.ctrlKey || event.altKey || event.metaKey) return;
    const keys = { ArrowLeft: () => go(place - 1), ArrowRight: () => go(place + 1), Home: () => go(0), End: () => go(game.moves.length), m: nextMistake };
    const action = keys[event.key];
    if (!action || (site.single && at("game").closest("section").hidden)) return;
    stop();
    action();
    event.preventDefault();
  }

  function listen() {
    const on = (id, kind, action) => at(id).addEventListener(kind, action);
    const stepping = { first: () => go(0), back: () => go(place - 1), next: () => go(place + 1), end: () => go(game.moves.length), mistake: nextMistake };
    for (const [id, action] of Object.entries(stepping)) on(id, "click", () => (stop(), action()));
    on("play", "click", play);
    on("slider", "input", () => (stop(), go(Number(at("slider").value))));
    on("numbers", "change", () => go(place));
    document.addEventListener("keydown", onKey);
    let start = null;
    on("board", "touchstart", (event) => (start = event.changedTouches[0].clientX));
    on("board", "touchend", (event) => {
      const far = event.changedTouches[0].clientX - start;
      stop();
      // A swipe, or a tap on the left or right half.
      const box = at("board").getBoundingClientRect();
      const forward = Math.abs(far) > 30 ? far < 0 : start > box.left + box.width / 2;
      go(place + (forward ? 1 : -1));
      event.preventDefault();
    });
    for (const id of ["choose-one", "choose-other"]) {
      on(id, "change", () => {
        const [a, b] = [Number(at("choose-one").value), Number(at("choose-other").value)];
        if (a !== b) location.hash = address(a, b);
      });
    }
  }

  async function route(event) {
    // "Skip to content" stays on the current view.
    if (location.hash === "#main") return;
    const where = wanted();
    if (where === null) return;
    stop();
    at("list").hidden = at("game").hidden = true;
    at("trouble").textContent = "";
    if (!where.pair) return;
    [at("choose-one").value, at("choose-other").value] = where.pair;
    try {
      const games = await gamesOf(where.pair);
      if (!games.length) throw new Error("These two have not played each other.");
      const record = games.find((one) => one.number === where.number);
      showList(where.pair, games, where.number);
      at("list").hidden = false;
      at("game").hidden = !record;
      if (record) {
        open(record, games);
        if (event) at("game").scrollIntoView({ block: "start" });
      }
    } catch (error) {
      at("trouble").textContent = error.message;
    }
  }

  async function begin() {
    if (!at("game")) return;
    head = await site.load("head");
    for (const [id, chosen] of [["choose-one", 0], ["choose-other", 1]]) {
      at(id).replaceChildren(...head.players.map((player, k) => element("option", { value: k }, player.name)));
      at(id).value = chosen;
    }
    listen();
    window.addEventListener("hashchange", route);
    await route();
    document.documentElement.dataset.ready = "yes";
  }

  document.addEventListener("DOMContentLoaded", begin);
  return { positions: () => game && game.positions, place: () => place };
})();
