// The view of one file: where it stands, and once it has been read, its sheets.

import { isAbort, read, send } from "./api.js";
import { deleteFiles } from "./bulk.js";
import { decisionsDialog } from "./decisions.js";
import { h, icon, show } from "./element.js";
import { exportMenu } from "./export.js";
import { failure, fault, loading, nothingHere } from "./faults.js";
import { about, ago, count, duration, oneLine, size, time } from "./format.js";
import { fileOf, isOpen, onLibrary, put } from "./library.js";
import { lifeDialog } from "./life.js";
import { bar, dot } from "./list.js";
import { undoOutcome } from "./loads.js";
import { notify } from "./notices.js";
import { intoNote, links, summary } from "./outcome.js";
import { rejectsView } from "./rejects.js";
import { address, go, here } from "./route.js";
import { isReading, newestReading, requestOf } from "./run.js";
import { firstOf, sheetView } from "./sheet.js";
import { sqlDialog } from "./sql.js";
import { words } from "./words.js";
import { listWords } from "./words_list.js";
import { tableWords } from "./words_tables.js";

/** @typedef {import("./route.js").Place} Place */
/** @typedef {import("../shapes").FileDetail} FileDetail */
/** @typedef {import("../shapes").Task} Task */
/** @typedef {import("../shapes").Sheet} Sheet */

