// What is asked, in the form and in the address after "#", so that it can be shared and comes back.

import { byId } from "./nodes.js";

const GRANULARITIES = ["fine", "head", "contest"];
const OWN = ["entries", "always", "never"];
const LONGEST_SHARED = 4000; // characters of a text; a longer one would make an address that browsers cut

export const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

const chosen = (name) => document.querySelector(`input[name="${name}"]:checked`).value;

function choose(name, value) {
  const radio = document.querySelector(`input[name="${name}"][value="${CSS.escape(value)}"]`);
  if (radio) radio.checked = true;
}

export function readForm() {
  const state = {
    kind: chosen("kind"), word: byId("word").value, text: byId("text").value, granularity: chosen("granularity"),
    least: Number(byId("least").value), nets: byId("nets").checked,
    off: [...document.querySelectorAll("#columns input:not(:checked)")].map((box) => box.value),
  };
  for (const name of OWN) state[name] = byId(name).value;
  return state;
}

export function writeForm(state) {
  choose("kind", state.kind);
  choose("granularity", state.granularity);
  byId("word").value = state.word;
  byId("text").value = state.text;
  byId("least").value = state.least;
  byId("nets").checked = state.nets;
  for (const box of document.querySelectorAll("#columns input")) box.checked = !state.off.includes(box.value);
  for (const name of OWN) byId(name).value = state[name];
  if (OWN.some((name) => state[name])) byId("own").open = true;
  showForm(state);
}

// What in the form follows from the rest of it.
export function showForm(state) {
  byId("ask-word").hidden = state.kind !== "word";
  byId("ask-text").hidden = state.kind !== "text";
  byId("least-told").textContent = `${state.least} %`;
}

export function readAddress(hash = location.hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const least = Math.round(Number(given.get("least")));
  const granularity = given.get("granularity");
  const state = {
    kind: given.has("text") ? "text" : "word", word: given.get("word") ?? "", text: given.get("text") ?? "",
    granularity: GRANULARITIES.includes(granularity) ? granularity : "fine",
    least: least >= 0 && least <= 100 ? least : 0, nets: given.has("nets"), off: given.getAll("off"),
  };
  for (const name of OWN) state[name] = given.getAll(name).join("\n");
  return state;
}

// All that an address has besides a word or a text.
export function settingsOf(state) {
  const told = new URLSearchParams();
  if (state.granularity !== "fine") told.set("granularity", state.granularity);
  if (state.least) told.set("least", state.least);
  if (state.nets) told.set("nets", "1");
  for (const name of state.off) told.append("off", name);
  for (const name of OWN) for (const line of lines(state[name])) told.append(name, line);
  return told.toString();
}

// What follows "#": the word or the text first, if there is one, then the settings.
export const addressOf = (asked, settings) =>
  [new URLSearchParams(asked).toString(), settings].filter(Boolean).join("&").replaceAll("+", "%20");

export function writeAddress(state) {
  const text = state.text.length <= LONGEST_SHARED ? state.text : "";
  const word = state.word ? { word: state.word } : {};
  const hash = addressOf(state.kind === "text" ? { text } : word, settingsOf(state));
  try {
    history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
  } catch {
    // Browsers allow it so many times a minute, and so many characters; the answer matters more than the address.
  }
}

// What the server is asked.
export function bodyOf(state) {
  const body = {
    granularity: state.granularity, min_probability: state.least / 100, without: state.off, nets: state.nets,
  };
  for (const name of OWN) body[name] = lines(state[name]);
  return state.kind === "word" ? { ...body, word: state.word.trim(), k: 8 } : { ...body, text: state.text };
}
