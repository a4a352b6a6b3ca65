// The panel of choices: rules, size, and who plays the next game; and how this page behaves.
"use strict";

const Setup = (() => {
  const OTHER = "other";
  const SIDES = ["black", "white"];
  let offer = null;

  const at = (id) => document.getElementById(id);

  // begin(request) starts a game.
  function open(data, begin) {
    offer = data;
    at("rules").replaceChildren(...offer.rules.map((one) => element("option", { value: one.name }, one.name)));
    at("rules").value = offer.chosen.rules;
    at("size").value = offer.chosen.size;
    at("rules").addEventListener("change", () => {
      at("size").value = offer.rules.find((one) => one.name === at("rules").value).size;
      showPlayers();
    });
    at("size").addEventListener("input", showPlayers);
    SIDES.forEach((side, k) => {
      const known = offer.players.map((one) => element("option", { value: one.name }, one.name));
      at(side).replaceChildren(element("option", { value: "" }, "You"), ...known, element("option", { value: OTHER }, "A file or an engine …"));
      at(side).addEventListener("change", showPlayers);
      choose(side, offer.chosen.players[k]);
    });
    showPlayers();
    at("swap").addEventListener("click", swap);
    at("new-game").addEventListener("click", () => show(true));
    at("close-panel").addEventListener("click", () => show(false));
    at("setup").addEventListener("submit", (event) => {
      event.preventDefault();
      begin({ ...request(), moves: [] });
    });
  }

  function choose(side, name) {
    const known = ["", ...offer.players.map((one) => one.name)].includes(name);
    at(side).value = known ? name : OTHER;
    if (!known) at(`${side}-other`).value = name;
  }

  function swap() {
    const [black, white] = SIDES.map(player);
    const names = SIDES.map((side) => at(`${side}-person`).value);
    SIDES.forEach((side, k) => {
      choose(side, [white, black][k]);
      at(`${side}-person`).value = names[1 - k];
    });
    showPlayers();
  }

  // Why a player cannot play the game that is chosen, '' if it can.
  function whyNot(one) {
    if (one.missing) return `needs ${one.missing}`;
    const size = Number(at("size").value);
    if (size > one.most || size < one.least) return one.least === one.most ? `on ${one.most}x${one.most}` : `up to ${one.most}x${one.most}`;
    return one.rules.length && !one.rules.includes(at("rules").value) ? one.rules.join(" and ") : "";
  }

  function showPlayers() {
    for (const side of SIDES) {
      for (const option of at(side).options) {
        const one = offer.players.find((known) => known.name === option.value);
        const why = one ? whyNot(one) : "";
        option.disabled = Boolean(why);
        option.textContent = one ? `${one.name}${why ? ` (${why})` : ""}` : option.textContent;
      }
      if (at(side).selectedOptions[0] && at(side).selectedOptions[0].disabled) at(side).value = "smart";
      at(`${side}-other-part`).hidden = at(side).value !== OTHER;
      at(`${side}-person-part`).hidden = at(side).value !== "";
    }
    at("other-hint").hidden = SIDES.every((side) => at(side).value !== OTHER);
  }

  const player = (side) => (at(side).value === OTHER ? at(`${side}-other`).value : at(side).value);
  const names = () => SIDES.map((side) => (at(side).value === "" ? at(`${side}-person`).value : ""));
  const request = () => ({ rules: at("rules").value, size: Number(at("size").value), players: SIDES.map(player), names: names() });

  function show(visible) {
    if (visible && !at("panel").open) at("panel").showModal();
    else if (!visible && at("panel").open) at("panel").close();
  }

  return { open, show, request };
})();
