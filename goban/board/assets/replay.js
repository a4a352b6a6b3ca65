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

  // about: the game's size, komi and rules, the names of Black and White, and that of its SGF file. Of the board that is played
  // on also its positions, save(), its SGF, grows(), whether there may be more moves, drawn(place), called with each position,
  // isSecret(), whether nobody is to know yet how it ends, and find(), which asks for its mistakes.
  function open(record, about, ply) {
    if (!about.grows) stop();
    const moves = record.moves ? record.moves.split(" ") : [];
    const before = game;
    game = { record, about, moves, positions: about.positions || Board.positions(moves, about.size), truth: readTruth(record.truth) };
    at("slider").max = moves.length;
    showSlow(record.slow);
    showMoves();
    if (!before || JSON.stringify(before.record.truth) !== JSON.stringify(record.truth) || before.moves.length !== moves.length || !about.grows) Strip.draw(at("strip"), game, about, go);
    at("strip-part").hidden = !game.truth;
    if (!about.find) at("mistake").hidden = !game.truth;
    if (!about.grows || !before || JSON.stringify([before.record.logs, before.moves.length]) !== JSON.stringify([record.logs, moves.length])) Printed.open(record, moves.length, go);
    const link = at("sgf");
    link.href = `data:application/x-go-sgf;charset=utf-8,${encodeURIComponent(about.save ? about.save() : Sgf.write(record, about, [moves]))}`;
    link.download = about.file;
    go(ply ?? opening(record));
  }

  // A game opens where it was lost, as far as that is known; a forfeit at its end.
  const opening = (record) => (record.mark.endsWith("F") ? game.moves.length : losing() ?? game.moves.length);

  // The move that lost the game: the last by which the loser gave a better result away; of a game that was lost from its start
  // the one that cost most. Where nothing is known of values it is guessed. Undefined if there is none.
  function losing() {
    const { truth, positions, record } = game;
    const own = game.moves.map((_, k) => k + 1).filter((ply) => positions[ply].colour === 3 - record.winner);
    if (!truth) return guess();
    const turned = own.filter((ply) => truth.turns(ply) && truth.winners[ply] === record.winner);
    const costly = own.filter((ply) => truth.cost(ply)).sort((one, other) => truth.cost(other) - truth.cost(one) || one - other);
    const lost = game.moves.map((_, k) => k + 1).find((ply) => truth.turns(ply) && truth.winners[ply] === 3 - positions[ply].colour);
    return turned.at(-1) ?? costly[0] ?? lost;
  }

  // The loser's move before the largest capture, the last of several.
  function guess() {
    const { positions, record, moves } = game;
    let [found, most] = [undefined, 1];
    for (let ply = 1; ply < moves.length; ply += 1) {
      const taken = positions[ply + 1].taken.length;
      if (positions[ply].colour === 3 - record.winner && positions[ply + 1].colour === record.winner && taken >= most) [found, most] = [ply, taken];
    }
    return found;
  }

  function readTruth(truth) {
    if (!truth) return null;
    const [winners, margins, best, winning] = truth;
    const known = winners.map((winner) => (winner < 0 ? null : winner));
    const cost = (ply) => {
      if (margins[ply - 1] === null || margins[ply] === null) return null;
      return (game.positions[ply].colour === 1 ? 1 : -1) * (margins[ply - 1] - margins[ply]);
    };
    const turns = (ply) => known[ply - 1] !== null && known[ply] !== null && known[ply - 1] !== known[ply];
    const better = (ply) => (best[ply] || winning[ply] || "").split(" ").filter(Boolean);
    const betterIs = (ply) => (best[ply] ? "Best" : "Would have won");
    return { winners: known, margins, better, betterIs, cost, turns, mistake: (ply) => Boolean(cost(ply)) || turns(ply) };
  }

  function showPlayer(colour) {
    const { record, about, positions } = game;
    const name = colour === 1 ? "black" : "white";
    const secret = isSecret();
    const times = record.times.filter((_, k) => positions[k + 1].colour === colour && (!secret || k < place));
    const total = times.reduce((sum, time) => sum + time, 0);
    at(`${name}-name`).textContent = about.names[colour - 1];
    at(`${name}-time`).textContent = total || !about.boards ? `${duration(total)} in all, longest ${duration(Math.max(0, ...times))}` : "";
    at(`${name}-score`).textContent = pointsAt(colour);
    at(`${name}-captures`).textContent = `${positions[place].captured[colour]} captured`;
    at(`${name}-card`).classList.toggle("winner", record.winner === colour && !secret);
    at(`${name}-card`).classList.toggle("turn", Boolean(about.grows) && positions[place].toMove === colour && !(place === game.moves.length && !growing()));
  }

  // The points of the position shown; at the end of a game those that the rules gave, if nobody forfeited.
  function pointsAt(colour) {
    const { record, about, positions, moves } = game;
    if (place === moves.length && record.mark.endsWith("F")) return "";
    const komi = colour === 2 && about.komi ? about.komi : 0;
    return `${Board.points(positions[place].cells, about.size, about.rules)[colour] + komi} points${komi ? `, komi ${komi}` : ""}`;
  }

  const isSecret = () => Boolean(game.about.isSecret && game.about.isSecret());

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
    const content = [game.moves, game.record.times, game.positions.map((one) => one.colour), game.record.truth];
    fill(at("moves"), content, () => game.moves.map((_, k) => moveItem(k + 1)));
  }

  function moveItem(ply) {
    const { moves, positions, record } = game;
    const move = moves[ply - 1];
    const colour = positions[ply].colour;
    const cost = costText(ply);
    const hidden = (text) => element("span", { class: "aside" }, text);
    const time = game.about.boards ? "" : duration(record.times[ply - 1]);
    const button = element("button", { type: "button", "data-ply": ply, "data-key": ply });
    button.append(
      element("span", { class: "ply" }, hidden("Move "), String(ply), hidden(", ")),
      element("span", { class: `dot ${["none", "black", "white"][colour]}` }, hidden(`${NAMES[colour]} `)),
      element("span", { class: "move" }, move, hidden(", ")),
      element("span", { class: "cost" }, element("span", { "aria-hidden": "true" }, cost), ...(cost ? [hidden(`mistake: ${costLabel(ply)}, `)] : [])),
      element("span", { class: "time" }, time),
    );
    button.addEventListener("click", () => go(ply));
    return element("li", {}, button);
  }

  // Playing it

  function go(to) {
    if (!game) return;
    place = Math.max(0, Math.min(game.moves.length, to));
    const position = game.positions[place];
    const better = game.truth && game.truth.mistake(place) ? game.truth.better(place) : [];
    const secret = isSecret();
    at("game-ending").textContent = secret ? "" : game.record.ending;
    at("game-turning").textContent = secret ? "" : game.record.turning;
    for (const colour of [1, 2]) showPlayer(colour);
    Board.draw(at("board"), position, game.about.size, at("numbers").checked, better);
    at("slider").value = place;
    at("slider").setAttribute("aria-valuetext", `after move ${place} of ${game.moves.length}`);
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
    if (!position.colour) return `Move ${place}: stones are set up. ${Strip.value(game, game.about, place)}`.trim();
    const verb = move === "pass" ? "passes" : move === "resign" ? "resigns" : `plays ${move}`;
    const taken = position.taken.length ? `, taking ${position.taken.length}` : "";
    const mistake = game.truth && game.truth.mistake(place) ? ` Mistake: ${costLabel(place)}.` : "";
    const instead = better.length ? ` ${game.truth.betterIs(place)}: ${better.slice(0, 4).join(", ")}${better.length > 4 ? " …" : ""}.` : "";
    const guessed = !game.truth && !game.record.mark.endsWith("F") && place === guess() ? " The largest capture follows; what moves are worth is not known here." : "";
    return `Move ${place}: ${NAMES[position.colour]} ${verb}${taken}.${mistake}${instead}${guessed} ${Strip.value(game, game.about, place)}`.trim();
  }

  const mistakes = () => game.moves.map((_, k) => k + 1).filter((ply) => game.truth && game.truth.mistake(ply));

  function nextMistake() {
    if (!game.truth && game.about.find) game.about.find();
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

  // The mistakes that are known, the largest first: those that lost the better result, then by stones.
  function worst() {
    const all = mistakes().map((ply) => ({ ply, move: game.moves[ply - 1], colour: game.positions[ply].colour, cost: game.truth.cost(ply) ?? 0, turns: game.truth.turns(ply), said: costLabel(ply) }));
    return all.sort((one, other) => Number(other.turns) - Number(one.turns) || other.cost - one.cost || one.ply - other.ply);
  }

  return { open, listen, listenToTouch, worst, losing, position: () => game.positions[place], mistakesKnown: () => Boolean(game && game.truth), stop, play, go, recordOf, duration, place: () => place, count: () => game.moves.length, playing: () => timer !== 0 };
})();
