// The points of a board that is played on. The board is one surface: a click is where it is pressed and let go, whatever is drawn
// anew in between. For keys and screen readers each point is a button, with the stone that may be placed, or why none may.
"use strict";

const Points = (() => {
  const NAMES = ["", "Black", "White"];
  const UNIT = Board.UNIT;
  const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  // So far a finger may tremble, in pixels.
  const STILL = 12;
  let chosen = 0;
  let pressed = null;
  let pending = "";
  let shown = null;
  let wheeled = 0;

  // board: what is to be drawn over the stones. colour: who may play, 0 for nobody; refused: name -> the rule; worth: name ->
  // {text, label, best, loses, key}; line: moves to show as stones with numbers, of whom first comes `first`; signs: name -> a
  // short text; choose(name): what a click on a point does; confirm(): whether a touch has to be made twice.
  function draw(svg, position, size, board) {
    if (!svg.querySelector(".points") || svg.querySelector(".points").dataset.size !== String(size)) build(svg, size);
    if (!shown || shown.position !== position) pending = "";
    shown = { svg, position, size, board };
    svg.querySelectorAll(".point").forEach((button, point) => update(button, point));
    Board.patch(svg.querySelector(".marks"), marks(position, size, board));
    choose(Math.min(chosen, size * size - 1), false);
  }

  function build(svg, size) {
    const layer = Board.make("g", { class: "points", "data-size": size });
    for (let point = 0; point < size * size; point += 1) layer.append(button(point, size));
    for (const old of svg.querySelectorAll(".points, .marks")) old.remove();
    svg.append(layer, Board.make("g", { class: "marks" }));
  }

  function button(point, size) {
    const [x, y] = Board.centre(point, size);
    const made = Board.make("g", { class: "point", role: "button", tabindex: "-1", "data-name": Board.nameOf(point, size) });
    made.append(Board.make("rect", { x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT }));
    made.append(Board.make("circle", { class: "ghost", cx: x, cy: y, r: UNIT * 0.47 }));
    made.append(Board.make("rect", { class: "frame", x: x - 18, y: y - 18, width: 36, height: 36, rx: 4 }));
    made.addEventListener("keydown", (event) => onKey(event, point));
    // A screen reader clicks without a pointer.
    made.addEventListener("click", (event) => event.detail === 0 && event.isTrusted && take(point));
    return made;
  }

  function update(button, point) {
    const { position, size, board } = shown;
    const name = Board.nameOf(point, size);
    const stone = position.cells[point];
    const why = board.refused[name];
    const worth = board.worth[name];
    const sign = board.signs[name] ? `, ${board.signs[name]}` : "";
    const label = stone ? `${name}, ${NAMES[stone]}${sign}` : why ? `${name}, illegal: ${why}` : `${name}, empty${worth ? `, ${worth.label}` : ""}${sign}`;
    const free = board.colour && !stone && !why;
    set(button, "aria-label", label);
    set(button, "class", `point${free ? " free" : ""}${pending === name ? " pending" : ""}`);
    set(button.children[1], "class", `ghost ${(board.colour || 1) === 1 ? "black" : "white"}`);
  }

  function set(element, name, value) {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }

  // All that is drawn over the stones, each with a key that says all of it.
  function marks(position, size, board) {
    const refused = Object.entries(board.refused).map(([name, why]) => [`refused ${name} ${why.slice(0, 7)}`, () => forbidden(name, size, why)]);
    const worth = Object.entries(board.worth).filter(([name]) => Board.pointOf(name, size) >= 0);
    const values = worth.map(([name, one]) => [`worth ${name} ${JSON.stringify(one)}`, () => value(name, size, one)]);
    const signs = Object.entries(board.signs).map(([name, text]) => {
      const stone = position.cells[Board.pointOf(name, size)];
      return [`sign ${name} ${stone} ${text}`, () => sign(name, size, stone, text)];
    });
    return [...refused, ...values, ...signs, ...line(position, size, board)];
  }

  function forbidden(name, size, why) {
    const [x, y] = Board.centre(Board.pointOf(name, size), size);
    if (why.startsWith("suicide")) return Board.make("path", { class: "refused", d: `M${x - 5} ${y - 5}l10 10m0 -10l-10 10`, "aria-hidden": "true" });
    const group = Board.make("g", { "aria-hidden": "true" });
    group.append(Board.make("rect", { class: "refused", x: x - 10, y: y - 10, width: 20, height: 20 }), Board.make("text", { class: "refused", x, y: y + 4 }, "ko"));
    return group;
  }

  function value(name, size, worth) {
    const [x, y] = Board.centre(Board.pointOf(name, size), size);
    const kind = `worth${worth.best ? " best" : ""}${worth.loses ? " loses" : ""}`;
    const made = Board.make("g", { class: kind, role: "img", "aria-label": `${name}: ${worth.label}` }, Board.make("circle", { cx: x, cy: y, r: 17 }), Board.make("text", { x, y: y + 4 }, worth.text));
    if (worth.key) made.append(Board.make("text", { class: "key-of", x: x + 16, y: y - 10 }, worth.key));
    return made;
  }

  function sign(name, size, stone, text) {
    const [x, y] = Board.centre(Board.pointOf(name, size), size);
    return Board.make("text", { class: `sign on-${["wood", "black", "white"][stone]}`, x, y: y + 5.5, "aria-hidden": "true" }, text);
  }

  // Stones that a line would place; of several on one point, the first.
  function line(position, size, board) {
    const seen = new Set();
    return board.line.flatMap((name, k) => {
      const point = name === "pass" ? -1 : Board.pointOf(name, size);
      if (point < 0 || seen.has(point) || position.cells[point]) return [];
      seen.add(point);
      const colour = (k % 2 ? 3 - board.first : board.first) === 1 ? "black" : "white";
      return [[`line ${name} ${k} ${colour}`, () => lineStone(point, size, colour, k + 1)]];
    });
  }

  function lineStone(point, size, colour, number) {
    const [x, y] = Board.centre(point, size);
    const stone = Board.make("circle", { class: colour, cx: x, cy: y, r: UNIT * 0.42 });
    return Board.make("g", { class: "line", "aria-hidden": "true" }, stone, Board.make("text", { class: `on-${colour}`, x, y: y + 5 }, String(number)));
  }

  // One point at a time can be reached by Tab; arrows go on from there.
  function choose(point, focus) {
    const all = shown.svg.querySelectorAll(".point");
    if (all[chosen]) set(all[chosen], "tabindex", "-1");
    chosen = point;
    set(all[point], "tabindex", "0");
    if (focus) all[point].focus();
  }

  function take(point) {
    choose(point, false);
    pending = "";
    shown.board.choose(Board.nameOf(point, shown.size));
  }

  function onKey(event, point) {
    const step = STEPS[event.key];
    const { size } = shown;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (step) {
      const [row, column] = [Math.floor(point / size) + step[0], (point % size) + step[1]];
      if (row >= 0 && row < size && column >= 0 && column < size) choose(row * size + column, true);
    } else if (event.key === "Enter" || event.key === " ") take(point);
    else if (event.key === "Escape") shown.svg.focus({ preventScroll: true });
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // The point under the pointer, -1 if there is none.
  function pointAt(event) {
    const matrix = shown.svg.getScreenCTM();
    if (!matrix) return -1;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const [row, column] = [Math.round(y / UNIT) - 1, Math.round(x / UNIT) - 1];
    return row >= 0 && row < shown.size && column >= 0 && column < shown.size ? row * shown.size + column : -1;
  }

  function press(event) {
    if (!shown || event.button !== 0 || !event.isPrimary) return;
    pressed = { point: pointAt(event), x: event.clientX, y: event.clientY };
    shown.svg.setPointerCapture(event.pointerId);
  }

  // A click on a point is played where it was pressed, though a message may have moved the board since.
  function release(event) {
    const from = pressed;
    pressed = null;
    if (!from || from.point < 0) return;
    const still = Math.hypot(event.clientX - from.x, event.clientY - from.y) <= STILL;
    if (!still && pointAt(event) !== from.point) return;
    const name = Board.nameOf(from.point, shown.size);
    if (event.pointerType !== "mouse" && shown.board.colour && shown.board.confirm() && pending !== name && !shown.position.cells[from.point]) {
      pending = name;
      shown.svg.querySelectorAll(".point").forEach(update);
      shown.board.ask(name);
    } else take(from.point);
  }

  // go(steps) goes through the game.
  function listen(svg, go) {
    svg.setAttribute("tabindex", "-1");
    svg.addEventListener("pointerdown", press);
    svg.addEventListener("pointerup", release);
    svg.addEventListener("pointercancel", () => (pressed = null));
    // The board itself has the focus after a click, so that arrows go through the game.
    svg.addEventListener("mousedown", (event) => {
      event.preventDefault();
      svg.focus({ preventScroll: true });
    });
    svg.addEventListener("wheel", (event) => {
      if (event.ctrlKey) return;
      event.preventDefault();
      wheeled += event.deltaMode ? 40 * event.deltaY : event.deltaY;
      const steps = Math.trunc(wheeled / 40);
      wheeled -= 40 * steps;
      if (steps) go(Math.sign(steps));
    }, { passive: false });
  }

  const focus = () => shown && choose(chosen, true);

  return { draw, listen, focus };
})();
