// The tables that files go into, and of each what was loaded, which can be undone.

import { isAbort, read } from "./api.js";
import { h, icon, show } from "./element.js";
import { fault } from "./faults.js";
import { count, oneLine, time } from "./format.js";
import { loadsView } from "./loads.js";
import { address } from "./route.js";
import { statement } from "./sql.js";
import { tableRows } from "./table_rows.js";
import { mayLoad, readTables, tableName, typeName } from "./target.js";
import { words } from "./words.js";
import { tableWords } from "./words_tables.js";

/** @typedef {import("../shapes").Target} Target */
/** @typedef {import("./route.js").Place} Place */

/** @param {Place} start */
export function tablesView(start) {
  const stop = new AbortController();
  const title = h("h1", { tabindex: "-1" });
  const facts = h("p", { class: "facts" });
  const back = h(
    "a",
    { class: "back", href: start.target ? "/tables" : "/", "aria-label": start.target ? tableWords.allTables : words.back },
    icon("back"),
  );
  const body = h("div", { class: "body scroll" });
  const element = h(
    "section",
    { class: "file tables" },
    h("div", { class: "head" }, back, h("div", { class: "title" }, title, facts)),
    body,
  );
  /** @type {ReturnType<typeof loadsView> | undefined} */
  let loads;

  async function load() {
    show(body, h("p", { class: "quiet", role: "status" }, words.loading));
    try {
      if (start.target) await one(start.target);
      else await all();
    } catch (error) {
      if (!isAbort(error)) show(body, fault(error, load));
    }
  }

  async function all() {
    head(tableWords.tables);
    const found = await readTables(stop.signal);
    const card = (/** @type {Target} */ t) =>
      h(
        "li",
        {},
        h(
          "a",
          { class: "card", href: address({ tables: true, target: t.id }) },
          h(
            "span",
            {},
            h("strong", {}, h("bdi", {}, oneLine(t.name, 80))),
            h("small", {}, h("bdi", {}, oneLine(tableName(t), 80)), " · ", time(t.created_at)),
          ),
          !mayLoad(t) && h("small", {}, tableWords.readOnly),
        ),
      );
    const none = h(
      "div",
      { class: "state" },
      h("p", { class: "headline" }, tableWords.noTables),
      h("p", {}, tableWords.noTablesHint),
      h("a", { class: "button", href: "/" }, words.toList),
    );
    show(body, found.length === 0 ? none : h("section", { class: "panel" }, h("ul", { class: "cards" }, ...found.map(card))));
  }

  /** @param {string} id */
  async function one(id) {
    const target = /** @type {Target} */ (await read("/targets/" + id, stop.signal));
    const { columns, key } = /** @type {import("../shapes").TargetDefinition} */ (target.definition);
    head(target.name, tableName(target), tableWords.columnCount(count(columns.length)), key && `${tableWords.key}: ${key.join(", ")}`);
    const rows = tableRows(target, stop.signal);
    loads = loadsView(target, { ...start }, stop.signal, rows.reload);
    show(
      body,
      h("section", { class: "panel" }, statement(`select * from ${sqlName(target)}`), definition(target), loads.element, rows.element),
    );
  }

  /**
   * @param {string} name
   * @param {...(string | undefined)} told
   */
  function head(name, ...told) {
    document.title = `${oneLine(name, 80)} – ${words.title}`;
    show(title, h("bdi", {}, oneLine(name, 120)));
    show(facts, ...told.map((text) => text && h("bdi", {}, oneLine(text, 120))));
  }

  load();
  return {
    element,
    /** @param {Place} now */
    update(now) {
      if (!now.tables || now.target !== start.target) return false;
      loads?.update(now);
      return true;
    },
    close: () => stop.abort(),
  };
}

/** @param {Target} target */
function definition(target) {
  const { columns, key } = /** @type {import("../shapes").TargetDefinition} */ (target.definition);
  const row = (/** @type {import("../shapes").TargetColumn} */ c) =>
    h(
      "tr",
      {},
      h("td", {}, h("bdi", {}, oneLine(c.name, 80)), c.label && h("small", {}, h("bdi", {}, oneLine(c.label, 80)))),
      h("td", {}, h("span", { class: "badge " + c.type }, typeName(c.type))),
      h("td", {}, key?.includes(c.name) ? tableWords.key : c.required ? tableWords.required : ""),
    );
  const list = h("div", { class: "tablebox" }, h("table", {}, h("tbody", {}, ...columns.map(row))));
  return h("details", { class: "definition" }, h("summary", {}, tableWords.columns), list);
}

/**
 * A table's name as SQL reads it.
 *
 * @param {Target} target
 */
function sqlName({ table }) {
  return [table.schema, table.name].map((name) => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`)).join(".");
}
