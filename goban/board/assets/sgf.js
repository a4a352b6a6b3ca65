// A game as SGF, FF[4] (www.red-bean.com/sgf/sgf4.html).
"use strict";

const Sgf = (() => {
  const LETTERS = "abcdefghijklmnopqrs";
  const text = (value) => value.replace(/[\\\]:]/g, "\\$&").replace(/[^\S ]/g, " ");

  // Lines of moves as a tree: move -> the tree of what follows. The first line comes first wherever it branches.
  function treeOf(lines) {
    const tree = new Map();
    for (const line of lines) {
      let branch = tree;
      for (const move of line) {
        if (!branch.has(move)) branch.set(move, new Map());
        branch = branch.get(move);
      }
    }
    return tree;
  }

  const pointOf = (move, size) => {
    const point = move === "pass" ? -1 : Board.pointOf(move, size);
    return point < 0 ? "" : LETTERS[point % size] + LETTERS[Math.floor(point / size)];
  };

  const node = (move, colour, size) => `;${"BW"[colour - 1]}[${pointOf(move, size)}]`;

  // colour: who makes the first move of the tree.
  function nodes(tree, colour, size) {
    let written = "";
    for (; tree.size === 1; colour = 3 - colour) {
      const [[move, next]] = tree;
      written += node(move, colour, size);
      tree = next;
    }
    return written + [...tree].map(([move, next]) => `(${node(move, colour, size)}${nodes(next, 3 - colour, size)})`).join("");
  }

  // about: as in Replay.open; lines: the game's moves first, then its variations.
  function write(record, about, lines) {
    const names = `PB[${text(about.names[0])}]PW[${text(about.names[1])}]`;
    const root = `FF[4]GM[1]CA[UTF-8]SZ[${about.size}]KM[${about.komi}]RU[${about.rules}]${names}RE[${record.mark}]GC[${text(record.ending)}]`;
    const tree = treeOf(lines.map((line) => line.filter((move) => move !== "resign")));
    return `(;${root}${nodes(tree, 1, about.size)})\n`;
  }

  // A file's game as it stands there, with all that nobody here reads, and with lines that were played from one of its nodes.
  // file: as `board.reviews.tree_of` has it; colour: who makes the first move of the lines.
  function writeFile(file, lines, colour, size) {
    const all = file.nodes.map(([, move, , , properties]) => ({ move, properties, after: [] }));
    file.nodes.forEach(([parent], k) => parent >= 0 && all[parent].after.push(all[k]));
    for (const line of lines) add(all[file.node], line.filter((move) => move !== "resign"), colour, size);
    all[0].properties = { ...all[0].properties, CA: ["UTF-8"] };
    return `(${written(all[0])})\n`;
  }

  function add(from, line, colour, size) {
    for (const move of line) {
      const said = `${"BW"[colour - 1]} ${move}`;
      let next = from.after.find((one) => one.move === said);
      if (!next) {
        next = { move: said, properties: { ["BW"[colour - 1]]: [pointOf(move, size)] }, after: [] };
        from.after.push(next);
      }
      from = next;
      colour = 3 - colour;
    }
  }

  const textOf = (properties) => `;${Object.entries(properties).map(([name, values]) => name + values.map((value) => `[${value}]`).join("")).join("")}`;

  function written(from) {
    let said = textOf(from.properties);
    for (; from.after.length === 1; said += textOf(from.properties)) [from] = from.after;
    return said + from.after.map((next) => `(${written(next)})`).join("");
  }

  return { treeOf, write, writeFile };
})();
