// A word's parts, with linking elements and dictionary forms, and the tree of what belongs together.

import { byId, html, percent } from "./nodes.js";

const BY = { "first pass": "by the first pass", nets: "by the nets", told: "told, not found" };

export function showParts(answer, least) {
  const { best } = answer;
  byId("parts").replaceChildren(...best.parts.map(partOf));
  byId("verdict").textContent = verdict(answer, least);
  byId("status").textContent = `${answer.word}: ${best.parts.map((part) => part.text).join(", ")}. ${verdict(answer, least)}`;
  const branched = Array.isArray(best.tree);
  byId("tree-section").hidden = !branched || best.tree.flat(Infinity).length < 3;
  byId("tree").replaceChildren(...(branched ? [branchOf(best.tree)] : []));
  byId("tree").setAttribute("aria-label", branched ? bracketed(best.tree) : "");
}

function partOf(part) {
  const rest = part.text.slice(part.stem.length + part.link.length);
  const link = part.link ? [html("span", { class: "link", title: "linking element" }, part.link)] : [];
  return html("li", {}, part.stem, ...link, rest, html("small", {}, part.lemma ?? ""));
}

function verdict({ best, finest, decided_by: by }, least) {
  if (by === "told") return `${best.parts.length > 1 ? "a compound" : "left whole"}: ${BY.told}`;
  const sure = `${percent(best.probability)} sure, ${BY[by]}`;
  if (best.parts.length > 1) return sure;
  return finest[0].parts.length > 1
    ? `left whole: its best split has ${percent(finest[0].probability)}, less than ${least} %`
    : `no compound, ${sure}`;
}

const bracketed = (tree) => (Array.isArray(tree) ? `(${tree.map(bracketed).join(" ")})` : tree);

function branchOf(tree) {
  if (!Array.isArray(tree)) return html("span", { class: "leaf" }, tree);
  return html("div", { class: "branch" }, ...tree.map(branchOf));
}