/** @param {Place} start */
export function fileView(start) {
  const stop = new AbortController();
  const head = h("div", { class: "head" });
  const body = h("div", { class: "body" });
  const element = h("section", { class: "file" }, head, body);
  let place = start;
  /** @type {FileDetail | undefined} */
  let file;
  /** @type {Task | undefined} that of the address, or the newest one */
  let task;
  /** @type {Task | undefined} whose sheets are shown: where the newest one has gone into a table, the one before that has rows to look at */
  let shown;
  /** @type {Sheet[] | undefined} */
  let sheets;
  /** @type {{ close: () => void, update?: (place: Place) => void } | undefined} */
  let inner;
  let drawn = "";

  async function load() {
    show(body, loading());
    try {
      file = fileOf(start.file ?? "") ?? (await read("/files/" + start.file, stop.signal));
      task = place.task && place.task !== file?.task.id ? await read("/tasks/" + place.task, stop.signal) : file?.task;
      if (file) put(file);
      draw();
    } catch (error) {
      fail(error, load);
    }
  }

  /**
   * @param {unknown} error
   * @param {() => void} again
   */
  function fail(error, again) {
    if (isAbort(error) || stop.signal.aborted) return;
    drawn = "";
    show(body, fault(error, again));
  }

  /** Follows the task of the list, which is the newest one. */
  function follow() {
    if (!file) return;
    const known = fileOf(file.id);
    if (!known) return;
    if (!place.task || place.task === known.task.id) task = known.task;
    file = known;
    draw();
  }

  async function draw() {
    if (!file || !task) return;
    document.title = `${oneLine(file.name, 80)} – ${words.title}`;
    const stage = [task.id, task.status, task.rows_deleted_at, file.same_as?.id].join();
    if (stage !== drawn) {
      shown = undefined;
      drawHead(file, task);
    }
    if (isOpen(task)) {
      inner?.close();
      inner = undefined;
      progress(task, stage !== drawn);
      drawn = stage;
      return;
    }
    if (stage === drawn) return;
    drawn = stage;
    inner?.close();
    inner = undefined;
    if (task.rows_deleted_at) return show(body, state(words.rowsDeleted, againButton()));
    if (task.status === "CANCELLED" && !requestOf(task)) return show(body, state(words.cancelled, againButton()));
    await drawSheets(task);
  }

  /** @param {Task} of */
  async function drawSheets(of) {
    show(body, loading());
    try {
      const reading = !place.task && requestOf(of) ? await newestReading(of.file_id, stop.signal) : undefined;
      shown = reading ?? of;
      if (shown.status === "CANCELLED") return show(body, state(tableWords.cancelled));
      const found = /** @type {import("../shapes").List<Sheet>} */ (await read(`/tasks/${shown.id}/sheets?limit=1000`, stop.signal));
      sheets = found.items;
      if (reading && file) drawHead(file, reading);
      drawSheet();
    } catch (error) {
      fail(error, () => drawSheets(of));
    }
  }

  /** Rows have joined a sheet: all counts are others. */
  async function refreshFile() {
    try {
      if (place.task) task = await read("/tasks/" + place.task, stop.signal);
      const now = /** @type {FileDetail} */ (await read("/files/" + place.file, stop.signal));
      drawn = "";
      put(now);
    } catch (error) {
      fail(error, refreshFile);
    }
  }

  function drawSheet() {
    if (!file || !task || !shown || !sheets) return;
    inner?.close();
    inner = undefined;
    const sheet = place.sheet ? sheets.find((s) => s.number === place.sheet) : firstOf(sheets);
    const report = reportOf(shown) ?? (shown.id !== task.id && requestOf(task) && intoNote(task, shown));
    if (!sheet) return show(body, report ?? (sheets.length === 0 ? state(words.noRows) : nothingHere()));
    const rejects = place.rejects || !isReading(shown);
    const opened = rejects ? rejectsView(shown, sheet, place, refreshFile) : sheetView(shown, sheet, place);
    inner = opened;
    show(body, report, sheetTabs(shown, sheet, rejects), opened.element);
  }

  /**
   * @param {Task} of
   * @param {Sheet} sheet
   * @param {boolean} rejects
   */
  function sheetTabs(of, sheet, rejects) {
    const at = { file: place.file, task: place.task };
    const loaded = isReading(of);
    return h(
      "div",
      { class: "tabs" },
      (sheets?.length ?? 0) > 1 &&
        h(
          "nav",
          { class: "sheets", "aria-label": words.sheets },
          ...(sheets ?? []).map((s) =>
            h(
              "a",
              {
                href: address({ ...at, sheet: s.number }),
                "aria-current": s === sheet ? "page" : undefined,
                class: s.visible ? "" : "unseen",
              },
              h("bdi", {}, oneLine(s.name, 60) || `#${s.number}`),
              !s.visible && h("small", {}, words.hidden),
            ),
          ),
        ),
      h(
        "nav",
        { class: "parts", "aria-label": `${words.tabRows}, ${words.tabRejects}` },
        loaded &&
          h(
            "a",
            { href: address({ ...at, sheet: sheet.number }), "aria-current": rejects ? undefined : "page" },
            words.tabRows,
            h("small", {}, count(sheet.rows_loaded)),
          ),
        h(
          "a",
          {
            href: address({ ...at, sheet: sheet.number, rejects: true }),
            "aria-current": rejects ? "page" : undefined,
            class: sheet.rows_rejected > 0 ? "some" : "",
          },
          words.tabRejects,
          h("small", {}, count(sheet.rows_rejected)),
        ),
        sheet.rows_skipped > 0 && h("span", { class: "skipped" }, words.skipped(count(sheet.rows_skipped))),
      ),
    );
  }

  /**
   * @param {FileDetail} of
   * @param {Task} shown
   */
  function drawHead(of, shown) {
    const rejected = (shown.summary?.rows_rejected ?? 0) > 0;
    show(
      head,
      h("a", { class: "back", href: "/", "aria-label": words.back }, icon("back")),
      h(
        "div",
        { class: "title" },
        h("h1", {}, h("bdi", {}, oneLine(of.name, 200))),
        h(
          "p",
          { class: "facts" },
          dot(shown.status, rejected),
          h("span", {}, words.status[shown.status]),
          h("span", {}, size(of.size_bytes)),
          h("time", { datetime: of.created_at, title: time(of.created_at) }, ago(of.created_at)),
          of.same_as &&
            h(
              "span",
              { class: "same" },
              listWords.sameContent,
              " ",
              h("a", { href: "/files/" + of.same_as.id }, h("bdi", {}, oneLine(of.same_as.name, 60))),
            ),
          h("button", { type: "button", class: "link", id: "life", onclick: () => task && lifeDialog(task.id) }, words.life),
          place.task && shown.id !== of.task.id && h("a", { href: "/files/" + of.id }, `${words.earlier} → ${words.newest}`),
        ),
      ),
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          { type: "button", id: "decisions", "aria-label": words.decisions, title: words.decisions, onclick: openDecisions },
          icon("settings"),
          h("span", {}, words.decisions),
        ),
        isReading(shown) && [
          h(
            "a",
            { class: "button", id: "into", href: "#", onclick: intoSheet, title: tableWords.into },
            icon("columns"),
            h("span", {}, tableWords.intoMore),
          ),
          h("button", { type: "button", id: "sql", onclick: () => sqlDialog(shown, sheetNumber()) }, tableWords.sql),
        ],
        shown.status === "COMPLETED" && !shown.rows_deleted_at && !requestOf(shown) && exportMenu(of, shown, sheetNumber),
        h("button", { type: "button", id: "delete", "aria-label": words.remove, title: words.remove, onclick: remove }, icon("trash")),
      ),
    );
  }

  const sheetNumber = () => place.sheet ?? firstOf(sheets)?.number ?? 1;

  /** @param {Event} event */
  function intoSheet(event) {
    event.preventDefault();
    event.stopPropagation(); // its address is only known now
    const from = shown ?? task;
    if (from) go({ file: place.file, task: from.id, sheet: sheetNumber(), into: true });
  }

  function openDecisions() {
    if (!file || !task) return;
    const sheet = sheets?.find((s) => s.number === sheetNumber());
    decisionsDialog(file, shown ?? task, sheet, (made) => {
      if (!file) return;
      put({ ...file, task: made });
      go({ file: file.id });
    });
  }

  function remove() {
    if (file) deleteFiles([file]);
  }

  function againButton() {
    return h("button", { type: "button", onclick: openDecisions }, words.runAgain);
  }

  /** @type {[number, number, number][]} times, bytes and rows read, of the last seconds */
  let marks = [];
  /** @type {ReturnType<typeof progressParts> | undefined} */
  let parts;

  /**
   * @param {Task} of
   * @param {boolean} fresh
   */
  function progress(of, fresh) {
    if (fresh || !parts) {
      marks = [];
      parts = progressParts(of, cancel);
      show(body, parts.element);
    }
    const now = performance.now() / 1000;
    const p = of.progress;
    if (marks.at(-1)?.[2] !== p.rows_read) marks = [...marks.filter(([at]) => now - at < 8), [now, p.bytes_read, p.rows_read]];
    const [first, bytes, rows] = marks[0];
    const seconds = now - first;
    const known = marks.length > 1 && seconds > 0.9;
    const speed = known ? (p.bytes_read - bytes) / seconds : 0;
    parts.update(p, known ? (p.rows_read - rows) / seconds : 0, speed > 0 ? (p.bytes_total - p.bytes_read) / speed : 0);
  }

  async function cancel() {
    if (!task) return;
    try {
      await send(`/tasks/${task.id}/cancel`, { method: "POST" });
    } catch (error) {
      notify(error instanceof Error ? error.message : String(error));
    }
  }

  onLibrary(() => {
    if (!stop.signal.aborted) follow();
  });
  load();
  return {
    element,
    /** @param {Place} now */
    update(now) {
      if (now.file !== place.file || now.unknown || now.into) return false;
      const before = place;
      place = now;
      if (now.task !== before.task) {
        sheets = undefined;
        drawn = "";
        inner?.close();
        inner = undefined;
        load();
      } else if (now.sheet !== before.sheet || now.rejects !== before.rejects) drawSheet();
      else inner?.update?.(here());
      return true;
    },
    close() {
      stop.abort();
      inner?.close();
    },
  };
}

