// The tree of a game: what else was tried in it, or the variations and comments of a file. As a picture, as a list at the move
// where something else was played, and as letters on the board.
"use strict";

const Tree = (() => {
  const STEP = 22;
  const at = (id) => document.getElementById(id);
  const split = (text) => (text ? text.split(" ") : []);
  let shown = "";

  // A tree as rows of nodes: {parent, move, colour, comment, marks}, the root first.
  function ofFile(file) {
    return file.nodes.map(([parent, move, comment, marks]) => ({ parent, move: move.slice(2) || "", colour: move ? " BW".indexOf(move[0]) : 0, comment, marks }));
  }

  function ofLines(lines, first) {
    const nodes = [{ parent: -1, move: "", colour: 0, comment: "", marks: {} }];
    const places = new Map([["", 0]]);
    for (const line of lines) {
      let [at, key, colour] = [0, "", first];
      for (const move of line) {
        key += ` ${move}`;
        if (!places.has(key)) places.set(key, nodes.push({ parent: at, move, colour, comment: "", marks: {} }) - 1);
        at = places.get(key);
        colour = 3 - colour;
      }
    }
    return nodes;
  }

  const lineTo = (nodes, node) => {
    const path = [];
    for (let k = node; k >= 0; k = nodes[k].parent) path.unshift(k);
    return path;
  };

  // All lines of a game that is played, its own first.
  const linesOf = (state) => [split(state.record[6]), ...state.lines.map(split)].map((line) => line.filter((move) => move !== "resign"));

  function nodesOf(state, file) {
    if (state.boards) return { nodes: ofFile(file), path: state.path };
    const nodes = ofLines(linesOf(state), state.turns[0]);
    const path = [0];
    for (const move of linesOf(state)[0]) path.push(nodes.findIndex((one, k) => k > 0 && one.parent === path[path.length - 1] && one.move === move));
    return { nodes, path };
  }

  // Show the tree, and what goes on from the position after so many moves in another way than the game; go(place) goes along the
  // line that is shown, choose(node, nodes) to another one. Returns the letters of the variations and the marks of a file.
  function show(state, file, place, go, choose) {
    const { nodes, path } = nodesOf(state, file);
    const here = path[Math.min(place, path.length - 1)];
    const after = nodes.flatMap((one, k) => (one.parent === here ? [k] : []));
    const others = after.filter((k) => k !== path[place + 1]);
    at("tried-part").hidden = !others.length;
    fill(at("tried"), others.map((k) => [k, nodes[k].move]), () => others.map((k) => variation(nodes, k, choose)));
    at("comment").textContent = nodes[here].comment;
    at("comment").hidden = !nodes[here].comment;
    picture(nodes, path, here, (node) => (path.includes(node) ? go(path.indexOf(node)) : choose(node, nodes)));
    const signs = after.length > 1 ? Object.fromEntries(after.filter((k) => nodes[k].colour && nodes[k].move !== "pass").map((k, n) => [nodes[k].move, "abcdefghijklmnop"[n] || "·"])) : {};
    return { ...signs, ...nodes[here].marks };
  }

  function variation(nodes, k, choose) {
    const name = nodes[k].move || "set-up stones";
    const button = element("button", { type: "button", "data-move": name, "data-key": k, "aria-label": `Go to ${name}, another way from here` }, name);
    button.addEventListener("click", () => choose(k, nodes));
    return button;
  }

  // The nodes after a node, in order, and rows so that no two lines meet.
  function placed(nodes) {
    const after = nodes.map(() => []);
    nodes.forEach((one, k) => one.parent >= 0 && after[one.parent].push(k));
    const found = [];
    let rows = 0;
    const waiting = [[0, 0, 0]];
    while (waiting.length) {
      const [node, column, row] = waiting.pop();
      found[node] = [column, row < 0 ? (rows += 1) : row];
      const next = after[node].map((one, n) => [one, column + 1, n ? -1 : found[node][1]]);
      waiting.push(...next.reverse());
    }
    return { found, rows };
  }

  function picture(nodes, path, here, choose) {
    const svg = at("tree");
    at("tree-part").hidden = nodes.length < 2 || nodes.length === path.length && !nodes.some((one) => one.comment);
    if (at("tree-part").hidden) return;
    const said = JSON.stringify([nodes.map((one) => [one.parent, one.move]), path]);
    const { found, rows } = placed(nodes);
    if (said !== shown) {
      shown = said;
      const columns = Math.max(...found.map(([column]) => column)) + 1;
      svg.setAttribute("width", columns * STEP);
      svg.setAttribute("height", (rows + 1) * STEP);
      const line = new Set(path);
      const edges = nodes.flatMap((one, k) => (one.parent < 0 ? [] : [edge(found[one.parent], found[k], line.has(k))]));
      svg.replaceChildren(...edges, Board.make("circle", { class: "here", r: 9 }), ...nodes.map((one, k) => dot(one, k, found[k], line.has(k))));
    }
    const [column, row] = found[here];
    const mark = svg.querySelector(".here");
    mark.setAttribute("cx", (column + 0.5) * STEP);
    mark.setAttribute("cy", (row + 0.5) * STEP);
    svg.onclick = (event) => {
      const box = svg.getBoundingClientRect();
      const [x, y] = [Math.floor((event.clientX - box.left) / STEP), Math.floor((event.clientY - box.top) / STEP)];
      const node = found.findIndex(([one, other]) => one === x && other === y);
      if (node >= 0) choose(node);
    };
    const part = at("tree-scroll");
    part.scrollLeft = (column + 0.5) * STEP - part.clientWidth / 2;
    part.scrollTop = (row + 0.5) * STEP - part.clientHeight / 2;
  }

  function edge([column, row], [toColumn, toRow], isOfLine) {
    const [x, y, toX, toY] = [column, row, toColumn, toRow].map((one) => (one + 0.5) * STEP);
    return Board.make("path", { class: isOfLine ? "edge of-line" : "edge", d: row === toRow ? `M${x} ${y}H${toX}` : `M${x} ${y}V${toY - STEP / 2}L${toX} ${toY}` });
  }

  function dot(node, k, [column, row], isOfLine) {
    const kind = ["root", "black", "white"][node.colour];
    const title = Board.make("title", {}, `${["", "Black ", "White "][node.colour]}${node.move || "start"}${node.comment ? `: ${node.comment}` : ""}`);
    return Board.make("circle", { class: `node ${kind}${node.comment ? " said" : ""}${isOfLine ? "" : " off"}`, "data-node": k, cx: (column + 0.5) * STEP, cy: (row + 0.5) * STEP, r: node.colour ? 6 : 4 }, title);
  }

  // The longest of a game's lines through a node: its moves, as names.
  function movesThrough(nodes, node) {
    const names = (k) => lineTo(nodes, k).slice(1).map((one) => nodes[one].move);
    const ends = nodes.flatMap((_, k) => (lineTo(nodes, k).includes(node) ? [names(k)] : []));
    return ends.reduce((best, line) => (line.length > best.length ? line : best), []);
  }

  return { show, linesOf, movesThrough, lineTo };
})();
