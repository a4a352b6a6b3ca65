// What else was tried in a game: lines that were played and left, each a move to go to where it leaves the game's own line.
"use strict";

const Variations = (() => {
  const at = (id) => document.getElementById(id);
  const split = (text) => (text ? text.split(" ") : []);

  // The longest of the lines that begin like this.
  function longest(lines, start) {
    const such = lines.filter((line) => start.every((move, k) => line[k] === move));
    return such.reduce((best, line) => (line.length > best.length ? line : best), start);
  }

  // Show what was tried after so many moves; choose(line) is called with a whole line.
  function show(state, place, choose) {
    const moves = split(state.record[6]);
    const lines = state.lines.map(split);
    const start = moves.slice(0, place);
    const here = lines.filter((line) => line.length > place && start.every((move, k) => line[k] === move));
    const tried = [...new Set(here.map((line) => line[place]))].filter((move) => move !== moves[place]);
    at("tried-part").hidden = !tried.length;
    at("tried").replaceChildren(...tried.map((move) => {
      const button = element("button", { type: "button", "data-move": move, "aria-label": `Go to ${move}, tried here before` }, move);
      button.addEventListener("click", () => choose(longest(here, [...start, move])));
      return button;
    }));
  }

  return { show, linesOf: (state) => [split(state.record[6]), ...state.lines.map(split)] };
})();
