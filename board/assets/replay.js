// One game: the board that plays it forward and back, its moves, its players and what its moves were worth.
"use strict";

const Replay = (() => {
  const NAMES = ["", "Black", "White"];
  // A game as a list of values; see `board.views`.
  const FIELDS = ["number", "black", "white", "winner", "mark", "ending", "moves", "times", "final", "turning", "truth", "logs", "slow"];
  let game = null;
  let place = 0;
  let timer = 0;

  const at = (id) => document.getElementById(id);
  const duration = (ms) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s`);
  const recordOf = (values) => Object.fromEntries(FIELDS.map((field, k) => [field, values[k]]));

  // about: the game's size, komi and rules, the names of Black and White, and that of its SGF file. Of a game that is being
  // played also its lines (see Sgf), grows(), whether there may be more moves, and drawn(place), called with each position.
  function open(record, about, ply) {
    if (!about.grows) stop();
    const moves = record.moves ? record.moves.split(" ") : [];
    game = { record, about, moves, positions: Board.positions(moves, about.size), truth: readTruth(record.truth) };
    at("game-ending").textContent = record.ending;
    at("game-turning").textContent = record.turning;
    at("slider").max = moves.length;
    for (const colour of [1, 2]) showPlayer(colour, record);
    showSlow(record.slow);
    showMoves();
    Strip.draw(at("strip"), game, about, go);
    at("strip-part").hidden = !game.truth;
    at("mistake").hidden = !game.truth;
    Printed.open(record, moves.length, go);
    const link = at("sgf");
    link.href = `data:application/x-go-sgf;charset=utf-8,${encodeURIComponent(Sgf.write(record, about, about.lines || [moves]))}`;
    link.download = about.file;
    go(ply ?? opening(record));
  }

  // A game opens where it was lost, as far as that is known; a forfeit at its end.
  function opening(record) {
    const count = game.moves.length;
    if (!game.truth || record.mark.endsWith("F")) return count;
    const plies = game.moves.map((_, k) => k + 1);
    return plies.find((ply) => game.truth.turns(ply) && game.truth.winners[ply] === (ply % 2 ? 2 : 1)) ?? count;
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
    at(`${name}-name`).textContent = game.about.names[colour - 1];
    at(`${name}-time`).textContent = `${duration(total)} in all, longest ${duration(Math.max(0, ...times))}`;
    at(`${name}-score`).textContent = record.mark.endsWith("F") ? "" : `${record.final[colour - 1]} points`;
    at(`${name}-card`).classList.toggle("winner", record.winner === colour);
  }

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

  // Of a game that ended by a time-out: what that answer took, what the player's others took, and how to ask it again.
  function showSlow(slow) {
    at("slow").hidden = !slow;
    if (!slow) return;
    const [sentence, others, asks, replays] = slow;
    const times = others.map(([ply, ms]) => `move ${ply} ${(ms / 1000).toFixed(2)} s`).join(", ");
    at("slow").replaceChildren(
      element("h3", {}, "Out of time"), element("p", {}, sentence), ...(times ? [element("p", {}, `Its other answers in this game: ${times}.`)] : []),
      ...commands("To ask it again, in the folder of its files:", asks.join("\n")), ...commands("To play the whole game again, beside the results:", replays),
    );
  }

  const commands = (what, lines) => (lines ? [element("p", {}, what), element("pre", { dir: "ltr", tabindex: "0" }, lines)] : []);

  function showMoves() {
    at("moves").replaceChildren(
      ...game.moves.map((move, k) => {
        const ply = k + 1;
        const colour = k % 2 ? 2 : 1;
        const button = element("button", { type: "button", "data-ply": ply });
        const cost = costText(ply);
        const hidden = (text) => element("span", { class: "aside" }, text);
        button.append(
          element("span", { class: "ply" }, hidden("Move "), String(ply), hidden(", ")),
          element("span", { class: `dot ${colour === 1 ? "black" : "white"}` }, hidden(`${NAMES[colour]} `)),
          element("span", { class: "move" }, move, hidden(", ")),
          element("span", { class: "cost" }, element("span", { "aria-hidden": "true" }, cost), ...(cost ? [hidden(`mistake: ${costLabel(ply)}, `)] : [])),
          element("span", { class: "time" }, duration(game.record.times[k])),
        );
        button.addEventListener("click", () => go(ply));
        return element("li", {}, button);
      }),
    );
  }

  // Playing it

  function go(to) {
    if (!game) return;
    place = Math.max(0, Math.min(game.moves.length, to));
    const position = game.positions[place];
    const better = game.truth && game.truth.mistake(place) ? game.truth.better(place) : [];
    Board.draw(at("board"), position, game.about.size, at("numbers").checked, better);
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
    if (game.about.drawn) game.about.drawn(place);
  }

  function sentence(position, better) {
    if (!place) return `Start. ${Strip.value(game, game.about, 0)}`.trim();
    const move = game.moves[place - 1];
    const verb = move === "pass" ? "passes" : move === "resign" ? "resigns" : `plays ${move}`;
    const taken = position.taken.length ? `, taking ${position.taken.length}` : "";
    const mistake = game.truth && game.truth.mistake(place) ? ` Mistake: ${costLabel(place)}.` : "";
    const instead = better.length ? ` ${game.truth.betterIs(place)}: ${better.slice(0, 4).join(", ")}${better.length > 4 ? " …" : ""}.` : "";
    return `Move ${place}: ${NAMES[place % 2 ? 1 : 2]} ${verb}${taken}.${mistake}${instead} ${Strip.value(game, game.about, place)}`.trim();
  }

  const mistakes = () => game.moves.map((_, k) => k + 1).filter((ply) => game.truth && game.truth.mistake(ply));

  function nextMistake() {
    const plies = mistakes();
    if (plies.length) go(plies.find((ply) => ply > place) ?? plies[0]);
  }

  function lastMistake() {
    const plies = mistakes().reverse();
    if (plies.length) go(plies.find((ply) => ply < place) ?? plies[0]);
  }

  const press = (id) => () => at(id) && at(id).click();

  function stop() {
    clearInterval(timer);
    timer = 0;
    at("play").textContent = "Play";
  }

  const growing = () => Boolean(game.about.grows && game.about.grows());

  function play() {
    if (timer) return stop();
    if (place >= game.moves.length && !growing()) go(0);
    at("play").textContent = "Pause";
    timer = setInterval(() => (place < game.moves.length ? go(place + 1) : growing() || stop()), 700);
    return undefined;
  }

  const KEYS = {
    ArrowLeft: () => go(place - 1), ArrowRight: () => go(place + 1), Home: () => go(0), End: () => go(game.moves.length),
    m: nextMistake, M: lastMistake, n: press("next-game"), p: press("previous-game"), l: press("to-pair"),
    "#": press("numbers"), s: press("sgf"), "?": press("keys-summary"),
  };

  function onKey(event) {
    if (!game || at("game").closest("[hidden]")) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    // The slider handles its own keys, and so does whatever text is typed into.
    const typed = event.target.closest("select, pre, input:not([type=range], [type=checkbox])");
    const sliding = event.target.closest("#slider") && event.key.length > 1;
    if (event.key === " " && !event.target.closest("a, button, input, summary, select, pre")) {
      play();
      event.preventDefault();
    } else if (KEYS[event.key] && !typed && !sliding) {
      stop();
      KEYS[event.key]();
      event.preventDefault();
    }
  }

  function listen() {
    const on = (id, kind, action) => at(id).addEventListener(kind, action);
    const stepping = { first: () => go(0), back: () => go(place - 1), next: () => go(place + 1), end: () => go(game.moves.length), mistake: nextMistake };
    for (const [id, action] of Object.entries(stepping)) on(id, "click", () => (stop(), action()));
    on("play", "click", play);
    on("slider", "input", () => (stop(), go(Number(at("slider").value))));
    on("numbers", "change", () => go(place));
    document.addEventListener("keydown", onKey);
  }

  // On a board that nobody plays on: a swipe, or a tap on the left or right half.
  function listenToTouch() {
    let start = null;
    at("board").addEventListener("touchstart", (event) => (start = event.changedTouches[0].clientX));
    at("board").addEventListener("touchend", (event) => {
      const far = event.changedTouches[0].clientX - start;
      stop();
      const box = at("board").getBoundingClientRect();
      const forward = Math.abs(far) > 30 ? far < 0 : start > box.left + box.width / 2;
      go(place + (forward ? 1 : -1));
      event.preventDefault();
    });
  }

  return { open, listen, listenToTouch, stop, play, go, recordOf, duration, place: () => place, count: () => game.moves.length, playing: () => timer !== 0 };
})();
