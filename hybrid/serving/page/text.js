// A running text with the parts of its words marked.

import { byId, html } from "./nodes.js";
import { addressOf, settingsOf } from "./state.js";

export function showText({ tokens }, state) {
  const settings = settingsOf(state);
  byId("running").replaceChildren(...tokens.map((token) => {
    if (!token.split || token.split.parts.length < 2) return token.text;
    const parts = token.split.parts.map((part) => html("span", { class: "part" }, part.text));
    return html("a", { href: `#${addressOf({ word: token.text }, settings)}` }, ...parts);
  }));
  const compounds = tokens.filter((token) => token.split?.parts.length > 1).length;
  const words = tokens.filter((token) => token.split).length;
  byId("status").textContent = `${words} words, ${compounds} of them compounds`;
}
