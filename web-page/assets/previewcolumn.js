// Says of a column of a preview what its cells are: a type, and how they are written where that can be read in several ways.

import { h } from "./element.js";
import { oneLine } from "./format.js";
import { words } from "./words.js";

/** @typedef {import("../shapes").Column} Column */
/** @typedef {(name: string, rule: string) => void} Declare a rule is TYPE or TYPE;format=…, or "" for what is detected */

/** Whether the option can name a column: what stands behind a semicolon or on another line is no name. @param {Column} column */
const canDeclare = (column) => !/[;\r\n]/.test(column.name);

/**
 * The column that people are likely to look at first: one that can be read in several ways.
 *
 * @param {Column[]} columns
 */
export const doubtful = (columns) => columns.find((c) => c.ambiguous && canDeclare(c));

/**
 * @param {Column} column
 * @param {Declare} declare
 */
export function columnChoice(column, declare) {
  if (!canDeclare(column)) return undefined;
  const name = oneLine(column.label || column.name, 40);
  const label = column.ambiguous ? words.preview.doubtful(name) : `${words.preview.column}: ${name}`;
  const select = h("select", { "aria-label": label, name: "column-type", onchange: () => choose(select.value) });
  select.append(...ways(column).map(({ rule, text }) => h("option", { value: rule }, text)));
  /** @param {string} rule */
  const choose = (rule) => declare(column.name, rule === "auto" ? "" : rule);
  return h("label", { class: column.ambiguous ? "doubtful" : "" }, h("bdi", {}, label), select);
}

/**
 * @param {Column} column
 * @returns {{ rule: string, text: string }[]} the way in which it is read now, and others
 */
function ways(column) {
  const types = /** @type {(keyof typeof words.type)[]} */ (Object.keys(words.type));
  const name = (/** @type {string} */ type) => words.type[/** @type {keyof typeof words.type} */ (type)] ?? type;
  const now = { rule: "now", text: [name(column.type), column.format].filter(Boolean).join(" · ") };
  const formats = (column.ambiguous ?? []).map((format) => {
    const type = typeOf(format);
    return { rule: `${type};format=${format}`, text: `${name(type)} · ${format}` };
  });
  const others = types.filter((type) => type !== column.type).map((type) => ({ rule: type, text: name(type) }));
  return [now, ...formats, ...others, { rule: "auto", text: words.auto }];
}

/**
 * The type of values that are written in a format.
 *
 * @param {string} format
 */
function typeOf(format) {
  if (!/[0#]/.test(format)) return /h/i.test(format) ? "timestamp" : "date";
  return /[.,]0$|%$/.test(format) ? "decimal" : "integer";
}
