// Elements made of names, attributes and text; text is never read as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

export const html = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

export const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

export const byId = (id) => document.getElementById(id);

export function percent(probability) {
  if (probability > 0.9995 && probability < 1) return "> 99.9 %";
  return probability < 0.0005 ? "< 0.1 %" : `${(100 * probability).toFixed(1)} %`;
}

export const nats = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;

// A bar whose length is a share of its box; style sheets alone can't know it.
export function bar(share) {
  const inner = html("i");
  inner.style.width = `${100 * share}%`;
  return html("div", { class: "bar", "aria-hidden": "true" }, inner);
}

// Parts with a stroke between them, where lines break first; what turns the writing direction turns no other part.
export const marked = (parts) => parts.flatMap((part, i) => {
  const text = html("bdi", {}, part.text);
  return i ? [html("wbr"), html("span", { class: "cut" }, "|"), text] : [text];
});
