// Tables that can be searched, and sorted by the buttons in their headings, and say where they go on to the right; and, in a page
// that holds everything, which part is shown.
"use strict";

const FEWEST_TO_SEARCH = 8;

function cellValue(row, column) {
  const cell = row.cells[column];
  const given = cell.dataset.v ?? cell.textContent.trim();
  const number = Number(given);
  return given === "" ? -Infinity : Number.isNaN(number) ? given : number;
}

function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

function sortTable(table, heading) {
  const column = heading.cellIndex;
  const first = heading.dataset.sort === "down" ? "descending" : "ascending";
  const second = first === "descending" ? "ascending" : "descending";
  const order = heading.getAttribute("aria-sort") === first ? second : first;
  const sign = order === "ascending" ? 1 : -1;
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", order);
  const body = table.tBodies[0];
  const rows = Array.from(body.rows, (row, place) => ({ row, place, value: cellValue(row, column) }));
  rows.sort((a, b) => sign * compare(a.value, b.value) || a.place - b.place);
  body.append(...rows.map((one) => one.row));
}

function makeSortable(table) {
  for (const heading of table.tHead.rows[0].cells) {
    if (!heading.dataset.sort) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    button.addEventListener("click", () => sortTable(table, heading));
    heading.append(button);
  }
}

// A box that leaves only those rows of a table of which the heading, or what the row says it is sought by, holds what is typed;
// and where rows are in sections, a choice of one.
function makeFindable(table) {
  const rows = Array.from(table.tBodies[0].rows);
  const sections = [...new Set(rows.map((row) => row.dataset.section ?? ""))].sort();
  if (rows.length < FEWEST_TO_SEARCH && sections.length < 2) return;
  const box = element("input", { type: "search", autocomplete: "off" });
  const choice = element("select", {}, element("option", { value: "" }, "all"), ...sections.filter(Boolean).map((name) => element("option", {}, name)));
  const said = element("span", { role: "status" });
  const sought = new Map(rows.map((row) => [row, (row.dataset.sought ?? row.querySelector("th").textContent).toLowerCase()]));
  const look = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (row) => words.every((word) => sought.get(row).includes(word)) && [row.dataset.section, ""].includes(choice.value);
    for (const row of rows) row.hidden = !fits(row);
    said.textContent = words.length || choice.value ? `${rows.filter((row) => !row.hidden).length} of ${rows.length}` : "";
  };
  box.addEventListener("input", look);
  choice.addEventListener("change", look);
  const line = element("p", { class: "find" }, element("label", {}, `Find ${table.dataset.find} `, box), " ");
  if (sections.length > 1) line.append(element("label", {}, "Section ", choice), " ");
  line.append(said);
  table.parentElement.before(line);
}

// A line above whatever is wider than the screen, until its end has been seen; and nothing to stop at where nothing scrolls.
function makeHinted(region) {
  const hint = element("p", { class: "more", "aria-hidden": "true" }, "More to the right: swipe, or scroll sideways →");
  hint.hidden = true;
  region.before(hint);
  const look = () => {
    const wide = region.scrollWidth > region.clientWidth + 1;
    const scrolls = wide || region.scrollHeight > region.clientHeight + 1;
    hint.hidden = !wide;
    hint.classList.toggle("seen", region.scrollLeft + region.clientWidth >= region.scrollWidth - 1);
    region.toggleAttribute("data-more", wide);
    if (scrolls) region.setAttribute("tabindex", "0");
    else region.removeAttribute("tabindex");
  };
  region.addEventListener("scroll", look, { passive: true });
  new ResizeObserver(look).observe(region);
  if (region.firstElementChild) new ResizeObserver(look).observe(region.firstElementChild);
  look();
}

function showSection() {
  const wanted = decodeURIComponent(location.hash.slice(1));
  if (wanted === "main") return;
  const sections = Array.from(document.querySelectorAll("main > section"));
  const key = wanted.startsWith("games") ? "games" : wanted;
  const shown = sections.find((section) => section.dataset.key === key) ?? sections[0];
  for (const section of sections) section.hidden = section !== shown;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.key === shown.dataset.key) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (shown.dataset.key !== "games") window.scrollTo(0, 0);
}

document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("table.sortable").forEach(makeSortable);
  document.querySelectorAll("table[data-find]").forEach(makeFindable);
  document.querySelectorAll(".scroll").forEach(makeHinted);
  if (site.single) {
    showSection();
    window.addEventListener("hashchange", showSection);
  }
});
