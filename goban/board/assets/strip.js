// The value strip: how far ahead each side is after every move with perfect play, and which moves were mistakes.
"use strict";

const Strip = (() => {
  const WIDTH = 16;
  const HALF = 40;
  const GAP = 16;
  // Room for the numbers of the axis, and below for those of the moves.
  const LEFT = 42;
  const BELOW = 14;
  const ABOVE = 6;

  function lead(game, head, k) {
    const margin = game.truth.margins[k];
    return margin === null ? null : margin - head.komi;
  }

  function value(game, head, k) {
    if (!game.truth) return "";
    const ahead = lead(game, head, k);
    const winner = game.truth.winners[k];
    if (ahead !== null) return ahead ? `With best play ${ahead > 0 ? "Black" : "White"} wins by ${Math.abs(ahead)}.` : "With best play a tie.";
    if (winner !== null) return winner ? `With best play ${winner === 1 ? "Black" : "White"} wins.` : "With best play a tie.";
    return "Value unknown.";
  }

  // Bars are scaled to the highest lead of the game, but at least 6, so that small leads look small.
  function highest(game, head) {
    return Math.max(6, ...game.positions.map((_, k) => Math.abs(lead(game, head, k) ?? 0)));
  }

  const tallness = (ahead, most) => Math.max(3, (ahead / most) ** 0.7 * (HALF - 2));

  // Lines and numbers at the highest lead of each side, at half of it, and at none; every fifth move has its number.
  function axes(count, most) {
    const group = Board.make("g", { class: "axes", "aria-hidden": "true" });
    const middle = Math.round(most / 4);
    for (const ahead of [most, middle, 0, -middle, -most]) {
      const y = HALF - (ahead ? Math.sign(ahead) * tallness(Math.abs(ahead), most) : 0);
      const said = ahead ? `${ahead > 0 ? "B" : "W"}+${Math.abs(ahead)}` : "0";
      group.append(Board.make("path", { class: ahead ? "tick" : "axis", d: `M${LEFT} ${y}h${count * WIDTH}` }));
      group.append(Board.make("text", { class: "scale", x: LEFT - 4, y: y + 3 }, said));
    }
    for (let k = 0; k < count; k += 5) {
      group.append(Board.make("text", { class: "move", x: LEFT + k * WIDTH + WIDTH / 2, y: 2 * HALF + GAP + 12 + BELOW - 3 }, String(k)));
    }
    return group;
  }

  function bar(game, head, k, most) {
    const x = LEFT + k * WIDTH + 2;
    const ahead = lead(game, head, k);
    const winner = game.truth.winners[k];
    if (ahead !== null) {
      const tall = tallness(Math.abs(ahead), most);
      return Board.make("rect", { class: ahead > 0 ? "black" : "white", x, width: WIDTH - 4, y: ahead > 0 ? HALF - tall : HALF, height: tall });
    }
    if (winner === 1 || winner === 2) {
      return Board.make("rect", { class: `${winner === 1 ? "black" : "white"} only`, x, width: WIDTH - 4, y: winner === 1 ? HALF - 8 : HALF, height: 8 });
    }
    return Board.make("text", { class: "unknown", x: x + WIDTH / 2 - 2, y: HALF - 4 }, winner === 0 ? "=" : "?");
  }

  function mistake(game, k) {
    const x = LEFT + k * WIDTH + WIDTH / 2;
    const top = 2 * HALF + GAP;
    const cost = game.truth.cost(k);
    const group = Board.make("g", { class: game.truth.turns(k) ? "mistake turning" : "mistake" });
    group.append(Board.make("path", { d: `M${x} ${top - 12}l5 9h-10z` }));
    group.append(Board.make("text", { x, y: top + 8 }, cost ? String(cost) : "!"));
    return group;
  }

  function draw(svg, game, head, go) {
    svg.replaceChildren();
    if (!game.truth) return;
    const count = game.positions.length;
    const most = highest(game, head);
    const tall = 2 * HALF + GAP + 12 + BELOW;
    svg.setAttribute("viewBox", `0 ${-ABOVE} ${LEFT + count * WIDTH} ${tall + ABOVE}`);
    svg.append(Board.make("rect", { class: "cursor", y: -ABOVE, width: WIDTH, height: tall + ABOVE, rx: 3 }));
    svg.append(axes(count, most));
    for (let k = 0; k < count; k += 1) {
      svg.append(bar(game, head, k, most));
      if (k && game.truth.mistake(k)) svg.append(mistake(game, k));
      const field = Board.make("rect", { class: "field", x: LEFT + k * WIDTH, y: -ABOVE, width: WIDTH, height: tall + ABOVE }, Board.make("title", {}, `${k ? `After move ${k}, ${game.moves[k - 1]}` : "Start"}: ${value(game, head, k)}`));
      field.addEventListener("click", () => go(k));
      svg.append(field);
    }
    const mistakes = game.moves.filter((_, k) => game.truth.mistake(k + 1)).length;
    svg.setAttribute("aria-label", `Value after each move with perfect play; ${mistakes} known mistakes`);
  }

  function mark(svg, place) {
    const cursor = svg.querySelector(".cursor");
    if (cursor) cursor.setAttribute("x", LEFT + place * WIDTH);
  }

  return { draw, mark, value };
})();