/**
 * What there is to say about a task beside its rows.
 *
 * @param {Task} of
 */
function reportOf(of) {
  if (of.status === "FAILED") return failure(of);
  if (requestOf(of)?.undo) return undoOutcome(of);
  if (requestOf(of)) return h("div", { class: "in-table" }, summary(of), links(of));
  return of.options?.dry_run ? state(words.dryRun) : undefined;
}

/**
 * @param {string} text
 * @param {Node} [action]
 */
function state(text, action) {
  return h("div", { class: "state" }, h("p", {}, text), action);
}

/**
 * @param {Task} task
 * @param {() => Promise<void>} cancel
 */
function progressParts(task, cancel) {
  const done = bar(0, task.progress.bytes_total, words.reading);
  const left = h("span", { class: "left" });
  const figures = h("p", { class: "figures" });
  const button = h("button", { type: "button", id: "cancel", onclick: stopIt }, words.cancel);
  function stopIt() {
    button.disabled = true;
    button.textContent = words.cancelling;
    cancel();
  }
  const waiting = task.status === "PENDING";
  const element = h(
    "div",
    { class: "state progress" },
    h("p", { class: "headline" }, waiting ? words.pending : words.reading, left),
    done,
    figures,
    h("p", { class: "quiet" }, words.stored),
    button,
  );
  return {
    element,
    /**
     * @param {import("../shapes").Progress} p
     * @param {number} perSecond rows
     * @param {number} seconds left, 0 while unknown
     */
    update(p, perSecond, seconds) {
      done.max = p.bytes_total || 1;
      if (p.bytes_read > 0) done.value = p.bytes_read;
      else done.removeAttribute("value"); // it has begun, nobody knows how far it is
      left.textContent = seconds > 0 ? words.rate("", duration(seconds)).replace(/^ · /, "") : "";
      show(
        figures,
        h("span", {}, `${size(p.bytes_read)} / ${size(p.bytes_total)}`),
        h("span", {}, words.rows(about(p.rows_read))),
        p.sheet && h("span", {}, h("bdi", {}, listWords.sheet(oneLine(p.sheet, 40)))),
        p.rows_rejected > 0 && h("span", { class: "warn" }, words.rejected(about(p.rows_rejected))),
        perSecond > 0 && h("span", {}, words.rowsPerSecond(about(Math.round(perSecond)))),
      );
    },
  };
}
