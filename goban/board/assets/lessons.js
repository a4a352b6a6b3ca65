// The teacher: moves that throw the game away are taken back, with the reason; and what a position teaches.
"use strict";

const Lessons = (() => {
  const NAMES = {
    capture: "free captures", "larger-capture": "the larger capture", rescue: "rescues", "rescuing-capture": "captures that save stones",
    "double-atari": "double atari", snapback: "snapback", bait: "baits, not to be taken", ladder: "ladders that work", "ladder-run": "runs into a ladder",
    ko: "ko", connection: "connections", cut: "cuts", "self-atari": "self-atari", "own-eye": "own eyes",
  };
  const at = (id) => document.getElementById(id);
  let send = () => {};
  let looked = "";
  let found = null;

  // Whether the line of the last lesson is to be drawn, from the position after so many moves: names of moves.
  const line = (state, place) => (state.lesson && state.lesson.number === place ? [state.lesson.move, ...state.lesson.line] : []);

  function show(state, place) {
    const lesson = state.lesson && state.lesson.number === place ? state.lesson : null;
    at("lesson").hidden = !lesson && !state.checking;
    const better = lesson && lesson.better.length ? ` Better: ${lesson.better.slice(0, 4).join(", ")}${lesson.better.length > 4 ? " …" : ""}.` : "";
    const said = lesson ? `Taken back: ${lesson.said}${better} Try again.` : state.checking ? "Looking at your move …" : "";
    if (at("lesson").textContent !== said) at("lesson").textContent = said;
    if (document.activeElement !== at("teach")) at("teach").value = String(state.teach);
    showIdeas(state, place);
  }

  function showIdeas(state, place) {
    const key = `${state.game} ${state.version} ${place}`;
    if (looked && looked !== `${state.game} ${place}`) looked = "";
    const ideas = looked && found && found.number === place ? found.found : null;
    const lesson = looked ? Truths.lesson(place) : null;
    const lines = ideas ? Object.entries(ideas).map(([name, moves]) => [NAMES[name] || name, moves]) : [];
    at("ideas-part").hidden = !ideas;
    at("ideas-lesson").textContent = !ideas ? "" : lesson ? `The game hangs on this: whoever wins from here ${lesson.says}.` : lines.length ? "" : "Nothing to take, to save or to fear here.";
    fill(at("ideas"), [key && lines], () => lines.map(([name, moves]) => element("li", {}, element("strong", {}, `${name}: `), moves.join(" "))));
  }

  // sendTo(request) asks the server about the game, and answers with what it said.
  function listen(sendTo) {
    send = sendTo;
    at("teach").addEventListener("change", () => send({ do: "teach", stones: Number(at("teach").value) }));
    at("look").addEventListener("click", async () => {
      const place = Replay.place();
      const answer = await send({ do: "ideas", number: place });
      if (!answer) return;
      found = answer.ideas;
      looked = `${answer.game} ${place}`;
      if (answer.solvable) send({ do: "values", number: place });
      Play.redraw();
    });
  }

  return { show, line, listen };
})();
