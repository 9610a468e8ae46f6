// The records that were not loaded, each with its place, its reasons and its text with the cells at fault marked.

import { isAbort, read } from "./api.js";
import { h, show } from "./element.js";
import { fault } from "./faults.js";
import { count, oneLine } from "./format.js";
import { copyText } from "./notices.js";
import { decodeRaw, splitRaw } from "./raw.js";
import { address } from "./route.js";
import { said, words } from "./words.js";

/** @typedef {import("../shapes").Reject} Reject */
/** @typedef {import("../shapes").Sheet} Sheet */
/** @typedef {import("../shapes").Task} Task */
/** @typedef {import("./route.js").Place} Place */

const pageSize = 100;

/**
 * @param {Task} task
 * @param {Sheet} sheet
 * @param {Place} place
 */
export function rejectsView(task, sheet, place) {
  const stop = new AbortController();
  const list = h("ol", { class: "rejects" });
  const end = h("div", { class: "more" });
  const csv = `/api/tasks/${task.id}/sheets/${sheet.number}/rejects?format=csv`;
  const element = h(
    "section",
    { class: "sheet rejects-view" },
    sheet.rows_rejected > 0 &&
      h(
        "div",
        { class: "tools" },
        h("span", {}, words.rejectsShown),
        h("span", { class: "gap" }),
        h("a", { class: "button", href: csv, download: true }, words.exportRejects),
      ),
    h("div", { class: "scroll" }, list, end),
  );
  /** @type {string | null} */
  let next = null;

  async function more() {
    show(end, h("p", { class: "quiet", role: "status" }, words.loading));
    try {
      const cursor = next ? "&cursor=" + encodeURIComponent(next) : "";
      const page = /** @type {import("../shapes").List<Reject>} */ (
        await read(`/tasks/${task.id}/sheets/${sheet.number}/rejects?limit=${pageSize}${cursor}`, stop.signal)
      );
      next = page.next;
      list.append(...page.items.map((reject) => entry(reject, sheet, task, place)));
      const none = list.childElementCount === 0;
      show(
        end,
        none && h("div", { class: "state" }, words.noRejects),
        next && h("button", { type: "button", onclick: more }, words.loadMore),
      );
      reveal();
    } catch (error) {
      if (!isAbort(error)) show(end, fault(error, more));
    }
  }

  /** Goes to the reject that the address names; pages are read until it is there. */
  function reveal() {
    if (!place.reject) return;
    const found = document.getElementById("reject-" + place.reject);
    if (!found) return void (next && more());
    found.scrollIntoView({ block: "center" });
    found.focus({ preventScroll: true });
    place = { ...place, reject: undefined };
  }

  more();
  return { element, close: () => stop.abort() };
}

/**
 * @param {Reject} reject
 * @param {Sheet} sheet
 * @param {Task} task
 * @param {Place} place
 */
function entry(reject, sheet, task, place) {
  const id = `${reject.row_no}.${reject.error_no}`;
  const link = address({ file: place.file, task: place.task, sheet: sheet.number, rejects: true, reject: id });
  const where = reject.line !== null ? words.line(count(reject.line)) : (reject.cell_ref ?? words.inRow(count(reject.row_no)));
  return h(
    "li",
    { id: "reject-" + id, tabindex: "-1" },
    h(
      "div",
      { class: "reasons" },
      h("a", { class: "where", href: link, title: words.link, onclick: () => copyText(location.origin + link) }, where),
      h(
        "ul",
        {},
        ...reject.errors.map((e) =>
          h(
            "li",
            {},
            e.column_name && h("bdi", { class: "column" }, oneLine(e.column_name, 60)),
            h("span", { dir: "auto" }, oneLine(said(e), 400)),
            h("code", {}, e.code),
          ),
        ),
      ),
    ),
    rawText(reject, sheet, task),
  );
}

/**
 * @param {Reject} reject
 * @param {Sheet} sheet
 * @param {Task} task
 */
function rawText(reject, sheet, task) {
  if (reject.raw === null) return h("p", { class: "quiet" }, words.rawGone);
  const text = decodeRaw(reject.raw, task.options?.encoding ?? sheet.dialect.encoding);
  const parts = splitRaw(text, sheet.dialect);
  const marked = (/** @type {number} */ column) =>
    reject.errors.some((e) => e.column_no !== null && column >= e.column_no && column <= (e.last_column_no ?? e.column_no));
  const missing = reject.errors.some((e) => (e.column_no ?? 0) > (parts.at(-1)?.column ?? 0));
  return h(
    "pre",
    { class: "raw", "aria-label": words.rawText, tabindex: "0" },
    ...parts.map(({ text: piece, column }) => {
      const shown = h("bdi", {}, oneLine(piece, 500));
      return column > 0 && marked(column) ? h("mark", {}, piece === "" ? "∅" : shown) : shown;
    }),
    missing && h("mark", {}, "∅"), // cells that the record should go on with
  );
}
