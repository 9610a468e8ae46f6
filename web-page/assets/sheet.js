// The rows of a sheet, with what is known about its columns.

import { isAbort, read } from "./api.js";
import { distributionOf, sampleOf } from "./distribution.js";
import { gridColumn } from "./columns.js";
import { h, icon, show } from "./element.js";
import { fault, loading } from "./faults.js";
import { count, oneLine } from "./format.js";
import { withGlance } from "./glance.js";
import { Grid } from "./grid.js";
import { copyText, notify } from "./notices.js";
import { profile } from "./profile.js";
import { address, note } from "./route.js";
import { RowSource } from "./rows.js";
import { said, words } from "./words.js";

/** @typedef {import("../shapes").Column} Column */
/** @typedef {import("../shapes").Sheet} Sheet */
/** @typedef {import("../shapes").Task} Task */
/** @typedef {import("../shapes").Reject} Reject */
/** @typedef {import("./route.js").Place} Place */
/** @typedef {import("./grid.js").Spot} Spot */

const mostCopied = 500_000; // cells
const knownRejects = 1000;

/** @param {Sheet} sheet */
const isTable = (sheet) => !sheet.warnings.some((w) => w.code === "no_table");

/**
 * The sheet that is shown before another one is chosen.
 *
 * @param {Sheet[] | undefined} sheets
 */
export const firstOf = (sheets) => sheets?.find((s) => isTable(s) && (s.visible || s.rows_read > 0)) ?? sheets?.[0];

/**
 * @param {Task} task
 * @param {Sheet} sheet
 * @param {Place} place
 */
