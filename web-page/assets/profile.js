// What is known about the values of a column.

import { fillBar, h } from "./element.js";
import { count, oneLine } from "./format.js";
import { distribution } from "./glance.js";
import { words } from "./words.js";

/** @typedef {keyof typeof words.type} Type */

/**
 * @param {import("../shapes").Column} column
 * @param {import("../shapes").Sheet} sheet
 * @param {import("./distribution.js").Distribution} [known]
 */
export function profile(column, sheet, known) {
  const rows = Math.max(1, sheet.rows_loaded || sheet.rows_read);
  const empty = column.nulls + column.empty;
  const exact = column.distinct <= 192; // above it is an estimate
  /** @type {[string, Node | string | false][]} */
  const facts = [
    [words.format, column.format ? h("code", {}, h("bdi", {}, column.format)) : false],
    [words.empty, share(empty, rows)],
    [words.distinct, (exact ? "" : "≈ ") + count(column.distinct)],
    [words.least, column.min !== undefined && value(column.min)],
    [words.greatest, column.max !== undefined && value(column.max)],
    [words.longest, words.characters(count(column.longest))],
    [words.ambiguous, column.ambiguous ? h("code", {}, column.ambiguous.join(", ")) : false],
  ];
  return h(
    "section",
    { class: "profile", "aria-label": words.profile },
    h(
      "h2",
      {},
      h("bdi", {}, oneLine(column.label || column.name, 80)),
      h("span", { class: "badge " + column.type }, words.type[/** @type {Type} */ (column.type)] ?? column.type),
    ),
    h("dl", {}, ...facts.filter(([, v]) => v).map(([name, v]) => h("div", {}, h("dt", {}, name), h("dd", {}, v)))),
    known && distribution(column, known),
    column.examples && [h("h3", {}, words.examples), h("ul", { class: "values" }, ...column.examples.map((e) => h("li", {}, value(e))))],
    column.nearly && [
      h("h3", {}, words.nearly(words.type[/** @type {Type} */ (column.nearly.type)] ?? column.nearly.type, count(column.nearly.count))),
      h(
        "ul",
        { class: "values" },
        ...column.nearly.misfits.map((m) => h("li", {}, value(m.value), h("small", {}, words.inRow(count(m.row))))),
      ),
    ],
  );
}

/** @param {string} text */
const value = (text) => h("bdi", {}, oneLine(text, 80));

/**
 * @param {number} part
 * @param {number} of
 */
function share(part, of) {
  const meter = fillBar(part / of);
  return h("span", { class: "share" }, `${count(part)} (${Math.round((1000 * part) / of) / 10} %)`, meter);
}
