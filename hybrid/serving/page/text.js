// A running text with the parts of its words marked.

import { byId, html } from "./nodes.js";
import { addressOf } from "./state.js";

export function showText({ tokens }, state) {
  byId("running").replaceChildren(...tokens.map((token) => {
    if (!token.split || token.split.parts.length < 2) return token.text;
    const parts = token.split.parts.map((part) => html("span", { class: "part" }, part.text));
    return html("a", { href: addressOf(token.text, state) }, ...parts);
  }));
  const compounds = tokens.filter((token) => token.split?.parts.length > 1).length;
  const words = tokens.filter((token) => token.split).length;
  byId("status").textContent = `${words} words, ${compounds} of them compounds`;
}
