// What would be graded of a player's file: a command says it, and the page shows its lines.
"use strict";

const Verdicts = (() => {
  const WORDS = "What would be graded";
  const at = (id) => document.getElementById(id);
  let whyNot = "";

  function show(state) {
    const { files, verdict } = state;
    const busy = Boolean(verdict && !verdict.done);
    const several = files[0] && files[1];
    [1, 2].forEach((colour) => {
      const button = at(`grade-${colour}`);
      // Without a file one button says what is missing.
      button.hidden = files[0] || files[1] ? !files[colour - 1] || (several && colour === 2 && files[0] === files[1]) : colour === 2;
      button.textContent = several && files[0] !== files[1] ? `${WORDS}: ${files[colour - 1]}` : WORDS;
      button.disabled = Boolean(why(files)) || busy;
    });
    at("grade-stop").hidden = !busy;
    at("grade-why").textContent = why(files);
    tell(at("grade-doing"), busy ? `${verdict.file}: ${verdict.doing}` : "");
    at("verdict").hidden = !verdict || !verdict.done;
    if (!verdict || !verdict.done) return;
    const changed = verdict.changed ? [`${verdict.file} was saved since then: this is of what it was before.`] : [];
    fill(at("verdict"), [verdict], () => [...changed, ...verdict.lines].map((line, k, all) => element("p", k === all.length - 1 ? { class: "last" } : {}, line)));
  }

  function why(files) {
    return files[0] || files[1] ? whyNot : "What would be graded of your player: python3 go_play.py --browser my_player.py";
  }

  function tell(place, words) {
    if (place.textContent !== words) place.textContent = words;
  }

  // sendTo(request) asks the server about the game. why: why nothing can be graded here, '' if it can.
  function listen(sendTo, missing) {
    whyNot = missing;
    [1, 2].forEach((colour) => at(`grade-${colour}`).addEventListener("click", () => sendTo({ do: "check", colour })));
    at("grade-stop").addEventListener("click", () => sendTo({ do: "uncheck" }));
  }

  return { show, listen };
})();