export function sheetView(task, sheet, place) {
  const here = { file: place.file, task: place.task, sheet: sheet.number };
  const holder = h("div", { class: "holder" }, loading());
  const side = h("aside", { class: "side", hidden: true });
  const search = h("input", {
    type: "search",
    placeholder: words.searchColumns,
    "aria-label": words.searchColumns,
    oninput: filterColumns,
  });
  const noColumn = h("p", { class: "quiet", role: "status", hidden: true }, words.noColumn);
  const form = h(
    "select",
    { "aria-label": words.valuesLabel, onchange: open },
    h("option", { value: "typed" }, words.asMeant),
    h("option", { value: "raw" }, words.asWritten),
  );
  const element = h(
    "section",
    { class: "sheet" },
    h(
      "div",
      { class: "tools" },
      h("div", { class: "search" }, icon("search"), search),
      form,
      h("span", { class: "gap" }),
      h("span", { class: "hint" }, words.shortcuts),
    ),
    h("div", { class: "columns" }, holder, side),
  );
  /** @type {RowSource | undefined} */
  let source;
  /** @type {Grid | undefined} */
  let grid;
  /** @type {number[]} the columns that are shown */
  let shown = sheet.columns.map((_, i) => i);
  /** @type {Map<number, Reject>} */
  const rejects = new Map();
  let rejectsKnown = sheet.rows_rejected === 0;
  const stop = new AbortController();
  let noted = 0;
  /** @type {import("./distribution.js").Distribution[]} of the columns, as soon as they are known */
  let distributions = [];

  async function open() {
    source?.close();
    const at = grid?.active;
    const opened = new RowSource(task.id, sheet, form.value === "raw" ? "raw" : "typed", () => grid?.changed(), fail);
    source = opened;
    try {
      const extent = await opened.extent();
      if (opened !== source) return;
      if (!extent) return show(holder, h("div", { class: "state" }, isTable(sheet) ? words.noRows : words.noTable));
      showGrid(extent, at ?? { row: place.row ?? extent.first, column: 0 }, at !== undefined);
    } catch (error) {
      fail(error);
    }
  }

  /** @param {unknown} error */
  function fail(error) {
    if (!isAbort(error)) show(holder, fault(error, open));
  }

  /**
   * @param {{ first: number, last: number }} extent
   * @param {Spot} at
   * @param {boolean} focus
   */
  function showGrid(extent, at, focus) {
    grid?.close();
    grid = new Grid({
      label: `${words.table} ${oneLine(sheet.name, 60)}`,
      rowLabel: words.row,
      ...extent,
      headHeight: 74,
      cell: cellOf,
      whole: wholeOf,
      onSeen: (from, to) => source?.want(from, to),
      onActive,
      onOpen,
      onCopy: copy,
    });
    show(holder, noColumn, grid.element);
    filterColumns();
    grid.select(at);
    if (focus) grid.element.focus({ preventScroll: true });
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  function cellOf(row, column) {
    const found = source?.at(row);
    if (typeof found !== "object") return { text: "", kind: "coming" };
    const value = found.cells[shown[column]];
    if (value === null || value === undefined) return { text: "", kind: "null" };
    return { text: String(value), kind: "" };
  }

  /** @param {number} row */
  function wholeOf(row) {
    if (source?.at(row) !== "gap") return undefined;
    const reject = rejects.get(row);
    if (!reject && !rejectsKnown) return { text: "", kind: "skipped" };
    if (!reject) return { text: words.gapSkipped, kind: "skipped" };
    return {
      text: `${words.gapRejected}: ${said(reject)}`,
      kind: "rejected",
      href: address({ ...here, rejects: true, reject: `${row}.${reject.error_no}` }),
    };
  }

  function filterColumns() {
    const wanted = search.value.trim().toLocaleLowerCase();
    shown = sheet.columns.flatMap((c, i) =>
      c.name.toLocaleLowerCase().includes(wanted) || c.label.toLocaleLowerCase().includes(wanted) ? [i] : [],
    );
    grid?.setColumns(shown.map((i) => withGlance(gridColumn(sheet.columns[i], sheet.rows_loaded), sheet.columns[i], distributions[i])));
    noColumn.hidden = shown.length > 0;
    if (grid) grid.element.hidden = shown.length === 0;
  }

  /** @param {Spot} spot */
  function onActive(spot) {
    clearTimeout(noted);
    noted = window.setTimeout(() => grid && note({ ...here, row: spot.row > grid.o.first ? spot.row : undefined }), 300);
    if (!side.hidden) onOpen(spot);
  }

  /** @param {Spot} spot */
  function onOpen(spot) {
    if (!grid || shown.length === 0) return;
    const column = sheet.columns[shown[spot.column]];
    const row = source?.at(spot.row);
    const inHead = spot.row < grid.o.first;
    side.hidden = false;
    show(
      side,
      h("button", { type: "button", class: "bare close", "aria-label": words.close, onclick: closeSide }, icon("close")),
      !inHead && typeof row === "object" && cellDetail(row, shown[spot.column], column),
      profile(column, sheet, distributions[shown[spot.column]]),
    );
  }

  function closeSide() {
    side.hidden = true;
    grid?.element.focus();
  }
  side.addEventListener("keydown", (event) => event.key === "Escape" && closeSide());

  /**
   * @param {Spot} from
   * @param {Spot} to
   */
  async function copy(from, to) {
    const columns = shown.slice(from.column, to.column + 1);
    if ((to.row - from.row + 1) * columns.length > mostCopied) return notify(words.copyTooLarge);
    const opened = source;
    if (!opened) return;
    let copied = 0;
    const text = opened.range(from.row, to.row).then((rows) => {
      copied = rows.length;
      return new Blob([rows.map((row) => columns.map((c) => pasted(row.cells[c], sheet.columns[c])).join("\t")).join("\n")], {
        type: "text/plain",
      });
    });
    try {
      await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
      notify(words.copiedRange(count(copied), count(columns.length)), undefined, 2500);
    } catch {
      notify(words.copyFailed);
    }
  }

  async function loadSample() {
    try {
      const rows = await sampleOf(task.id, sheet, stop.signal);
      if (rows.length > 0)
        distributions = sheet.columns.map((column, i) =>
          distributionOf(
            column,
            rows.map((row) => row[i]),
          ),
        );
      filterColumns();
    } catch {
      // The heads then say less.
    }
  }

  async function loadRejects() {
    if (sheet.rows_rejected === 0) return;
    try {
      const found = /** @type {import("../shapes").List<Reject>} */ (
        await read(`/tasks/${task.id}/sheets/${sheet.number}/rejects?limit=${knownRejects}`, stop.signal)
      );
      for (const reject of found.items) rejects.set(reject.row_no, reject);
    } catch {
      // A gap is then shown without its reason, which the rejects have.
    }
    rejectsKnown = true;
    grid?.changed();
  }

  open().then(loadSample);
  loadRejects();
  return {
    element,
    /** @param {Place} now */
    update(now) {
      if (now.row) grid?.select({ row: now.row, column: grid.active.column });
    },
    close() {
      clearTimeout(noted);
      stop.abort();
      source?.close();
      grid?.close();
    },
  };
}

/**
 * A cell as a spreadsheet takes it: quoted if it has tabs or line ends, and a text that would run as a formula with ' in front.
 *
 * @param {import("../shapes").Cell} value
 * @param {{ type: string }} column
 */
export function pasted(value, column) {
  if (value === null || value === undefined) return "";
  let text = String(value);
  if (column.type === "text" && /^\s*[=+\-@＝＋－＠]/.test(text) && !Number.isFinite(Number(text))) text = "'" + text;
  return /[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * @param {import("../shapes").Row} row
 * @param {number} index
 * @param {Column} column
 */
function cellDetail(row, index, column) {
  const value = row.cells[index];
  const text = value === null || value === undefined ? "" : String(value);
  const most = 20_000;
  return h(
    "section",
    { class: "cell-detail" },
    h("h2", {}, h("bdi", {}, oneLine(column.label || column.name, 80)), h("small", {}, words.inRow(count(row.row_no)))),
    text === ""
      ? h("p", { class: "quiet" }, value === null ? words.nullCell : words.emptyCell)
      : h("pre", { dir: "auto", tabindex: "0" }, text.slice(0, most)),
    text.length > most && h("p", { class: "quiet" }, words.cellCut),
    text !== "" && h("button", { type: "button", class: "link", onclick: () => copyText(text) }, icon("copy"), words.copyCell),
  );
}
