// A rejected record: where it stands, why it was rejected, and its text in the file with the cells at fault marked.

import { h } from "./element.js";
import { count, oneLine } from "./format.js";
import { decodeRaw, isMarked, splitRaw } from "./raw.js";
import { said, words } from "./words.js";

/** @typedef {import("../shapes").Reject} Reject */
/** @typedef {import("../shapes").Sheet} Sheet */
/** @typedef {import("../shapes").Task} Task */

/** @param {Reject} reject */
export const placeName = (reject) => String(reject.line ?? reject.cell_ref ?? reject.row_no);

/** @param {Reject} reject */
export const placeText = (reject) =>
  reject.line !== null ? words.line(count(reject.line)) : (reject.cell_ref ?? words.inRow(count(reject.row_no)));

/** @param {Reject} reject */
export function reasonList(reject) {
  const entry = (/** @type {import("../shapes").RejectError} */ e) =>
    h(
      "li",
      {},
      e.column_name && h("bdi", { class: "column" }, oneLine(e.column_name, 60)),
      h("span", { dir: "auto" }, oneLine(said(e), 400)),
      h("code", {}, e.code),
    );
  return h("ul", {}, ...reject.errors.map(entry));
}

/**
 * @param {Reject} reject
 * @param {Sheet} sheet
 * @param {Task} task
 */
export function rawText(reject, sheet, task) {
  if (reject.raw === null) return h("p", { class: "quiet" }, words.rawGone);
  const text = decodeRaw(reject.raw, task.options?.encoding ?? sheet.dialect.encoding);
  const parts = splitRaw(text, sheet.dialect);
  const missing = reject.errors.some((e) => (e.column_no ?? 0) > (parts.at(-1)?.column ?? 0));
  return h(
    "pre",
    { class: "raw", "aria-label": words.rawText, tabindex: "0" },
    ...parts.map(({ text: piece, column }) => {
      const shown = h("bdi", {}, oneLine(piece, 500));
      return column > 0 && isMarked(reject, column) ? h("mark", {}, piece === "" ? "∅" : shown) : shown;
    }),
    missing && h("mark", {}, "∅"), // cells that the record should go on with
  );
}
