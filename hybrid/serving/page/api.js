// What /openapi.json describes, as a list to read.

import { byId, html } from "./nodes.js";
import { ask } from "./asking.js";

const resolved = (all, schema) => (schema?.$ref ? all.components.schemas[schema.$ref.split("/").at(-1)] : schema);

function optionsOf(all, operation) {
  const query = (operation.parameters ?? []).map((one) => [one.name, one.description ?? one.schema?.description, one.required]);
  const body = resolved(all, operation.requestBody?.content?.["application/json"]?.schema);
  const required = body?.required ?? [];
  return [...query, ...Object.entries(body?.properties ?? {}).map(([name, one]) => [name, one.description, required.includes(name)])];
}

const listOf = (options) =>
  html("dl", {}, ...options.flatMap(([name, what]) => [html("dt", {}, name), html("dd", {}, what ?? "")]));

const more = (options) =>
  options.length ? html("details", {}, html("summary", {}, `${options.length} options`), listOf(options)) : "";

function sectionOf(all, path, method, operation) {
  const options = optionsOf(all, operation);
  return html("section", {}, html("h2", {}, html("b", {}, method.toUpperCase()), " ", path),
    html("p", {}, operation.description ?? ""),
    listOf(options.filter(([, , required]) => required)), more(options.filter(([, , required]) => !required)));
}

try {
  const all = await ask("openapi.json");
  byId("list").replaceChildren(...Object.entries(all.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => sectionOf(all, path, method, operation))));
} catch {
  byId("list").replaceChildren(html("p", { class: "notice" }, "The server does not answer."));
}
