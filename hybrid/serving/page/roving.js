// A list of which one element is in the tab order; arrow keys, Home and End go to the others, Escape leads back.

const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

export function rove(items, { onFocus, onEscape, at = 0 }) {
  const mark = (place) => items.forEach((item, i) => item.setAttribute("tabindex", i === place ? "0" : "-1"));
  const go = (place) => {
    mark(place);
    items[place].focus();
    items[place].scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  mark(at);
  items.forEach((item, i) => {
    item.addEventListener("focus", () => { mark(i); onFocus(i); });
    item.addEventListener("click", () => go(i));
    item.addEventListener("keydown", (event) => {
      const last = items.length - 1;
      if (event.key in STEPS) go(Math.min(last, Math.max(0, i + STEPS[event.key])));
      else if (event.key === "Home") go(0);
      else if (event.key === "End") go(last);
      else if (event.key === "Escape") onEscape();
      else return;
      event.preventDefault();
    });
  });
}
