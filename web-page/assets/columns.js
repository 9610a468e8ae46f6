// How a column looks in a table: its name, its type, how many of its cells are filled, and how wide it is.

import { fillBar, h } from "./element.js";
import { oneLine } from "./format.js";
import { words } from "./words.js";

const numeric = new Set(["integer", "decimal"]);

/**
 * @param {import("../shapes").Column} column
 * @param {number} rows of its sheet
 * @returns {import("./grid.js").GridColumn}
 */
export function gridColumn(column, rows) {
  const label = oneLine(column.label || column.name, 100);
  const least = column.type === "text" ? Math.min(column.longest, 20) : Math.min(column.longest + 1, 24); // numbers and dates are seen whole
  const widest = Math.max(least, 1.15 * displayWidth(label), ...(column.examples ?? []).map((e) => displayWidth(oneLine(e, 60))), 4);
  const filled = 1 - (column.nulls + column.empty) / Math.max(1, rows);
  return {
    label,
    width: Math.max(72, Math.min(320, widest * 8.3 + 28)),
    numeric: numeric.has(column.type),
    head: [h("bdi", { class: "label" }, label), typeBadge(column.type), fillBar(filled)],
  };
}

/** @param {string} type */
export function typeBadge(type) {
  return h("span", { class: "badge " + type }, words.type[/** @type {keyof typeof words.type} */ (type)] ?? type);
}

/** @param {string} text */
export function displayWidth(text) {
  let width = 0;
  for (const c of text) width += /[\u1100-\u115f\u2e80-\uff60\uffe0-\uffe6]/.test(c) ? 1.8 : 1;
  return width;
}
