// The points of a board that is played on: each is a button, with the stone that may be placed, or why none may.
"use strict";

const Points = (() => {
  const NAMES = ["", "Black", "White"];
  const UNIT = 40;
  const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  let chosen = 0;

  const centre = (point, size) => [((point % size) + 1) * UNIT, (Math.floor(point / size) + 1) * UNIT];

  // board: what is to be drawn over the stones. colour: who may play, 0 for nobody; refused: name -> the rule; worth: name ->
  // {text, label, best, loses}; line: moves to show as stones with numbers, of whom first comes `to_move`; play(name).
  function draw(svg, position, size, board) {
    const had = svg.querySelector(".point:focus") !== null;
    clear(svg);
    const layer = Board.make("g", { class: "points" });
    if (board.colour) position.cells.forEach((stone, point) => layer.append(button(position, point, size, board)));
    for (const name of Object.keys(board.refused)) layer.append(forbidden(name, size, board.refused[name]));
    for (const [name, worth] of Object.entries(board.worth)) {
      const point = Board.pointOf(name, size);
      if (point >= 0) layer.append(value(point, size, worth));
    }
    layer.append(line(position, size, board));
    svg.append(layer);
    if (board.colour) choose(layer, Math.min(chosen, size * size - 1), had);
  }

  function clear(svg) {
    const old = svg.querySelector(".points");
    if (old) old.remove();
  }

  function button(position, point, size, board) {
    const [x, y] = centre(point, size);
    const name = Board.nameOf(point, size);
    const stone = position.cells[point];
    const why = board.refused[name];
    const worth = board.worth[name];
    const label = stone ? `${name}, ${NAMES[stone]}` : why ? `${name}, illegal: ${why}` : `${name}, empty${worth ? `, ${worth.label}` : ""}`;
    const free = !stone && !why;
    const made = Board.make("g", { class: free ? "point free" : "point", role: "button", tabindex: "-1", "aria-label": label, "data-name": name });
    made.append(Board.make("rect", { x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT }));
    made.append(Board.make("rect", { class: "frame", x: x - 17, y: y - 17, width: 34, height: 34, rx: 4 }));
    if (free) made.append(Board.make("circle", { class: `ghost ${board.colour === 1 ? "black" : "white"}`, cx: x, cy: y, r: UNIT * 0.46 }));
    made.addEventListener("click", () => {
      chosen = point;
      board.play(name);
    });
    made.addEventListener("keydown", (event) => onKey(event, made, point, size));
    return made;
  }

  function forbidden(name, size, why) {
    const [x, y] = centre(Board.pointOf(name, size), size);
    if (why.startsWith("suicide")) return Board.make("path", { class: "refused", d: `M${x - 5} ${y - 5}l10 10m0 -10l-10 10`, "aria-hidden": "true" });
    const group = Board.make("g", { "aria-hidden": "true" });
    group.append(Board.make("rect", { class: "refused", x: x - 10, y: y - 10, width: 20, height: 20 }), Board.make("text", { class: "refused", x, y: y + 4 }, "ko"));
    return group;
  }

  function value(point, size, worth) {
    const [x, y] = centre(point, size);
    const kind = `worth${worth.best ? " best" : ""}${worth.loses ? " loses" : ""}`;
    return Board.make("g", { class: kind, role: "img", "aria-label": `${Board.nameOf(point, size)}: ${worth.label}` }, Board.make("circle", { cx: x, cy: y, r: 17 }), Board.make("text", { x, y: y + 4 }, worth.text));
  }

  // Stones that best play would place; of several on one point, the first.
  function line(position, size, board) {
    const group = Board.make("g", { class: "line", "aria-hidden": "true" });
    const seen = new Set();
    board.line.forEach((name, k) => {
      const point = name === "pass" ? -1 : Board.pointOf(name, size);
      if (point < 0 || seen.has(point) || position.cells[point]) return;
      seen.add(point);
      const [x, y] = centre(point, size);
      const colour = (k % 2 ? 3 - board.first : board.first) === 1 ? "black" : "white";
      group.append(Board.make("circle", { class: colour, cx: x, cy: y, r: UNIT * 0.4 }), Board.make("text", { class: `on-${colour}`, x, y: y + 5 }, String(k + 1)));
    });
    return group;
  }

  // One point at a time can be reached by Tab; arrows go on from there.
  function choose(layer, point, focus) {
    const all = layer.querySelectorAll(".point");
    if (all[chosen]) all[chosen].setAttribute("tabindex", "-1");
    chosen = point;
    all[point].setAttribute("tabindex", "0");
    if (focus) all[point].focus();
  }

  function onKey(event, made, point, size) {
    const step = STEPS[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (step) {
      const [row, column] = [Math.floor(point / size) + step[0], (point % size) + step[1]];
      if (row >= 0 && row < size && column >= 0 && column < size) choose(made.parentNode, row * size + column, true);
    } else if (event.key === "Enter" || event.key === " ") made.dispatchEvent(new MouseEvent("click"));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return { draw, clear };
})();
