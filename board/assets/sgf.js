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

  function node(move, ply, size) {
    const point = move === "pass" ? -1 : Board.pointOf(move, size);
    return `;${ply % 2 ? "W" : "B"}[${point < 0 ? "" : LETTERS[point % size] + LETTERS[Math.floor(point / size)]}]`;
  }

  function nodes(tree, ply, size) {
    let written = "";
    for (; tree.size === 1; ply += 1) {
      const [[move, next]] = tree;
      written += node(move, ply, size);
      tree = next;
    }
    return written + [...tree].map(([move, next]) => `(${node(move, ply, size)}${nodes(next, ply + 1, size)})`).join("");
  }

  // about: as in Replay.open; lines: the game's moves first, then its variations.
  function write(record, about, lines) {
    const names = `PB[${text(about.names[0])}]PW[${text(about.names[1])}]`;
    const root = `FF[4]GM[1]CA[UTF-8]SZ[${about.size}]KM[${about.komi}]RU[${about.rules}]${names}RE[${record.mark}]GC[${text(record.ending)}]`;
    const tree = treeOf(lines.map((line) => line.filter((move) => move !== "resign")));
    return `(;${root}${nodes(tree, 0, about.size)})\n`;
  }

  return { treeOf, write };
})();
