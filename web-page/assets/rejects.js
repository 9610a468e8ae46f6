// The records that were not loaded, each with its place, its reasons and its text with the cells at fault marked.

import { isAbort, read } from "./api.js";
import { draft, keepDraft } from "./drafts.js";
import { h, icon, show } from "./element.js";
import { fault, loading } from "./faults.js";
import { count } from "./format.js";
import { canCorrect, correctView } from "./correct.js";
import { copyText } from "./notices.js";
import { placeText, rawText, reasonList } from "./reject.js";
import { address } from "./route.js";
import { words } from "./words.js";

/** @typedef {import("../shapes").Reject} Reject */
/** @typedef {import("../shapes").Sheet} Sheet */
/** @typedef {import("../shapes").Task} Task */
/** @typedef {import("./route.js").Place} Place */

const pageSize = 100;

/**
 * @param {Task} task
 * @param {Sheet} sheet
 * @param {Place} start
 * @param {() => void} onCorrected
 */
export function rejectsView(task, sheet, start, onCorrected) {
  const report = h("div", {});
  const holder = h("div", { class: "inner" });
  const element = h("section", { class: "sheet rejects-view" }, report, holder);
  const results = `corrected.${task.id}.${sheet.number}`;
  /** @type {{ element: HTMLElement, close: () => void }} */
  let inner;
  let place = start;

  function draw() {
    inner?.close();
    inner = place.correct && canCorrect(task, sheet) ? correctView(task, sheet, onCorrected) : rejectList(task, sheet, place);
    show(holder, modes(), inner.element);
  }

  function modes() {
    if (sheet.rows_rejected === 0) return undefined;
    const at = { file: place.file, task: place.task, sheet: sheet.number, rejects: true };
    const correcting = place.correct && canCorrect(task, sheet);
    const base = `/api/tasks/${task.id}/sheets/${sheet.number}/rejects?format=`;
    return h(
      "div",
      { class: "tools" },
      h("span", {}, words.rejectsShown),
      h("span", { class: "gap" }),
      !correcting && [
        h("a", { class: "button", href: base + "csv", download: true }, words.exportRejects),
        h("a", { class: "button", href: base + "xlsx", download: true }, words.correct.workbook),
      ],
      canCorrect(task, sheet) &&
        h(
          "a",
          { class: `button${correcting ? "" : " primary"}`, id: "correct", href: address({ ...at, correct: !correcting }) },
          correcting ? words.correct.list : words.correct.here,
        ),
    );
  }

  /** What became of the records that were sent. */
  function drawReport() {
    const total = draft(results);
    if (!total) return show(report);
    const dismiss = () => (keepDraft(results, undefined), drawReport());
    show(
      report,
      h(
        "div",
        { class: "corrected", role: "status" },
        h("strong", {}, words.correct.accepted(count(total.accepted))),
        total.rejected > 0 && h("a", { href: `/files/${total.file}/sheets/1/rejects` }, words.correct.stillRejected(count(total.rejected))),
        total.unchanged > 0 && h("span", {}, words.correct.alreadyThere(count(total.unchanged))),
        h("span", { class: "gap" }),
        h("button", { type: "button", class: "bare", "aria-label": words.dismiss, onclick: dismiss }, icon("close")),
      ),
    );
  }

  drawReport();
  draw();
  return {
    element,
    /** @param {Place} now */
    update(now) {
      const other = Boolean(now.correct) !== Boolean(place.correct);
      place = now;
      if (other) draw();
    },
    close: () => inner.close(),
  };
}

/**
 * The rejects one below the other, each with its reasons and its text.
 *
 * @param {Task} task
 * @param {Sheet} sheet
 * @param {Place} place
 */
function rejectList(task, sheet, place) {
  const stop = new AbortController();
  const list = h("ol", { class: "rejects" });
  const end = h("div", { class: "more" });
  /** @type {string | null} */
  let next = null;

  async function more() {
    show(end, loading());
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
  return { element: h("div", { class: "scroll" }, list, end), close: () => stop.abort() };
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
  const copyLink = () => copyText(location.origin + link);
  const where = h("a", { class: "where", href: link, title: words.link, onclick: copyLink }, placeText(reject));
  return h(
    "li",
    { id: "reject-" + id, tabindex: "-1" },
    h("div", { class: "reasons" }, where, reasonList(reject)),
    rawText(reject, sheet, task),
  );
}
