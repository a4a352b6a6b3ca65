// The form from which a game begins: rules, size, and who plays.
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
    });
    SIDES.forEach((side, k) => {
      const known = offer.players.map((name) => element("option", { value: name }, name));
      at(side).replaceChildren(element("option", { value: "" }, "You"), ...known, element("option", { value: OTHER }, "A file or an engine …"));
      at(side).addEventListener("change", showOther);
      choose(side, offer.chosen.players[k]);
    });
    at("setup").addEventListener("submit", (event) => {
      event.preventDefault();
      begin({ ...request(), moves: [] });
    });
  }

  function choose(side, name) {
    const known = ["", ...offer.players].includes(name);
    at(side).value = known ? name : OTHER;
    if (!known) at(`${side}-other`).value = name;
    showOther();
  }

  function showOther() {
    for (const side of SIDES) at(`${side}-other`).hidden = at(side).value !== OTHER;
    at("other-hint").hidden = SIDES.every((side) => at(side).value !== OTHER);
  }

  const player = (side) => (at(side).value === OTHER ? at(`${side}-other`).value : at(side).value);
  const request = () => ({ rules: at("rules").value, size: Number(at("size").value), players: SIDES.map(player) });

  function show(visible) {
    at("setup").hidden = !visible;
    if (visible) at("rules").focus();
  }

  return { open, show, request };
})();
