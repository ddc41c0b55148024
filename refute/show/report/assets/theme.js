// Light or dark: what the reader chose, else what the system prefers. Runs before the page is drawn.
"use strict";
(() => {
  const root = document.documentElement;
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const read = () => { try { return localStorage.getItem("refute-theme"); } catch { return null; } };
  const keep = (theme) => { try { localStorage.setItem("refute-theme", theme); } catch { /* private window: not remembered */ } };
  const current = () => root.dataset.theme || (system.matches ? "dark" : "light");

  const chosen = read();
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const say = () => { button.textContent = current() === "dark" ? "Light" : "Dark"; button.setAttribute("aria-label", `Switch to ${current() === "dark" ? "light" : "dark"} colours`); };
    button.hidden = false;
    say();
    button.addEventListener("click", () => { root.dataset.theme = current() === "dark" ? "light" : "dark"; keep(root.dataset.theme); say(); });
    system.addEventListener("change", say);
  });
})();
