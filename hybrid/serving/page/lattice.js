// The lattice as a picture: the word's letters, and an arc for each possible part, the thicker the likelier.

import { byId, html, percent, svg } from "./nodes.js";
import { rove } from "./roving.js";

const MARGIN = 18;
const LABELLED = 0.05; // a less probable arc tells its probability only when it is looked at
const [NARROW, WIDE] = [21, 46]; // pixels a letter

export function showLattice(answer, { onFocus, onHover, onEscape }) {
  const letters = Array.from(answer.word); // places are counted in characters, not in UTF-16
  const box = byId("lattice");
  byId("lattice-section").hidden = letters.length < 2 || letters.length > 200;
  if (byId("lattice-section").hidden) return box.replaceChildren();
  const room = box.clientWidth || 600;
  const step = Math.min(WIDE, Math.max(NARROW, (room - 2 * MARGIN) / letters.length));
  const longest = Math.max(...answer.arcs.map((arc) => arc.end - arc.start));
  const base = 30 + rise(longest, step);
  const width = 2 * MARGIN + step * letters.length;
  const order = answer.arcs.map((arc, i) => [arc, i]).sort(([a], [b]) => a.start - b.start || a.end - b.end);
  const groups = answer.arcs.map((arc, i) => arcOf(arc, i, step, base, onHover));
  const picture = svg("svg", { width, height: base + 42, viewBox: `0 0 ${width} ${base + 42}`, role: "listbox",
    "aria-label": "Possible parts, from left to right" },
  ...Array.from({ length: letters.length + 1 }, (_, i) =>
    svg("circle", { class: "node", cx: MARGIN + step * i, cy: base, r: 2 })),
  ...letters.map((letter, i) =>
    svg("text", { x: MARGIN + step * (i + 0.5), y: base + 28, "text-anchor": "middle", "aria-hidden": "true",
      "font-size": Math.min(24, step * 0.95), lang: "de" }, letter)),
  ...[...groups].reverse()); // the likeliest are drawn last, above the others
  box.replaceChildren(picture);
  const inOrder = order.map(([, i]) => groups[i]);
  rove(inOrder, { onFocus: (place) => onFocus(order[place][1]), onEscape,
    at: Math.max(0, order.findIndex(([arc]) => arc.best)) });
}

const rise = (length, step) => Math.min(230, 14 + 0.42 * length * step);

function arcOf(arc, i, step, base, onHover) {
  const [left, right] = [MARGIN + step * arc.start, MARGIN + step * arc.end];
  const height = rise(arc.end - arc.start, step);
  const middle = (left + right) / 2;
  const line = `M${left} ${base}C${left + (right - left) * 0.12} ${base - height * 1.33} ` +
    `${right - (right - left) * 0.12} ${base - height * 1.33} ${right} ${base}`;
  const kind = `arc${arc.best ? " best" : ""}${arc.probability < LABELLED && !arc.best ? " slight" : ""}`;
  const group = svg("g", { class: kind, role: "option", "aria-label": `${arc.text}: ${percent(arc.probability)}` },
    svg("path", { class: "reach", d: line }),
    svg("path", { class: "line", d: line, "stroke-width": (1 + 4 * Math.sqrt(arc.probability)).toFixed(2),
      "stroke-dasharray": arc.probability < LABELLED && !arc.best ? "3 3" : null }),
    svg("text", { x: middle, y: base - height - 6, "text-anchor": "middle" }, percent(arc.probability)),
    svg("title", {}, `${arc.text}: ${percent(arc.probability)}`));
  group.addEventListener("mouseenter", () => onHover(i));
  group.addEventListener("mouseleave", () => onHover(null));
  return group;
}

// Mark the arcs that a part of the parts given is.
export function markArcs(answer, parts) {
  const lit = new Set(parts.map((part) => `${part.start} ${part.end}`));
  const groups = [...document.querySelectorAll("#lattice .arc")].reverse();
  groups.forEach((group, i) => {
    const is = lit.has(`${answer.arcs[i].start} ${answer.arcs[i].end}`);
    group.classList.toggle("lit", is);
    group.setAttribute("aria-selected", String(is));
  });
}
