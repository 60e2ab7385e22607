// The best splits, each with its probability as a bar.

import { bar, byId, html, marked, percent } from "./nodes.js";
import { rove } from "./roving.js";

export function showRanking(splits, { onFocus, onHover, onEscape }) {
  const items = splits.map((split, i) => {
    const item = html("li", { role: "option", "aria-selected": i === 0 ? "true" : "false",
      "aria-label": `${split.parts.map((part) => part.text).join(", ")}: ${percent(split.probability)}` },
    html("span", { class: "word" }, ...marked(split.parts)), bar(split.probability),
    html("span", { class: "number" }, percent(split.probability)));
    item.addEventListener("mouseenter", () => onHover(i));
    item.addEventListener("mouseleave", () => onHover(null));
    return item;
  });
  byId("ranking").replaceChildren(...items);
  rove(items, { onFocus, onEscape });
}

export function markRanked(place) {
  [...byId("ranking").children].forEach((item, i) => item.setAttribute("aria-selected", String(i === place)));
}
