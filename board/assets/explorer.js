// Every move of a position with what it is worth, best first: a list to walk through the game by.
"use strict";

const Explorer = (() => {
  const at = (id) => document.getElementById(id);

  // groups: {said, best, moves} as Truths.groups has them; choose(move) is called with a name.
  function show(groups, choose) {
    at("explorer-part").hidden = !groups.length;
    at("explorer").replaceChildren(...groups.map(({ said, best, moves }) => {
      const buttons = moves.flatMap((move) => {
        const button = element("button", { type: "button", "data-move": move }, move);
        button.addEventListener("click", () => choose(move));
        return [button, " "];
      });
      return element("li", best ? { class: "best" } : {}, element("span", {}, `${said}: `), ...buttons);
    }));
  }

  return { show };
})();
