// The columns: switches, and what each gave a split or a part.

import { byId, html, marked, nats, percent } from "./nodes.js";

const told = new Map();

export function addColumns(columns) {
  for (const column of columns) told.set(column.name, column.what);
  byId("columns").replaceChildren(...columns.filter((column) => column.can_be_off).map((column) =>
    html("label", {}, html("input", { type: "checkbox", value: column.name, checked: true }),
      html("span", {}, column.name, html("small", {}, column.what)))));
}

// Show what each column gave to a split or a part: {parts, probability, contributions, constraint}.
export function showGave(answer, of) {
  if (!answer.columns.length) {
    byId("gave").replaceChildren(html("p", { class: "note" }, "Nothing: the split was told, not found."));
    return;
  }
  const rows = answer.columns.map((name, c) => [name, told.get(name) ?? "", of.contributions[c]]);
  if (of.constraint) rows.push(["constraint", "hyphens, other non-letters", of.constraint]);
  const most = Math.max(0.001, ...rows.map(([, , value]) => Math.abs(value)));
  const sum = rows.reduce((total, [, , value]) => total + value, 0);
  byId("gave").replaceChildren(html("table", {},
    html("caption", {}, html("span", { lang: "de" }, ...marked(of.parts)), " ",
      html("small", {}, `${percent(of.probability)}; in nats`)),
    html("tbody", {}, ...rows.map(([name, what, value]) => html("tr", {},
      html("th", { scope: "row" }, name, html("small", {}, what)),
      html("td", { class: "bars" }, both(value / most)), html("td", { class: "number" }, nats(value)))),
    html("tr", { class: "sum" }, html("th", { scope: "row" }, "score"), html("td"),
      html("td", { class: "number", id: "score" }, nats(sum))))));
}

// A bar from the middle to the right, or against it to the left.
function both(share) {
  const inner = html("i", { class: share < 0 ? "against" : "for" });
  inner.style.width = `${50 * Math.abs(share)}%`;
  inner.style.left = share < 0 ? `${50 - 50 * Math.abs(share)}%` : "50%";
  return html("div", { class: "both", "aria-hidden": "true" }, inner);
}
