// Tables that can be searched, and sorted by the buttons in their headings; and, in a page that holds everything, which part is shown.
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

// A box that leaves only those rows of a table whose heading holds what is typed.
function makeFindable(table) {
  const rows = Array.from(table.tBodies[0].rows);
  if (rows.length < FEWEST_TO_SEARCH) return;
  const box = element("input", { type: "search", autocomplete: "off" });
  const said = element("span", { role: "status" });
  box.addEventListener("input", () => {
    const wanted = box.value.trim().toLowerCase();
    const name = (row) => row.querySelector("th").textContent.toLowerCase();
    for (const row of rows) row.hidden = !name(row).includes(wanted);
    said.textContent = wanted ? `${rows.filter((row) => !row.hidden).length} of ${rows.length}` : "";
  });
  table.parentElement.before(element("p", { class: "find" }, element("label", {}, `Find ${table.dataset.find} `, box), " ", said));
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
  if (site.single) {
    showSection();
    window.addEventListener("hashchange", showSection);
  }
});
