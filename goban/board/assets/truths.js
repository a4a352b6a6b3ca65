// What moves are worth while a game is played, where the solver knows: for a hint, for every move, as a list to walk through the
// game by, and for a whole game with its mistakes.
"use strict";

const Truths = (() => {
  let state = null;
  let hinted = -1;
  let explained = -1;
  let asked = "";
  let send = () => {};
  // Moves that lead to a position -> what is known of the moves there.
  const found = new Map();

  const at = (id) => document.getElementById(id);
  const key = (place) => `${state.rules} ${state.size} ${state.begun || ""} ${state.boards ? state.boards.slice(0, place + 1).join(" ") : state.record[6].split(" ").slice(0, place).join(" ")}`;
  const known = (place) => (state && found.get(key(place))) || null;
  const signed = (lead) => (lead > 0 ? `+${lead}` : String(lead).replace("-", "−"));
  const better = (one, other) => one[0] > other[0] || (one[0] === other[0] && (one[1] ?? -Infinity) > (other[1] ?? -Infinity));

  function forget() {
    state = null;
    hinted = explained = -1;
    asked = "";
  }

  // The server has said something of the game.
  function news(answer) {
    state = answer;
    if (state.values) found.set(key(state.values.number), state.values);
    for (const id of ["hint", "why", "truth", "teach", "mistake"]) at(id).toggleAttribute("disabled", !state.solvable);
    at("why-not").textContent = state.why_not;
    at("why-not").hidden = state.solvable;
  }

  // Another position is shown: ask what it is worth, if that is wanted.
  function moved(place) {
    if (!state.solvable) return tell();
    if (place !== explained) explained = -1;
    const values = known(place);
    const enough = values && (values.done || values.error || (state.values && state.values.number === place));
    const over = state.over && !state.boards && place === Replay.count();
    if ((at("truth").checked || hinted === place) && !enough && !over && asked !== key(place)) {
      asked = key(place);
      send({ do: "values", number: place });
    }
    return tell();
  }

  function bestOf(values) {
    const all = Object.values(values.moves);
    return all.reduce((best, one) => (best === null || better(one, best) ? one : best), null);
  }

  // The moves to mark in a position: all of them, or for a hint the best ones.
  function worth(place, toMove) {
    const values = known(place);
    if (!values || !(at("truth").checked || hinted === place)) return {};
    const best = bestOf(values);
    const marks = {};
    const keys = marked(place);
    for (const [name, one] of Object.entries(values.moves)) {
      const isBest = !better(best, one);
      const key = keys.indexOf(name) + 1;
      if (isBest || at("truth").checked) marks[name] = mark(one, best, isBest, toMove, key && key < 10 ? String(key) : "");
    }
    return marks;
  }

  // The moves that are marked, the best first: number keys play them.
  function marked(place) {
    const values = known(place);
    if (!values || !(at("truth").checked || hinted === place)) return [];
    const best = bestOf(values);
    return sorted(values).flatMap(([name, one]) => (at("truth").checked || !better(best, one) ? [name] : []));
  }

  const sorted = (values) => Object.entries(values.moves).sort(([, one], [, other]) => (better(one, other) ? -1 : better(other, one) ? 1 : 0));

  function mark([rate, lead], best, isBest, toMove, key) {
    const text = lead === null ? { 1: "win", 0: "loss" }[rate] ?? "tie" : signed(lead);
    const cost = lead === null || best[1] === null ? 0 : best[1] - lead;
    const label = `${result(rate, lead, toMove)}${cost ? `, costs ${cost}` : ""}${isBest ? ", none is better" : ""}`;
    return { text, label, best: isBest, loses: rate < best[0], key };
  }

  function result(rate, lead, toMove) {
    if (rate === 0.5) return "a tie";
    const winner = (rate === 1) === (toMove === 1) ? "Black" : "White";
    return `${winner} wins${lead === null ? "" : ` by ${Math.abs(lead)}`}`;
  }

  // All moves whose worth is known, those of equal worth together, best first; none where it is not asked for.
  function groups(place, toMove) {
    const values = known(place);
    if (!values || !at("truth").checked) return [];
    const found = new Map();
    for (const [name, one] of sorted(values)) {
      const said = result(one[0], one[1], toMove);
      found.set(said, [...(found.get(said) || []), name]);
    }
    return [...found].map(([said, moves]) => ({ said, moves, best: !better(bestOf(values), values.moves[moves[0]]) }));
  }

  // choose(move) is called with a move of the list.
  function list(place, toMove, choose) {
    const all = groups(place, toMove);
    at("explorer-part").hidden = !all.length;
    fill(at("explorer"), [place, all], () => all.map(({ said, best, moves }) => {
      const buttons = moves.flatMap((move) => {
        const button = element("button", { type: "button", "data-move": move, "data-key": move }, move);
        button.addEventListener("click", () => choose(move));
        return [button, " "];
      });
      return element("li", best ? { class: "best" } : {}, element("span", {}, `${said}: `), ...buttons);
    }));
  }

  // The mistakes of the game, in order of size.
  function listMistakes() {
    const all = Replay.mistakesKnown() ? Replay.worst() : [];
    at("mistakes-part").hidden = !all.length;
    fill(at("mistakes"), all, () => all.map((one) => {
      const button = element("button", { type: "button", "data-key": one.ply }, `Move ${one.ply}, ${["", "Black", "White"][one.colour]} ${one.move}`);
      button.addEventListener("click", () => Replay.go(one.ply));
      return element("li", {}, button, ` ${one.said}`);
    }));
  }

  const line = (place) => (state && state.line && state.line.number === place && explained === place ? state.line.line : []);

  function sentence(place) {
    const values = known(place);
    if (explained === place && state.line && state.line.number === place) {
      if (state.line.error) return state.line.error;
      if (!state.line.done) return "Looking for the line …";
      return `${state.line.exact ? "Best play" : "One way to keep the result"}: ${state.line.line.join(" ")}.`;
    }
    if (!at("truth").checked && hinted !== place) return "";
    if (!values) return place === Replay.count() && state.over && !state.boards ? "" : "Looking …";
    if (values.error) return values.error;
    const best = bestOf(values);
    const toMove = Replay.position().toMove;
    if (values.bounds && !(best && best[0] === 1)) return `Unknown: Black's points less White's lie between ${signed(values.bounds[0])} and ${signed(values.bounds[1])}.`;
    // Before all moves are known, only a win is certain.
    const certain = best && (best[0] === 1 || Object.keys(values.moves).length === values.of);
    return certain ? `With best play ${result(best[0], values.done ? best[1] : null, toMove)}.${values.done ? "" : " Looking by how much …"}` : "Looking …";
  }

  function tell() {
    if (!state) return;
    const said = sentence(Replay.place());
    if (at("value").textContent !== said) at("value").textContent = said;
    at("play-line").hidden = !line(Replay.place()).length;
    at("analyse").disabled = !state.solvable || state.analysing || Boolean(state.record[10]);
    at("analyse").textContent = state.analysing ? "Looking for mistakes …" : "Find mistakes";
    at("mistake").disabled = !state.solvable || state.analysing || !Replay.count();
    at("mistake").hidden = false;
    listMistakes();
    at("challenge-said").textContent = isChallenge() ? challengeSaid() : "";
  }

  const isChallenge = () => state.solvable && !state.boards && state.people[0] && state.names[1] === "perfect" && state.rules === "course" && state.size === 5;

  // How far Black got: the moves that kept the win, up to the first that let it go.
  function challengeSaid() {
    const moves = state.record[6] ? state.record[6].split(" ") : [];
    if (!state.over) return "You can win, by half a point, if every move of yours is right.";
    if (state.record[3] === 1) return "You have beaten perfect play.";
    if (!state.record[10]) {
      if (!state.analysing && asked !== "game") {
        asked = "game";
        send({ do: "game", number: moves.length });
      }
      return "Looking how far you got …";
    }
    const winners = state.record[10][0];
    const ply = moves.findIndex((_, k) => k % 2 === 0 && winners[k + 1] === 2) + 1;
    return ply ? `You kept the win for ${(ply - 1) / 2} moves. Then ${moves[ply - 1]}, move ${ply}, let it go: see it with “Next mistake”.` : "You gave up a game that was still won.";
  }

  // Ask for the mistakes of the whole game.
  const find = () => state.solvable && !state.analysing && send({ do: "game", number: Replay.count() });

  // What a position teaches, if its values are known.
  const lesson = (place) => (known(place) && known(place).lesson) || null;

  // sendTo(request) asks the server about the game; challenge() begins one.
  function listen(sendTo, challenge) {
    send = sendTo;
    const on = (id, action) => at(id).addEventListener("click", action);
    on("truth", () => Play.redraw());
    on("hint", () => {
      hinted = Replay.place();
      Play.redraw();
    });
    on("why", () => {
      explained = Replay.place();
      send({ do: "line", number: explained });
    });
    on("analyse", find);
    on("challenge", challenge);
  }

  return { forget, news, moved, worth, marked, list, line, find, lesson, listen };
})();
