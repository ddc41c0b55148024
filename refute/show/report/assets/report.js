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
  const box = document.getElementById("claims-box");
  const many = rows.length > 30; // a long table is shown when it is asked for
  const all = document.getElementById("show-all");
  let opened = !many;

  const filter = () => {
    const words = q.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows) {
      const data = row.dataset;
      const shown = row.textContent.toLowerCase(); // id, reference, kind, verdict
      const all = `${data.text} ${shown}`;
      const fits = (!paper.value || data.paper === paper.value) && (!kind.value || data.kind === kind.value)
        && (!verdict.value || data.verdict === verdict.value) && words.every((word) => all.includes(word));
      row.hidden = !fits;
      count += fits;
    }
    const asked = q.value || paper.value || kind.value || verdict.value;
    box.hidden = !(opened || asked);
    all.hidden = !box.hidden;
    found.textContent = box.hidden ? `${rows.length} claims` : `${count} of ${rows.length} claims`;
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
    opened = opened || asked === undefined;
    filter();
    document.getElementById("search").scrollIntoView();
  };
  all.addEventListener("click", () => { opened = true; filter(); });
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

// --- the training of a counterexample, step by step: a slider over the pictures of the same run
for (const stepper of document.querySelectorAll(".stepper")) {
  const pictures = [...stepper.querySelectorAll("svg")];
  const points = (path) => path.getAttribute("d").slice(1).split(" L").map((pair) => pair.split(" ").map(Number));
  const courses = pictures.flatMap((svg) => [...svg.querySelectorAll(".course")].map((path) => ({ svg, at: points(path) })));
  const clock = stepper.querySelector(".clock");
  if (!courses.length || !clock) continue;
  const length = Math.min(...courses.map((course) => course.at.length));
  const loss = courses.find((course) => course.svg.contains(clock)).at;
  const dots = courses.map(({ svg }) => {
    const dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    dot.setAttribute("class", "now");
    dot.setAttribute("r", "5.5");
    svg.append(dot);
    return dot;
  });
  const bar = document.createElement("div");
  bar.className = "stepper-bar";
  const play = document.createElement("button");
  play.type = "button";
  const slider = document.createElement("input");
  Object.assign(slider, { type: "range", min: 0, max: length - 1, value: length - 1 });
  slider.setAttribute("aria-label", "Time of the training");
  const said = document.createElement("output");
  bar.append(play, slider, said);
  stepper.prepend(bar);

  const show = () => {
    const k = Number(slider.value);
    courses.forEach(({ at }, i) => { dots[i].setAttribute("cx", at[k][0]); dots[i].setAttribute("cy", at[k][1]); });
    const share = (loss[k][0] - loss[0][0]) / (loss.at(-1)[0] - loss[0][0]);
    said.textContent = `t = ${(Number(clock.dataset.start) + share * (clock.dataset.end - clock.dataset.start)).toPrecision(3)}`;
    slider.setAttribute("aria-valuetext", said.textContent);
  };
  let running = 0;
  const stop = () => { clearInterval(running); running = 0; play.textContent = "Play"; };
  play.addEventListener("click", () => {
    if (running) { stop(); return; }
    if (Number(slider.value) >= length - 1) slider.value = 0;
    play.textContent = "Pause";
    running = setInterval(() => { slider.value = Number(slider.value) + 1; show(); if (Number(slider.value) >= length - 1) stop(); }, 50);
  });
  slider.addEventListener("input", () => { stop(); show(); });
  stop();
  show();
}

// --- what can be copied
for (const box of document.querySelectorAll(".copied")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    const text = box.querySelector("pre");
    try { await navigator.clipboard.writeText(text.textContent); button.textContent = "Copied"; } catch {
      getSelection().selectAllChildren(text); // where no clipboard is to be had: one key is left to press
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  box.prepend(button);
}
