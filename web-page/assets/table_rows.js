// The rows of a table, a page at a time, with the file that each came from.

import { isAbort, Problem, read } from "./api.js";
import { h, show } from "./element.js";
import { fault, loading } from "./faults.js";
import { count, oneLine } from "./format.js";
import { words } from "./words.js";
import { tableWords } from "./words_tables.js";

/** @typedef {import("../shapes").TargetRows} TargetRows */

const pageSize = 50;
const provenance = new Set(["_load", "_row", "_file", "_edited"]);
const numeric = new Set(["integer", "decimal"]);

/**
 * @param {import("../shapes").Target} target
 * @param {AbortSignal} signal
 */
export function tableRows(target, signal) {
  const path = `/targets/${target.id}/rows`;
  const heads = h("tr");
  const list = h("tbody");
  const end = h("div", { class: "more" });
  const table = h("div", { class: "tablebox", role: "region", "aria-label": tableWords.rowsTitle, tabindex: "0", hidden: true });
  table.append(h("table", { class: "rows" }, h("thead", {}, heads), list));
  const exports = ["csv", "xlsx"].map((format) =>
    h("a", { class: "button", href: `/api${path}?format=${format}`, download: true }, format === "csv" ? "CSV" : "Excel"),
  );
  const tools = h("span", { class: "buttons", hidden: true }, ...exports);
  const element = h("section", { class: "rows" }, h("div", { class: "told" }, h("h2", {}, tableWords.rowsTitle), tools), table, end);

  /** @param {string} cursor */
  async function load(cursor) {
    show(end, loading());
    try {
      const page = /** @type {TargetRows} */ (await read(`${path}?provenance=true&limit=${pageSize}${cursor}`, signal));
      draw(page);
      const more = () => load("&cursor=" + encodeURIComponent(page.next ?? ""));
      show(
        end,
        list.childElementCount === 0 && h("p", { class: "quiet" }, tableWords.noRows),
        page.next && h("button", { type: "button", onclick: more }, words.loadMore),
      );
    } catch (error) {
      if (isAbort(error)) return;
      const notForReading = error instanceof Problem && error.code === "not_permitted";
      show(end, notForReading ? h("p", { class: "quiet" }, tableWords.notForReading) : fault(error, () => load(cursor)));
    }
  }

  /** @param {TargetRows} page */
  function draw({ columns, rows }) {
    const at = (/** @type {string} */ name) => columns.findIndex((c) => c.name === name);
    const [file, row, edited] = [at("_file"), at("_row"), at("_edited")];
    const own = columns.flatMap((c, i) => (provenance.has(c.name) ? [] : [i]));
    const from = (/** @type {import("../shapes").Cell[]} */ cells) =>
      cells[file] === null ? tableWords.byHand : `${oneLine(String(cells[file]), 40)}, ${words.inRow(count(Number(cells[row])))}`;
    const cell = (/** @type {import("../shapes").Cell} */ value, /** @type {number} */ i) =>
      h("td", { class: numeric.has(columns[i].type) ? "number" : "" }, h("bdi", {}, value === null ? "" : oneLine(String(value), 120)));
    if (list.childElementCount === 0) {
      const head = (/** @type {number} */ i) =>
        h("th", { scope: "col", class: numeric.has(columns[i].type) ? "number" : "" }, h("bdi", {}, oneLine(columns[i].name, 60)));
      show(heads, ...own.map(head), h("th", { scope: "col" }, tableWords.comesFrom));
      table.hidden = tools.hidden = rows.length === 0;
    }
    list.append(
      ...rows.map((cells) =>
        h(
          "tr",
          {},
          ...own.map((i) => cell(cells[i], i)),
          h("td", { class: "from" }, h("bdi", {}, from(cells)), cells[edited] === true && h("small", {}, tableWords.edited)),
        ),
      ),
    );
  }

  load("");
  return {
    element,
    /** Shows the rows as they are by now. */
    reload() {
      show(list);
      load("");
    },
  };
}
