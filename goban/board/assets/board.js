// The board: the positions after each move, and their drawings, in which every stone has a name.
"use strict";

// All content is set as text, never as markup.
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Fill a list anew, if it is to hold something else than it does. Not while the mouse is pressed in it, for a click would be lost,
// and whoever had the focus there has it again: things that can have it are told apart by data-key.
function fill(list, content, make) {
  const said = JSON.stringify(content);
  if (list.dataset.holds === said) return;
  if (list.matches(":active")) {
    window.addEventListener("pointerup", () => setTimeout(() => fill(list, content, make)), { once: true });
    return;
  }
  const key = list.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  list.dataset.holds = said;
  list.replaceChildren(...make());
  const again = key === undefined ? null : [...list.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
  if (again) again.focus({ preventScroll: true });
}

const Board = (() => {
  const COLUMNS = "ABCDEFGHJKLMNOPQRST";
  const NAMES = ["", "Black", "White"];
  const UNIT = 40;
  // What the board leaves free of the unit around its lines.
  const EDGE = 7;

  function pointOf(name, size) {
    const column = COLUMNS.indexOf(name[0]);
    const row = size - Number(name.slice(1));
    return column >= 0 && column < size && row >= 0 && row < size ? row * size + column : -1;
  }

  function nameOf(point, size) {
    return COLUMNS[point % size] + (size - Math.floor(point / size));
  }

  function neighbours(point, size) {
    const column = point % size;
    return [
      ...(column > 0 ? [point - 1] : []),
      ...(column < size - 1 ? [point + 1] : []),
      ...(point >= size ? [point - size] : []),
      ...(point < size * (size - 1) ? [point + size] : []),
    ];
  }

  // The group on a point, or [] if it has a liberty.
  function deadGroup(cells, point, size) {
    const group = [point];
    const seen = new Set(group);
    for (let k = 0; k < group.length; k += 1) {
      for (const next of neighbours(group[k], size)) {
        if (cells[next] === 0) return [];
        if (cells[next] === cells[point] && !seen.has(next)) {
          seen.add(next);
          group.push(next);
        }
      }
    }
    return group;
  }

  // Positions of a game, one more than there are moves. begun: where it begins if stones were set up, as {cells, first}.
  // cells: 0, 1 or 2; numbers: the move that placed each stone; captured: stones taken by Black and by White so far; taken: points
  // cleared by this move; colour: who made it; toMove: whose turn it is.
  function positions(moves, size, begun = null) {
    let cells = begun ? begun.cells : new Array(size * size).fill(0);
    let numbers = new Array(size * size).fill(0);
    let captured = [0, 0, 0];
    let colour = begun ? begun.first : 1;
    const found = [{ cells, numbers, captured, taken: [], last: -1, colour: 0, toMove: colour }];
    moves.forEach((move, k) => {
      const point = move === "pass" || move === "resign" ? -1 : pointOf(move, size);
      const taken = [];
      cells = cells.slice();
      numbers = numbers.slice();
      captured = captured.slice();
      if (point >= 0) {
        cells[point] = colour;
        numbers[point] = k + 1;
        for (const next of neighbours(point, size)) {
          if (cells[next] === 3 - colour) {
            for (const stone of deadGroup(cells, next, size)) {
              cells[stone] = 0;
              taken.push(stone);
            }
          }
        }
        captured[colour] += taken.length;
        // Only where the rules allow suicide is there anything here.
        for (const stone of deadGroup(cells, point, size)) {
          cells[stone] = 0;
          taken.push(stone);
          captured[3 - colour] += 1;
        }
      }
      found.push({ cells, numbers, captured, taken, last: point, colour, toMove: 3 - colour });
      colour = 3 - colour;
    });
    return found;
  }

  // The same of a file's game, in which stones may be set up and anybody may move, from its boards.
  function positionsOf(boards, moves, colours, turns, size) {
    const all = boards.map((digits) => [...digits].map(Number));
    let numbers = new Array(size * size).fill(0);
    let captured = [0, 0, 0];
    return all.map((cells, k) => {
      if (!k) return { cells, numbers, captured, taken: [], last: -1, colour: 0, toMove: turns[0] };
      const colour = colours[k - 1];
      const before = all[k - 1];
      const last = colour && moves[k - 1] !== "pass" ? pointOf(moves[k - 1], size) : -1;
      const taken = colour ? cells.flatMap((stone, point) => (before[point] === 3 - colour && !stone ? [point] : [])) : [];
      numbers = numbers.map((number, point) => (point === last ? k : cells[point] === before[point] ? number : 0));
      captured = captured.slice();
      captured[colour] += taken.length;
      return { cells, numbers, captured, taken, last, colour, toMove: turns[k] };
    });
  }

  // Black's and White's points on a board, as the rules count, without komi: [0, 7, 5].
  function points(cells, size, rules) {
    const found = [0, 0, 0];
    for (const stone of cells) if (stone) found[stone] += 1;
    if (rules === "course" || rules === "littlego") return found;
    const seen = new Set();
    cells.forEach((stone, point) => {
      if (stone || seen.has(point)) return;
      const region = [point];
      const borders = new Set();
      seen.add(point);
      for (let k = 0; k < region.length; k += 1) {
        for (const next of neighbours(region[k], size)) {
          if (cells[next]) borders.add(cells[next]);
          else if (!seen.has(next)) {
            seen.add(next);
            region.push(next);
          }
        }
      }
      if (borders.size === 1) found[[...borders][0]] += region.length;
    });
    return found;
  }

  function make(name, attributes, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  function stars(size) {
    const edge = size < 13 ? 2 : 3;
    const middle = (size - 1) / 2;
    if (size < 7) return size % 2 ? [[middle, middle]] : [];
    const lines = size % 2 && size > 7 ? [edge, middle, size - 1 - edge] : [edge, size - 1 - edge];
    const all = lines.flatMap((i) => lines.map((j) => [i, j]));
    return size < 13 && size % 2 ? [...all.filter(([i, j]) => i !== middle && j !== middle), [middle, middle]] : all;
  }

  const centre = (point, size) => [((point % size) + 1) * UNIT, (Math.floor(point / size) + 1) * UNIT];

  function gradient(id, kind, attributes, ...stops) {
    return make(kind, { id, ...attributes }, ...stops.map(([offset, name]) => make("stop", { offset, class: name })));
  }

  // What wood and stones are painted with.
  function paints() {
    const light = { cx: "36%", cy: "30%", r: "72%" };
    return make(
      "defs", {},
      gradient("paint-black", "radialGradient", light, [0, "black-shine"], [0.45, "black-middle"], [1, "black-rim"]),
      gradient("paint-white", "radialGradient", light, [0, "white-shine"], [0.6, "white-middle"], [1, "white-rim"]),
      gradient("paint-shadow", "radialGradient", {}, [0.6, "shadow-full"], [1, "shadow-none"]),
      gradient("paint-wood", "linearGradient", { x1: 0, y1: 0, x2: 0.25, y2: 1 }, [0, "wood-light"], [1, "wood-dark"]),
      gradient("paint-grain", "linearGradient", { x1: 0, y1: 0, x2: 0.061, y2: 0.004, spreadMethod: "repeat" }, [0, "grain-none"], [0.35, "grain-some"], [0.5, "grain-none"], [0.8, "grain-full"], [1, "grain-none"]),
    );
  }

  function grid(size) {
    const start = UNIT;
    const end = UNIT * size;
    const whole = { x: EDGE, y: EDGE, width: UNIT * (size + 1) - 2 * EDGE, height: UNIT * (size + 1) - 2 * EDGE, rx: 3 };
    let path = "";
    for (let k = 1; k <= size; k += 1) path += `M${start} ${k * UNIT}H${end}M${k * UNIT} ${start}V${end}`;
    const group = make("g", { "aria-hidden": "true" }, make("rect", { class: "wood", ...whole }), make("rect", { class: "grain", ...whole }));
    group.append(make("path", { class: "grid", d: path }));
    for (const [i, j] of stars(size)) {
      group.append(make("circle", { class: "star", cx: (j + 1) * UNIT, cy: (i + 1) * UNIT, r: 3.5 }));
    }
    for (let k = 0; k < size; k += 1) {
      const at = (k + 1) * UNIT;
      group.append(make("text", { class: "coordinate", x: at, y: UNIT * size + 28 }, COLUMNS[k]));
      group.append(make("text", { class: "coordinate", x: 15, y: at + 3 }, String(size - k)));
    }
    return group;
  }

  // Draw a position: only what is another than before is touched. marks: names of points that would have been better.
  function draw(svg, position, size, withNumbers, marks) {
    if (svg.dataset.size !== String(size)) {
      svg.dataset.size = String(size);
      const width = UNIT * (size + 1) - 2 * EDGE;
      svg.setAttribute("viewBox", `${EDGE} ${EDGE} ${width} ${width}`);
      svg.replaceChildren(paints(), grid(size), make("g", { class: "shadows", "aria-hidden": "true" }), make("g", { class: "stones" }), make("g", { class: "signs" }));
    }
    const shadows = position.cells.flatMap((colour, point) => (colour ? [[String(point), () => shadow(point, size)]] : []));
    patch(svg.querySelector(".shadows"), shadows);
    const stones = position.cells.flatMap((colour, point) => (colour ? [stoneOf(position, point, size, withNumbers)] : []));
    patch(svg.querySelector(".stones"), stones);
    const better = marks.filter((name) => pointOf(name, size) >= 0 && !position.cells[pointOf(name, size)]);
    const taken = position.taken.filter((point) => !position.cells[point]);
    patch(svg.querySelector(".signs"), [
      ...taken.map((point) => [`taken ${point}`, () => cross(point, size)]),
      ...better.map((name) => [`better ${name}`, () => betterMove(name, size)]),
    ]);
    svg.setAttribute("aria-label", `Board of ${size} by ${size}, ${position.cells.filter(Boolean).length} stones`);
  }

  // Have a group hold these elements, of which each has a key that says all of it: [key, make()].
  function patch(group, wanted) {
    const keys = new Set(wanted.map(([key]) => key));
    const known = new Set();
    for (const old of [...group.children]) {
      if (keys.has(old.dataset.key)) known.add(old.dataset.key);
      else old.remove();
    }
    for (const [key, build] of wanted) {
      if (known.has(key)) continue;
      const made = build();
      made.dataset.key = key;
      group.append(made);
    }
  }

  function shadow(point, size) {
    const [x, y] = centre(point, size);
    return make("circle", { class: "shadow", cx: x + 1.5, cy: y + 3, r: UNIT * 0.5 });
  }

  function stoneOf(position, point, size, withNumbers) {
    const colour = position.cells[point];
    const number = position.numbers[point];
    const isLast = point === position.last;
    const label = `${NAMES[colour]} at ${nameOf(point, size)}${number ? `, move ${number}` : ""}${isLast ? ", last move" : ""}`;
    const build = () => {
      const [x, y] = centre(point, size);
      const stone = make("g", { class: `stone ${colour === 1 ? "black" : "white"}`, role: "img", "aria-label": label }, make("title", {}, label));
      stone.append(make("circle", { cx: x, cy: y, r: UNIT * 0.47 }));
      if (withNumbers && number) stone.append(make("text", { class: isLast ? "newest" : "", x, y: y + 5 }, String(number)));
      else if (isLast) stone.append(make("circle", { class: "last", cx: x, cy: y, r: UNIT * 0.2 }));
      return stone;
    };
    return [`${label} ${withNumbers}`, build];
  }

  function cross(point, size) {
    const [x, y] = centre(point, size);
    return make("path", { class: "taken", d: `M${x - 7} ${y - 7}l14 14m0 -14l-14 14`, "aria-hidden": "true" });
  }

  function betterMove(name, size) {
    const [x, y] = centre(pointOf(name, size), size);
    const label = `Better: ${name}`;
    return make("g", { class: "best", role: "img", "aria-label": label }, make("title", {}, label), make("rect", { x: x - 9, y: y - 9, width: 18, height: 18 }));
  }

  return { positions, positionsOf, points, draw, patch, make, centre, pointOf, nameOf, UNIT };
})();
