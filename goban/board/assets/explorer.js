// The opening tree: what is known of each position, looked up by its board however it is turned, and a board to walk through it.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { size, rules } = data;
  const NAMES = ["nobody", "Black", "White"];
  const at = (id) => document.getElementById(id);
  const svg = at("board");
  let chosen = 0;
  let moves = [];
  let place = 0;

  // The eight ways to read a board.
  const TURNS = (() => {
    const points = Array.from({ length: size * size }, (_, k) => k);
    const turned = (turn) => points.map((k) => turn[(k % size) * size + size - 1 - Math.floor(k / size)]);
    const mirrored = (turn) => points.map((k) => turn[Math.floor(k / size) * size + size - 1 - (k % size)]);
    const four = [points];
    for (let k = 0; k < 3; k += 1) four.push(turned(four[k]));
    return [...four, ...four.map(mirrored)];
  })();

  function keyOf(cells, toMove, passed) {
    const boards = TURNS.map((turn) => turn.map((k) => cells[k]).join(""));
    return `${boards.reduce((least, one) => (one < least ? one : least))}${toMove}${passed ? "p" : ""}`;
  }

  const positionAt = (line) => Board.positions(line, size)[line.length];

  // [winner or null, margin or null, least, most] of the position after a line, null if this page does not have it.
  function known(line) {
    const { cells, toMove } = positionAt(line);
    return rules[chosen].values[keyOf(cells, toMove, line[line.length - 1] === "pass")] || null;
  }

  const signed = (number) => (number > 0 ? `+${number}` : String(number).replace("-", "−"));

  function said(value) {
    if (!value) return "This page goes no further here.";
    const [winner, margin, least, most] = value;
    if (winner === 0) return "A tie.";
    const komi = rules[chosen].komi;
    if (winner !== null) return `${NAMES[winner]} wins${margin === null ? ", by how much is unknown here" : ` by ${Math.abs(margin - komi)}`}.`;
    return `Unknown: Black's points less White's lie between ${signed(least)} and ${signed(most)}.`;
  }

  // What a move is worth to who makes it: [3 win .. 0 loss or unknown, points]; bigger is better.
  function rank(value, colour) {
    if (!value || value[0] === null) return [0.5, -Infinity];
    const rate = value[0] === 0 ? 1 : value[0] === colour ? 2 : 0;
    const lead = value[1] === null ? -Infinity : (value[1] - rules[chosen].komi) * (colour === 1 ? 1 : -1);
    return [rate, lead];
  }

  const better = (one, other) => one[0] > other[0] || (one[0] === other[0] && one[1] > other[1]);

  // Every move of the position shown that may be played: name, value, rank, text.
  function choices(line, position) {
    const names = position.cells.flatMap((stone, point) => (stone ? [] : [Board.nameOf(point, size)]));
    if (rules[chosen].passing && line.length) names.push("pass");
    return names.flatMap((name) => {
      const after = positionAt([...line, name]);
      const point = name === "pass" ? -1 : Board.pointOf(name, size);
      if (point >= 0 && !after.cells[point]) return [];
      const over = name === "pass" && line[line.length - 1] === "pass";
      const value = over ? null : known([...line, name]);
      if (!value) return [];
      const worth = rank(value, position.toMove);
      const text = value[0] === null ? "?" : value[1] === null ? ["loss", "tie", "win"][worth[0]] : signed(worth[1]);
      return [{ name, value, worth, text }];
    });
  }

  function show() {
    const line = moves.slice(0, place);
    const position = positionAt(line);
    const all = choices(line, position);
    const best = all.reduce((most, one) => (most === null || better(one.worth, most) ? one.worth : most), null);
    const isBest = (one) => one.value[0] !== null && !better(best, one.worth);
    const worth = {};
    for (const one of all) {
      if (one.name !== "pass") worth[one.name] = { text: one.text, label: said(one.value).slice(0, -1) + (isBest(one) ? ", none is better" : ""), best: isBest(one), loses: one.value[0] !== null && one.worth[0] < best[0] };
    }
    Board.draw(svg, position, size, false, []);
    Points.draw(svg, position, size, {
      colour: all.length ? position.toMove : 0, refused: {}, worth, line: [], first: 1, signs: {},
      choose: (name) => all.some((one) => one.name === name) && play(name), confirm: () => false, ask: () => {},
    });
    at("say").textContent = `${NAMES[position.toMove]} to move. ${said(known(line))}`;
    at("way").textContent = line.length ? `Moves: ${line.join(" ")}` : "The empty board.";
    at("about").textContent = rules[chosen].about;
    at("first").disabled = at("back").disabled = !place;
    at("next").disabled = place === moves.length;
    at("pass").disabled = !all.some((one) => one.name === "pass");
    at("best").disabled = !all.some(isBest);
    at("best").dataset.move = (all.find(isBest) || { name: "" }).name;
    list(all, isBest, position.toMove);
  }

  function list(all, isBest) {
    const groups = new Map();
    const order = [...all].sort((one, other) => (better(one.worth, other.worth) ? -1 : better(other.worth, one.worth) ? 1 : 0));
    for (const one of order) groups.set(said(one.value), [...(groups.get(said(one.value)) || []), one]);
    fill(at("moves-of"), [place, chosen, [...groups.keys()], moves.slice(0, place)], () => [...groups].map(([text, group]) => {
      const buttons = group.flatMap(({ name }) => {
        const button = element("button", { type: "button", "data-key": name }, name);
        button.addEventListener("click", () => play(name));
        return [button, " "];
      });
      return element("li", isBest(group[0]) ? { class: "best" } : {}, element("span", {}, `${text.slice(0, -1)}: `), ...buttons);
    }));
  }

  function play(name) {
    if (moves[place] !== name) moves = [...moves.slice(0, place), name];
    go(place + 1);
  }

  function go(to) {
    place = Math.max(0, Math.min(moves.length, to));
    show();
  }

  function choose(number) {
    if (number >= rules.length) return;
    chosen = number;
    at("rules").value = String(number);
    // What cannot be played by these rules is left.
    const passed = moves.indexOf("pass");
    if (!rules[number].passing && passed >= 0) moves = moves.slice(0, passed);
    go(place);
  }

  const BUTTONS = { first: () => go(0), back: () => go(place - 1), next: () => go(place + 1), pass: () => play("pass"), best: () => play(at("best").dataset.move) };
  const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", b: "best", p: "pass" };
  for (const [id, action] of Object.entries(BUTTONS)) at(id).addEventListener("click", action);
  rules.forEach((one, k) => at("rules").append(element("option", { value: k }, one.name)));
  at("rules").addEventListener("change", () => choose(Number(at("rules").value)));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("select, input")) return;
    const id = KEYS[event.key];
    if (id && !at(id).disabled) BUTTONS[id]();
    else if (/^[1-9]$/.test(event.key)) choose(Number(event.key) - 1);
    else return;
    event.preventDefault();
  });
  Points.listen(svg, (steps) => go(place + steps));
  show();
})();
