// What the page asks its server, and what it does when there is none any more.
"use strict";

const Server = (() => {
  class LostError extends Error {}

  // Answers with what the server says. An error has its words; a LostError means that nobody answers.
  async function ask(request) {
    let response;
    try {
      response = await fetch("ask", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request) });
    } catch {
      throw new LostError(document.getElementById("main").dataset.lost);
    }
    const said = await response.json();
    if (said.error) throw new Error(said.error);
    return said;
  }

  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  // Calls show(answer) with every news of a game while isWanted(), and tell(words) when there are none to be had, '' when again.
  async function follow(game, version, isWanted, show, tell) {
    let lost = false;
    while (isWanted()) {
      try {
        const answer = await ask({ do: "wait", game, version: version() });
        if (isWanted()) show(answer);
        if (lost) tell("");
        lost = false;
      } catch (error) {
        if (isWanted()) tell(error.message);
        if (!(error instanceof LostError)) return;
        lost = true;
        await pause(2000);
      }
    }
  }

  return { ask, follow };
})();
