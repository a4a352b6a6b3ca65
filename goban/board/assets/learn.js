// A table that learns: how it does, what its moves are worth to it, and what it has visited. The server tells all of it; what a
// page chooses to look at stands in its address, so that it is still there when the page is loaded again.
"use strict";

(() => {
  const SIZE = 5;
  const LOOKS = 18;
  const NAMES = ["", "Black (X)", "White (O)"];
  const UNIT = Board.UNIT;
  const at = (id) => document.getElementById(id);
  const percent = (share) => `${Math.round(100 * share)} %`;
  const hundredths = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(Math.round(100 * value))}`;
  const number = (value) => value.toLocaleString("en");
  const offer = JSON.parse(at("data").textContent);
  // The newest that the server has said: how far it is, and what the last look has found out.
  let state = { version: -1, games: 0, left: null, ending: "", looks: [], met: [], boards: [] };
  // Of `state.boards`, and of its positions.
  let chosen = [0, 0];

  // The lines of the curve: {name, kind, of(look)}; an opponent's are of one colour and shape, filled where the learner is Black.
  const opponents = [...new Set(offer.cells.map((cell) => cell.split(" ")[0]))];
  const cells = offer.cells.map((cell, k) => {
    const [name, sign] = cell.split(" ");
    const kind = opponents.indexOf(name);
    return { name: `against ${name}, as ${sign === "X" ? "Black" : "White"}`, kind, colour: sign === "X" ? "black" : "white", of: (look) => look[1][k] };
  });
  const kept = { name: "kept wins: won positions in which its move wins, too, by the exact truth", kind: -1, colour: "black", of: (look) => look[2] };
  const lines = offer.why_not ? cells : [...cells, kept];
  const style = (line) => (line.kind < 0 ? "kept" : `c${line.kind % 4}`);

  function show(answer) {
    const isNew = Boolean(answer.looks);
    state = { ...state, ...answer };
    tellProgress();
    if (isNew) draw();
    at("main").dataset.version = state.version;
  }

  function tellProgress() {
    const { games, left, ending } = state;
    const stays = left === null ? "" : `, ${left} s left`;
    at("progress-text").textContent = `${number(games)} of ${number(offer.games)} games${stays}`;
    at("progress").max = offer.games;
    at("progress").value = games;
    // Who has pressed the button is not to lose the focus with it.
    if (ending && document.activeElement === at("stop")) at("boards").focus();
    at("stop").hidden = Boolean(ending);
    if (at("ending").textContent !== ending) at("ending").textContent = ending && `${ending}. Ctrl-C in the terminal ends the program.`;
  }

  function draw() {
    drawCurve();
    drawEntries();
    drawFigures();
    fill(at("boards"), state.boards.map((board) => board.title), () => state.boards.map((board, k) => element("option", { value: k }, board.title)));
    drawBoard();
  }

  // A drawing of as many units as it has pixels, so that its words are as large on every window.
  function paper(svg) {
    const { width, height } = svg.getBoundingClientRect();
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    return { width, height };
  }

  const words = (text, attributes) => Board.make("text", attributes, text);

  function drawCurve() {
    const svg = at("curve");
    const { width, height } = paper(svg);
    const [left, right, top, bottom] = [66, width - 14, 12, height - 40];
    const x = (games) => left + ((right - left) * games) / offer.games;
    const y = (share) => bottom - (bottom - top) * share;
    const parts = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
      Board.make("path", { class: share ? "tick" : "axis", d: `M${left} ${y(share)}H${right}` }),
      words(percent(share), { x: left - 6, y: y(share) + 4, "text-anchor": "end" }),
    ]);
    const steps = [...Array(width < 500 ? 3 : 5).keys()].map((k, _, all) => Math.round((offer.games * k) / (all.length - 1)));
    for (const games of new Set(steps)) parts.push(words(number(games), { x: x(games), y: bottom + 16, "text-anchor": games === offer.games ? "end" : "middle" }));
    parts.push(words("games learned from", { x: (left + right) / 2, y: height - 6, "text-anchor": "middle" }));
    parts.push(words("games won, wins kept", { transform: `translate(14 ${(top + bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }));
    for (const line of lines) {
      const points = state.looks.map((look) => [x(look[0]), y(line.of(look))]);
      if (points.length) parts.push(Board.make("path", { class: `line-of ${style(line)} ${line.colour}`, d: `M${points.map((point) => point.join(" ")).join("L")}` }));
      state.looks.forEach((look, k) => parts.push(mark(line, ...points[k], `${number(look[0])} games, ${line.name.split(":")[0]}: ${percent(line.of(look))}`)));
    }
    svg.replaceChildren(...parts);
    const last = state.looks[state.looks.length - 1];
    svg.setAttribute("aria-label", last ? `After ${number(last[0])} games: ${lines.map((line) => `${line.name.split(":")[0]} ${percent(line.of(last))}`).join(", ")}` : "No figures yet");
    fill(at("lines"), [last && lines.map((line) => line.of(last))], () => legend(last));
    at("why-not").hidden = !offer.why_not;
    at("why-not").textContent = offer.why_not;
  }

  // Where a line has been measured; opponents have shapes, so that they can be told apart without colours.
  function mark(line, x, y, title) {
    const shapes = [`M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0`, `M${x - 4} ${y - 4}h8v8h-8z`, `M${x - 5} ${y + 4}h10l-5 -9z`, `M${x} ${y - 6}l5 6l-5 6l-5 -6z`, `M${x - 4} ${y - 4}l8 8m0 -8l-8 8`];
    const made = Board.make("path", { class: `mark-of ${style(line)} ${line.colour}`, d: shapes[line.kind < 0 ? 4 : line.kind % 4] });
    if (title) made.append(Board.make("title", {}, title));
    return made;
  }

  function legend(last) {
    const items = lines.map((line) => {
      const sample = Board.make("svg", { viewBox: "0 0 42 16", "aria-hidden": "true" }, Board.make("path", { class: `line-of ${style(line)} ${line.colour}`, d: "M0 8H42" }), mark(line, 21, 8));
      return element("li", {}, sample, `${line.name}${last ? `: ${percent(line.of(last))}` : ""}`);
    });
    return offer.why_not ? [...items, element("li", { class: "none" }, "kept wins, by the exact truth")] : items;
  }

  function drawEntries() {
    const svg = at("entries");
    const { width, height } = paper(svg);
    const [left, bottom, top] = [10, height - 34, 18];
    const most = Math.max(...state.met, 1);
    const step = (width - 2 * left) / Math.max(state.met.length, 1);
    const parts = [Board.make("path", { class: "axis", d: `M${left} ${bottom}H${width - left}` })];
    state.met.forEach((count, k) => {
      const high = ((bottom - top) * count) / most;
      const title = Board.make("title", {}, `${number(count)} entries after ${k + 1} moves`);
      parts.push(Board.make("rect", { class: "bar-of", x: left + step * (k + 0.1), y: bottom - high, width: 0.8 * step, height: high }, title));
      if (k % (width < 500 ? 4 : 2) === 0) parts.push(words(String(k + 1), { x: left + step * (k + 0.5), y: bottom + 14, "text-anchor": "middle" }));
    });
    parts.push(words("moves made", { x: width / 2, y: height - 5, "text-anchor": "middle" }));
    parts.push(words(`at most ${number(most)}`, { x: left, y: 13 }));
    svg.replaceChildren(...parts);
    const total = state.met.reduce((sum, count) => sum + count, 0);
    const said = `${number(total)} entries were learned from at least once, by the number of moves made.`;
    at("entries-text").textContent = said;
    svg.setAttribute("aria-label", said);
  }

  function drawFigures() {
    fill(at("figures"), state.looks, () => {
      const row = (kind, head, rest) => element("tr", {}, element("th", { scope: kind, class: "number" }, head), ...rest);
      const heads = [...offer.cells, ...(offer.why_not ? [] : ["kept wins"]), "entries"];
      const cell = (text) => element("td", { class: "number" }, text);
      return [
        element("caption", { class: "aside" }, "What each look at it has found out"),
        element("thead", {}, row("col", "games", heads.map((name) => element("th", { scope: "col", class: "number" }, name)))),
        element("tbody", {}, ...state.looks.map((look) => row("row", number(look[0]), [...lines.map((line) => cell(percent(line.of(look)))), cell(number(look[3]))]))),
      ];
    });
  }

  function drawBoard() {
    if (!state.boards.length) return;
    const board = state.boards[Math.min(chosen[0], state.boards.length - 1)];
    const turns = board.positions.length;
    const place = Math.min(chosen[1], turns - 1);
    at("boards").value = String(state.boards.indexOf(board));
    at("turn").max = String(turns - 1);
    at("turn").value = String(place);
    at("turn-part").hidden = turns < 2;
    at("turn-text").textContent = `${place + 1} of ${turns}`;
    const position = board.positions[place];
    const cells = [...position.cells].map(Number);
    const last = position.last ? Board.pointOf(position.last, SIZE) : -1;
    Board.draw(at("board"), { cells, numbers: cells.map(() => 0), taken: [], last }, SIZE, false, []);
    const layer = at("board").querySelector(".moves-of") || at("board").appendChild(Board.make("g", { class: "moves-of" }));
    Board.patch(layer, Object.entries(position.moves).map(([name, [value, met]]) => [`${name} ${value} ${met} ${name === position.chosen}`, () => move(name, value, met, name === position.chosen)]));
    const [value, met] = position.moves[position.chosen];
    at("say").textContent = `${NAMES[position.to_move]} to move after ${position.move} moves. It would play ${position.chosen}, worth ${hundredths(value)} to it; ${met} of ${LOOKS} looks learned from.`;
  }

  function move(name, value, met, isChosen) {
    const [x, y] = Board.centre(Board.pointOf(name, SIZE), SIZE);
    const label = `${name}: ${hundredths(value)}, ${met} of ${LOOKS} looks learned from${isChosen ? ", its move" : ""}`;
    const made = Board.make("g", { class: "move", role: "img", "aria-label": label }, Board.make("title", {}, label));
    if (isChosen) made.append(Board.make("rect", { x: x - 18.5, y: y - 18.5, width: 37, height: 37, rx: 4 }));
    made.append(Board.make("circle", { class: `w${Math.round(5 * (value + 1))}`, cx: x, cy: y, r: 15 }));
    // The ring begins on top.
    if (met) made.append(Board.make("circle", { class: "ring", cx: x, cy: y, r: 15, pathLength: LOOKS, "stroke-dasharray": `${met} ${LOOKS - met}`, transform: `rotate(-90 ${x} ${y})` }));
    made.append(Board.make("text", { x, y: y + 4 }, hundredths(value)));
    return made;
  }

  function choose(board, place) {
    chosen = [board, place];
    history.replaceState(null, "", `#${board}.${place}`);
    drawBoard();
  }

  async function stop() {
    try {
      show(await Server.ask({ do: "stop", version: state.version }));
    } catch (error) {
      at("trouble").textContent = error.message;
    }
  }

  function open() {
    const named = location.hash.match(/^#(\d+)\.(\d+)$/);
    if (named) chosen = [Number(named[1]), Number(named[2])];
    at("boards").addEventListener("change", () => choose(Number(at("boards").value), 0));
    at("turn").addEventListener("input", () => choose(chosen[0], Number(at("turn").value)));
    at("stop").addEventListener("click", stop);
    new ResizeObserver(() => (drawCurve(), drawEntries())).observe(at("curve"));
    show({});
    Server.follow("", () => state.version, () => true, show, (said) => (at("trouble").textContent = said));
    document.documentElement.dataset.ready = "yes";
  }

  document.addEventListener("DOMContentLoaded", open);
})();
