// Which table a sheet goes into: one of those that are there, or a new one.

import { isAbort } from "./api.js";
import { h, icon, show } from "./element.js";
import { fault, loading } from "./faults.js";
import { oneLine, time } from "./format.js";
import { address } from "./route.js";
import { mayLoad, readTables, tableName } from "./target.js";
import { tableWords } from "./words_tables.js";

/** @param {import("./into.js").Source} source */
export function chooseTable({ place, signal }) {
  const list = h("div", {}, loading());
  const element = h(
    "section",
    { class: "panel choose" },
    h("h2", {}, tableWords.which),
    h(
      "a",
      { class: "card new", href: address({ ...place, target: "new" }), id: "new-table" },
      icon("columns"),
      h("span", {}, h("strong", {}, tableWords.makeNew), h("small", {}, tableWords.makeNewHint)),
    ),
    list,
  );

  async function load() {
    try {
      const all = await readTables(signal);
      if (all.length === 0) return show(list, h("p", { class: "quiet" }, tableWords.noTables));
      show(list, h("ul", { class: "cards" }, ...all.map((target) => h("li", {}, card(target)))));
    } catch (error) {
      if (!isAbort(error)) show(list, fault(error, load));
    }
  }

  /** @param {import("../shapes").Target} target */
  function card(target) {
    const name = h("strong", {}, h("bdi", {}, oneLine(target.name, 80)));
    const facts = h("small", {}, h("bdi", {}, oneLine(tableName(target), 80)), " · ", time(target.created_at));
    if (mayLoad(target)) return h("a", { class: "card", href: address({ ...place, target: target.id }) }, h("span", {}, name, facts));
    return h("div", { class: "card closed" }, h("span", {}, name, facts, h("small", { class: "warn" }, tableWords.notForLoading)));
  }

  load();
  return { element };
}
