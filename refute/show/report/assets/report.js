// Sorting, searching and the highlights of the graph. Without it the pages are complete, only less handy.
"use strict";

// --- tables: a button in each sortable heading, aria-sort says the order
const number = (text) => { const value = parseFloat(text.replace("−", "-").replace(/\s/g, "")); return Number.isNaN(value) ? null : value; };

function compare(kind, a, b) {
  if (kind !== "number") return a.localeCompare(b, "en", { numeric: true });
  const [x, y] = [number(a), number(b)];
  if (x === null || y === null) return (x === null) - (y === null); // what is no number comes last
  return x - y;
}

function sort(table, heading) {
  const column = [...heading.parentNode.children].indexOf(heading);
  const down = heading.getAttribute("aria-sort") === "ascending";
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [row.cells[column].textContent.trim(), row]);
  const empty = (text) => heading.dataset.sort === "number" && number(text) === null;
  rows.sort(([a], [b]) => (empty(a) || empty(b) ? empty(a) - empty(b) : (down ? -1 : 1) * compare(heading.dataset.sort, a, b)));
  body.append(...rows.map(([, row]) => row));
  for (const other of heading.parentNode.children) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
}

for (const table of document.querySelectorAll("table.sortable")) {
  for (const heading of table.tHead.rows[0].cells) {
    if (!heading.dataset.sort) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => sort(table, heading));
  }
}

// --- search: words, paper, kind and verdict; kept in the address, so that links can ask for a selection
const form = document.getElementById("search-form");
if (form) {
  const [q, paper, kind, verdict] = ["q", "paper", "kind", "verdict"].map((id) => document.getElementById(id));
  const found = document.getElementById("found");
  const rows = [...document.querySelectorAll("#claims tbody tr")];
  form.hidden = false;

  const filter = () => {
    const words = q.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows) {
      const data = row.dataset;
      const all = `${data.text} ${data.kind} ${data.verdict}`;
      const fits = (!paper.value || data.paper === paper.value) && (!kind.value || data.kind === kind.value)
        && (!verdict.value || data.verdict === verdict.value) && words.every((word) => all.includes(word));
      row.hidden = !fits;
      count += fits;
    }
    found.textContent = `${count} of ${rows.length} claims`;
  };
  const remember = () => {
    const asked = new URLSearchParams([["q", q.value], ["paper", paper.value], ["kind", kind.value], ["verdict", verdict.value]].filter(([, value]) => value));
    try { history.replaceState(null, "", asked.size ? `#search?${asked}` : "#search"); } catch { /* some browsers forbid it for files */ }
  };
  const recall = () => {
    const [place, asked] = location.hash.split("?");
    if (place !== "#search") return;
    const values = new URLSearchParams(asked || "");
    for (const field of [q, paper, kind, verdict]) field.value = values.get(field.id) || "";
    filter();
    document.getElementById("search").scrollIntoView();
  };
  form.addEventListener("input", () => { filter(); remember(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { filter(); remember(); q.focus(); }));
  window.addEventListener("hashchange", recall);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.target.closest("input, select, textarea")) { event.preventDefault(); q.focus(); }
  });
  filter();
  recall();
}

// --- graph: the node under the pointer or the focus, with what it touches
for (const graph of document.querySelectorAll("svg.graph")) {
  const edges = [...graph.querySelectorAll(".edge")];
  const nodes = [...graph.querySelectorAll(".node")];
  const light = (id) => {
    const near = new Set([id]);
    for (const edge of edges) {
      const touches = edge.dataset.from === id || edge.dataset.to === id;
      edge.classList.toggle("lit", touches);
      if (touches) near.add(edge.dataset.from).add(edge.dataset.to);
    }
    for (const node of nodes) node.classList.toggle("lit", near.has(node.dataset.id));
    graph.classList.toggle("lighting", id !== null);
  };
  for (const node of nodes) {
    for (const name of ["mouseenter", "focus"]) node.addEventListener(name, () => light(node.dataset.id));
    for (const name of ["mouseleave", "blur"]) node.addEventListener(name, () => light(null));
  }
}
