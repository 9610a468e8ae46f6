// The tables that files go into.

import { isAbort } from "./api.js";
import { h, icon, show } from "./element.js";
import { fault, loading } from "./faults.js";
import { oneLine, time } from "./format.js";
import { address } from "./route.js";
import { mayLoad, readTables, tableName } from "./target.js";
import { words } from "./words.js";
import { tableWords } from "./words_tables.js";
import { hookWords } from "./words_webhooks.js";

export function tablesView() {
  const stop = new AbortController();
  const body = h("div", { class: "body scroll" });
  const head = h(
    "div",
    { class: "head" },
    h("a", { class: "back", href: "/", "aria-label": words.back }, icon("back")),
    h("div", { class: "title" }, h("h1", { tabindex: "-1" }, tableWords.tables)),
    h("a", { class: "button", href: address({ webhooks: true }) }, hookWords.title),
  );
  document.title = `${tableWords.tables} – ${words.title}`;

  async function load() {
    show(body, loading());
    try {
      const found = await readTables(stop.signal);
      show(body, found.length === 0 ? none() : h("section", { class: "panel" }, h("ul", { class: "cards" }, ...found.map(card))));
    } catch (error) {
      if (!isAbort(error)) show(body, fault(error, load));
    }
  }

  load();
  return {
    element: h("section", { class: "file tables" }, head, body),
    /** @param {import("./route.js").Place} now */
    update: (now) => Boolean(now.tables && !now.target),
    close: () => stop.abort(),
  };
}

function none() {
  return h(
    "div",
    { class: "state" },
    h("p", { class: "headline" }, tableWords.noTables),
    h("p", {}, tableWords.noTablesHint),
    h("a", { class: "button", href: "/" }, words.toList),
  );
}

/** @param {import("../shapes").Target} t */
function card(t) {
  const name = h("strong", {}, h("bdi", {}, oneLine(t.name, 80)));
  const facts = h("small", {}, h("bdi", {}, oneLine(tableName(t), 80)), " · ", time(t.created_at));
  const link = h("a", { class: "card", href: address({ tables: true, target: t.id }) }, h("span", {}, name, facts));
  if (!mayLoad(t)) link.append(h("small", {}, tableWords.readOnly));
  return h("li", {}, link);
}
