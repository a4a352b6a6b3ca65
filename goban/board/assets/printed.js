// Where a player's own code returned the current move, and what players printed: then, and in full. Pages of editions without
// logs have no element for it.
"use strict";

const Printed = (() => {
  const NAMES = ["", "Black", "White"];
  let logs = [];
  // Move -> places in a list of passages, the list, and perhaps move -> why none is known; see `common.answer_lines`.
  let lines = [{}, []];
  let moves = 0;
  let goTo = () => {};

  const at = (id) => document.getElementById(id);

  // Each log is 0 or maps moves to texts; move 0 is what was printed before the player was first asked.
  function open(record, count, go) {
    logs = [{}, ...(record.logs || []).slice(0, 2).map((log) => log || {})];
    lines = (record.logs && record.logs[3]) || [{}, []];
    moves = count;
    goTo = go;
    if (!at("printed")) return;
    const any = lines[1].length > 0 || lines.length > 2;
    at("printed").classList.toggle("with-lines", any);
    at("printed").setAttribute("aria-label", any ? "Where this move was returned, and what was printed" : "What was printed at this move");
    at("printed").hidden = !logs.some((log) => Object.keys(log).length) && !any;
    const trace = record.logs && record.logs[2];
    at("logs").replaceChildren(
      ...[1, 2].flatMap((colour) => whole(colour, logs[colour] ?? {})),
      ...(trace ? [element("details", { open: "" }, element("summary", {}, "Traceback"), block(trace))] : []),
    );
  }

  const block = (text, attributes = { tabindex: "0" }) => element("pre", { dir: "ltr", ...attributes }, text);

  function whole(colour, log) {
    const plies = Object.keys(log).map(Number);
    if (!plies.length) return [];
    const details = element("details", {}, element("summary", {}, `All that ${NAMES[colour]} printed`));
    for (const ply of plies) {
      const button = element("button", { type: "button", class: "to-move" }, ply ? `Move ${ply}` : "Before its first move");
      button.addEventListener("click", () => goTo(Math.min(ply, moves)));
      details.append(button, block(log[ply]));
    }
    // Old results do not say at which move a text was printed; there, all of it is under move 0.
    details.open = plies.length === 1 && plies[0] === 0;
    return [details];
  }

  // The [colour, move] of texts to show at a position: the move that led to it, and at the end also one that never came.
  function shown(place) {
    const found = place ? [1, 2].map((colour) => [colour, place]) : [[1, 0], [2, 0]];
    const vain = (colour) => Object.keys(logs[colour] ?? {}).map(Number).filter((ply) => ply > moves);
    return place < moves ? found : [...found, ...[1, 2].flatMap((colour) => vain(colour).map((ply) => [colour, ply]))];
  }

  function title(colour, ply) {
    if (!ply) return `Before its first move ${NAMES[colour]} printed`;
    return ply > moves ? `Asked for move ${ply}, ${NAMES[colour]} printed` : `At move ${ply} ${NAMES[colour]} printed`;
  }

  // A passage of source: get_input's line, or that of what it hands on to.
  function passage([file, line, name, first, text], k) {
    const rows = text.map((row, i) => {
      const shown = `${String(first + i).padStart(String(first + text.length - 1).length)}  ${row}`;
      return first + i === line ? element("mark", {}, shown) : `${shown}\n`;
    });
    const said = `${k ? "which hands on to" : "Returned by"} ${file}, line ${line}, in ${name}`;
    return [element("h3", {}, said), element("pre", { dir: "ltr", class: "source" }, ...rows)];
  }

  function show(place) {
    if (!at("printed") || at("printed").hidden) return;
    const found = shown(place).filter(([colour, ply]) => (logs[colour] ?? {})[ply]);
    const parts = [
      ...((lines[2] || {})[place] ? [element("p", {}, lines[2][place])] : []),
      ...(lines[0][place] || []).flatMap((k, i) => passage(lines[1][k], i)),
      ...found.flatMap(([colour, ply]) => [element("h3", {}, title(colour, ply)), block(logs[colour][ply], {})]),
    ];
    const nothing = `Nothing was printed ${place ? `at move ${place}` : "before the first move"}.`;
    at("printed").replaceChildren(...parts, ...(found.length ? [] : [element("p", {}, nothing)]));
    at("printed").scrollTop = 0;
  }

  return { open, show };
})();
