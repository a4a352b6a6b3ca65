// The board: the positions after each move, and their drawings, in which every stone has a name.
"use strict";

// All content is set as text, never as markup.
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const Board = (() => {
  const COLUMNS = "ABCDEFGHJKLMNOPQRST";
  const NAMES = ["", "Black", "White"];
  const UNIT = 40;

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

  // Positions of a game, one more than there are moves. cells: 0, 1 or 2; numbers: the move that placed each stone;
  // captured: stones taken by Black and by White so far; taken: points cleared by this move.
  function positions(moves, size) {
    let cells = new Array(size * size).fill(0);
    let numbers = cells.slice();
    let captured = [0, 0, 0];
    const found = [{ cells, numbers, captured, taken: [], last: -1 }];
    moves.forEach((move, k) => {
      const colour = k % 2 === 0 ? 1 : 2;
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
      found.push({ cells, numbers, captured, taken, last: point });
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

  function grid(size) {
    const start = UNIT;
    const end = UNIT * size;
    let path = "";
    for (let k = 1; k <= size; k += 1) path += `M${start} ${k * UNIT}H${end}M${k * UNIT} ${start}V${end}`;
    const group = make("g", { "aria-hidden": "true" });
    group.append(make("rect", { class: "wood", x: 4, y: 4, width: UNIT * (size + 1) - 8, height: UNIT * (size + 1) - 8, rx: 8 }));
    group.append(make("path", { class: "grid", d: path }));
    for (const [i, j] of stars(size)) {
      group.append(make("circle", { class: "star", cx: (j + 1) * UNIT, cy: (i + 1) * UNIT, r: 3.5 }));
    }
    for (let k = 0; k < size; k += 1) {
      const at = (k + 1) * UNIT;
      const letter = COLUMNS[k];
      const number = String(size - k);
      group.append(make("text", { class: "coordinate", x: at, y: UNIT * size + 31 }, letter));
      group.append(make("text", { class: "coordinate", x: 13, y: at + 4 }, number));
    }
    return group;
  }

  function draw(svg, position, size, withNumbers, marks) {
    if (svg.dataset.size !== String(size)) {
      svg.dataset.size = String(size);
      svg.setAttribute("viewBox", `0 0 ${UNIT * (size + 1)} ${UNIT * (size + 1)}`);
      svg.replaceChildren(grid(size), make("g", { class: "stones" }));
    }
    const stones = svg.querySelector(".stones");
    stones.replaceChildren();
    position.cells.forEach((colour, point) => {
      if (!colour) return;
      const [x, y] = [((point % size) + 1) * UNIT, (Math.floor(point / size) + 1) * UNIT];
      const number = position.numbers[point];
      const label = `${NAMES[colour]} at ${nameOf(point, size)}, move ${number}${point === position.last ? ", last move" : ""}`;
      const kind = colour === 1 ? "black" : "white";
      const stone = make("g", { class: `stone ${kind}`, role: "img", "aria-label": label }, make("title", {}, label));
      stone.append(make("circle", { cx: x, cy: y, r: UNIT * 0.46 }));
      if (withNumbers) stone.append(make("text", { x, y: y + 5 }, String(number)));
      else if (point === position.last) stone.append(make("circle", { class: "last", cx: x, cy: y, r: UNIT * 0.2 }));
      stones.append(stone);
    });
    for (const point of position.taken) {
      const [x, y] = [((point % size) + 1) * UNIT, (Math.floor(point / size) + 1) * UNIT];
      stones.append(make("path", { class: "taken", d: `M${x - 7} ${y - 7}l14 14m0 -14l-14 14`, "aria-hidden": "true" }));
    }
    for (const name of marks) {
      const point = pointOf(name, size);
      if (point < 0 || position.cells[point]) continue;
      const [x, y] = [((point % size) + 1) * UNIT, (Math.floor(point / size) + 1) * UNIT];
      const label = `Better: ${name}`;
      const square = make("rect", { x: x - 9, y: y - 9, width: 18, height: 18 });
      stones.append(make("g", { class: "best", role: "img", "aria-label": label }, make("title", {}, label), square));
    }
    svg.setAttribute("aria-label", `Board of ${size} by ${size}, ${position.cells.filter(Boolean).length} stones`);
  }

  return { positions, draw, make, pointOf, nameOf };
})();
