// The graph of proofs: larger, smaller, all of it, or only what one statement stands on and carries.
"use strict";
for (const svg of document.querySelectorAll("svg.graph")) {
  const frame = svg.parentNode;
  const whole = svg.getAttribute("viewBox").split(" ").map(Number);
  let view = whole;
  let scale = 1;
  const nodes = [...svg.querySelectorAll(".node")];
  const edges = [...svg.querySelectorAll(".edge")];

  const bar = document.createElement("div");
  bar.className = "graph-bar";
  const button = (words, label, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = words;
    made.setAttribute("aria-label", label);
    made.addEventListener("click", act);
    bar.append(made);
  };

  const show = () => {
    svg.setAttribute("viewBox", view.join(" "));
    svg.setAttribute("width", view[2] * scale);
    svg.setAttribute("height", view[3] * scale);
  };
  const zoom = (factor) => {
    const before = scale;
    scale = Math.min(3, Math.max(0.15, scale * factor));
    const [x, y] = [frame.scrollLeft + frame.clientWidth / 2, frame.scrollTop + frame.clientHeight / 2];
    show();
    frame.scrollLeft = x * scale / before - frame.clientWidth / 2;
    frame.scrollTop = y * scale / before - frame.clientHeight / 2;
  };
  const fitting = () => Math.min((frame.clientWidth - 4) / view[2], Math.max(300, window.innerHeight * 0.75) / view[3], 1.5);
  const fit = () => { scale = fitting(); show(); };

  // what is reached from a statement in one direction
  const reached = (id, from, to) => {
    const seen = new Set([id]);
    const waiting = [id];
    while (waiting.length) {
      const one = waiting.pop();
      for (const edge of edges) {
        if (edge.dataset[from] === one && !seen.has(edge.dataset[to])) { seen.add(edge.dataset[to]); waiting.push(edge.dataset[to]); }
      }
    }
    return seen;
  };
  const only = (id) => {
    const kept = id ? new Set([...reached(id, "from", "to"), ...reached(id, "to", "from")]) : null;
    let box = null;
    for (const node of nodes) {
      const away = kept !== null && !kept.has(node.dataset.id);
      node.classList.toggle("away", away);
      node.classList.toggle("chosen", id !== "" && node.dataset.id === id);
      if (kept !== null && !away) {
        const { x, y, width, height } = node.querySelector("rect").getBBox();
        box = box === null ? [x, y, x + width, y + height] : [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x + width), Math.max(box[3], y + height)];
      }
    }
    for (const edge of edges) edge.classList.toggle("away", kept !== null && !(kept.has(edge.dataset.from) && kept.has(edge.dataset.to)));
    view = box === null ? whole : [box[0] - 12, box[1] - 12, box[2] - box[0] + 24, box[3] - box[1] + 24];
    scale = Math.max(fitting(), id ? 0.8 : 0.45);
    show();
  };

  button("−", "Smaller", () => zoom(1 / 1.3));
  button("+", "Larger", () => zoom(1.3));
  button("Fit", "Show all of it", fit);
  button("1:1", "Original size", () => { scale = 1; show(); });
  const label = document.createElement("label");
  label.textContent = "Only around ";
  const chosen = document.createElement("select");
  chosen.append(new Option("everything", ""), ...nodes.map((node) => node.dataset.id).sort().map((id) => new Option(id.replace(/^[^.]*\./, ""), id)));
  chosen.addEventListener("change", () => only(chosen.value));
  label.append(chosen);
  bar.append(label);
  frame.before(bar);
  frame.addEventListener("wheel", (event) => { if (event.ctrlKey) { event.preventDefault(); zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15); } }, { passive: false });

  const asked = decodeURIComponent(location.hash.slice(1));
  if (asked && nodes.some((node) => node.dataset.id === asked)) { chosen.value = asked; only(asked); frame.scrollIntoView(); } else only("");
}
