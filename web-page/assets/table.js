// One of the tables that files go into: its rows and loads, its columns, with whom it is shared, and what is remembered of its files.

import { isAbort, read } from "./api.js";
import { choicesView } from "./choices.js";
import { defineView } from "./define.js";
import { dropDialog } from "./droptable.js";
import { h, icon, show } from "./element.js";
import { fault, loading } from "./faults.js";
import { count, oneLine } from "./format.js";
import { loadsView } from "./loads.js";
import { address } from "./route.js";
import { sharingView } from "./sharing.js";
import { statement } from "./sql.js";
import { tableRows } from "./table_rows.js";
import { isOwn, tableName } from "./target.js";
import { words } from "./words.js";
import { defineWords } from "./words_define.js";
import { tableWords } from "./words_tables.js";

/** @typedef {import("../shapes").Target} Target */
/** @typedef {import("./route.js").Place} Place */

/** @param {Place} start */
export function tableView(start) {
  const stop = new AbortController();
  const title = h("h1", { tabindex: "-1" });
  const facts = h("p", { class: "facts" });
  const actions = h("div", { class: "actions" });
  const parts = h("nav", { class: "parts", "aria-label": tableWords.parts });
  const body = h("div", { class: "body scroll" });
  const element = h(
    "section",
    { class: "file tables" },
    h(
      "div",
      { class: "head" },
      h("a", { class: "back", href: "/tables", "aria-label": tableWords.allTables }, icon("back")),
      h("div", { class: "title" }, title, facts),
      actions,
    ),
    h("div", { class: "tabs" }, parts),
    body,
  );
  let place = start;
  /** @type {Target | undefined} */
  let target;
  /** @type {ReturnType<typeof loadsView> | undefined} */
  let loads;

  async function load() {
    show(body, loading());
    try {
      target = /** @type {Target} */ (await read("/targets/" + start.target, stop.signal));
      draw(target);
    } catch (error) {
      if (!isAbort(error)) show(body, fault(error, load));
    }
  }

  /** @param {Target} of */
  function draw(of) {
    drawHead(of);
    drawTabs(of);
    loads = undefined;
    show(body, h("section", { class: "panel" }, ...part(of)));
  }

  /** @param {Target} of */
  function drawHead(of) {
    const { columns, key } = /** @type {import("../shapes").TargetDefinition} */ (of.definition);
    const told = [tableName(of), tableWords.columnCount(count(columns.length)), key && `${tableWords.key}: ${key.join(", ")}`];
    document.title = `${oneLine(of.name, 80)} – ${words.title}`;
    show(title, h("bdi", {}, oneLine(of.name, 120)));
    show(facts, ...told.map((text) => text && h("bdi", {}, oneLine(text, 120))));
    const drop = () => dropDialog(of);
    show(
      actions,
      isOwn(of) &&
        h("button", { type: "button", id: "drop", "aria-label": defineWords.drop, title: defineWords.drop, onclick: drop }, icon("trash")),
    );
  }

  /** @param {Target} of */
  function drawTabs(of) {
    const tab = (/** @type {import("./route.js").TablePart | undefined} */ part, /** @type {string} */ name) => {
      const href = address({ tables: true, target: of.id, part });
      return h("a", { href, "aria-current": part === place.part ? "page" : undefined }, name);
    };
    show(
      parts,
      tab(undefined, words.tabRows),
      tab("columns", tableWords.columns),
      isOwn(of) && tab("sharing", defineWords.sharing),
      tab("choices", defineWords.choices),
    );
  }

  /** @param {Target} of */
  function part(of) {
    if (place.part === "columns") return [defineView(of, stop.signal, changed)];
    if (place.part === "choices") return [choicesView(of, stop.signal)];
    if (place.part === "sharing" && isOwn(of)) return [sharingView(of, stop.signal)];
    const rows = tableRows(of, stop.signal);
    loads = loadsView(of, { ...place }, stop.signal, rows.reload);
    return [statement(`select * from ${sqlName(of)}`), loads.element, rows.element];
  }

  /** @param {Target} now */
  function changed(now) {
    target = now;
    draw(now);
    title.focus({ preventScroll: true });
  }

  load();
  return {
    element,
    /** @param {Place} now */
    update(now) {
      if (!now.tables || now.target !== start.target) return false;
      const samePart = now.part === place.part;
      place = now;
      if (samePart) loads?.update(now);
      else if (target) {
        draw(target);
        title.focus({ preventScroll: true });
        body.scrollTop = 0;
      }
      return true;
    },
    close: () => stop.abort(),
  };
}

/**
 * A table's name as SQL reads it.
 *
 * @param {Target} target
 */
function sqlName({ table }) {
  return [table.schema, table.name].map((name) => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`)).join(".");
}
