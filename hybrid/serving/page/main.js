// The page: what is typed is asked, what comes back is shown.

import { ask, Asker } from "./asking.js";
import { addColumns, showGave } from "./columns.js";
import { markArcs, showLattice } from "./lattice.js";
import { byId, html } from "./nodes.js";
import { showParts } from "./parts.js";
import { markRanked, showRanking } from "./ranking.js";
import { bodyOf, readAddress, readForm, showForm, writeAddress, writeForm } from "./state.js";
import { showText } from "./text.js";

let state = readAddress();
let shown = null; // the answer that is on the page
let chosen = 0; // the ranked split that is looked at when nothing else is

const asker = new Asker({
  onAsked: () => byId("results").setAttribute("aria-busy", "true"),
  onAnswer: (answer) => { settle(); state.kind === "word" ? showWord(answer) : showRunning(answer); },
  onRefused: (problem) => { settle(); showProblem(problem.what, problem.where, problem.right); },
  onSilence: () => {
    settle();
    byId("results").classList.add("old");
    showProblem("The server does not answer", "is it still running?", "it is asked again every two seconds");
  },
});

function settle() {
  byId("results").setAttribute("aria-busy", "false");
  byId("results").classList.remove("old");
  byId("problem").hidden = true;
}

function showProblem(what, where, right) {
  const say = (where ? ` (${where})` : "") + (right ? `; ${right}` : "");
  byId("problem").replaceChildren(html("p", {}, html("b", {}, html("bdi", {}, what)), say));
  byId("problem").hidden = false;
}

function showOnly(id) {
  for (const one of ["empty", "of-word", "of-text"]) byId(one).hidden = one !== id;
}

function showRunning(answer) {
  shown = null;
  showOnly("of-text");
  showText(answer, state);
  document.title = "hybrid";
}

function showWord(answer) {
  shown = answer;
  showOnly("of-word");
  showParts(answer, state.least);
  const onEscape = () => byId("word").focus();
  showRanking(answer.nbest, { onEscape, onFocus: (i) => lookAtSplit((chosen = i)), onHover: (i) => lookAtSplit(i ?? chosen) });
  drawLattice();
  lookAtSplit((chosen = 0));
  document.title = `${answer.best.parts.map((part) => part.text).join("|")} – hybrid`;
}

function drawLattice() {
  showLattice(shown, { onEscape: () => byId("word").focus(), onFocus: lookAtArc,
    onHover: (i) => (i === null ? lookAtSplit(chosen) : lookAtArc(i)) });
}

// The finest split that a ranked one stands for: itself, or else the first that is cut wherever it is.
function finestOf(split) {
  const ends = split.parts.map((part) => part.end);
  const cut = shown.finest.filter((fine) => ends.every((end) => fine.parts.some((part) => part.end === end)));
  return cut.find((fine) => fine.parts.length === ends.length) ?? cut[0] ?? shown.finest[0];
}

function lookAtSplit(i) {
  const fine = finestOf(shown.nbest[i]);
  markRanked(i);
  markArcs(shown, fine.parts);
  showGave(shown, fine);
}

function lookAtArc(i) {
  const arc = shown.arcs[i];
  markArcs(shown, [arc]);
  showGave(shown, { ...arc, parts: [arc] });
}

function askNow(pause) {
  const something = state.kind === "word" ? state.word.trim() : state.text.trim();
  if (!something) {
    asker.later(null);
    settle();
    shown = null;
    showOnly("empty");
    byId("status").textContent = "";
    document.title = "hybrid";
    return;
  }
  asker.later(state.kind === "word" ? "explain" : "text", bodyOf(state), pause);
}

// Until the columns have come, those that are off are the ones of the address.
function formNow() {
  const now = readForm();
  return byId("columns").querySelector("input") ? now : { ...now, off: state.off };
}

function formChanged() {
  state = formNow();
  showForm(state);
  writeAddress(state);
  askNow();
}

function addressChanged() {
  state = readAddress();
  if (state.kind === "text") state.word = byId("word").value;
  state.text ||= byId("text").value; // of the other kind, or too long for an address
  writeForm(state);
  askNow(0);
}

function pasted(event) {
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (!/\S\s+\S/u.test(text) || byId("word").value) return; // one word, or into another
  event.preventDefault();
  state = { ...formNow(), kind: "text", text };
  writeForm(state);
  writeAddress(state);
  byId("text").focus();
  askNow();
}

function escaped(event) {
  if (event.key !== "Escape") return;
  event.target.value = "";
  formChanged();
}

function listen() {
  document.addEventListener("input", formChanged);
  byId("question").addEventListener("submit", (event) => event.preventDefault());
  byId("word").addEventListener("paste", pasted);
  for (const id of ["word", "text"]) byId(id).addEventListener("keydown", escaped);
  byId("skip").addEventListener("click", (event) => { event.preventDefault(); byId("results").focus(); });
  byId("reset").addEventListener("click", () => {
    writeForm({ ...readAddress(""), kind: state.kind, word: state.word, text: state.text });
    formChanged();
  });
  window.addEventListener("hashchange", addressChanged);
  window.addEventListener("online", () => askNow(0));
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (!shown || window.innerWidth === width) return; // a phone's keyboard changes the height alone
    width = window.innerWidth;
    drawLattice();
    lookAtSplit(chosen);
  });
}

async function begin() {
  byId("settings").open = matchMedia("(min-width: 55rem)").matches;
  listen();
  writeForm(state);
  if (state.kind === "word" && !state.word) byId("word").focus();
  try {
    const [{ columns }, about] = await Promise.all([ask("columns"), ask("health")]);
    addColumns(columns);
    byId("about").textContent = `${about.model}, hybrid ${about.version}`;
  } catch {
    showProblem("The server does not answer", "is it still running?", "load the page again when it is");
  }
  writeForm(state); // not from the address: somebody may have typed since
  askNow(0);
}

begin();
