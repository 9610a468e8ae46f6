// How a stored file would be read with other options, while somebody chooses them: its first records, before anything is committed.

import { isAbort, read } from "./api.js";
import { gridColumn } from "./columns.js";
import { h, show } from "./element.js";
import { fault } from "./faults.js";
import { count, oneLine } from "./format.js";
import { Grid } from "./grid.js";
import { columnChoice, doubtful } from "./previewcolumn.js";
import { advised, said, words } from "./words.js";

/** @typedef {import("../shapes").Preview} Preview */
/** @typedef {import("../shapes").PreviewedSheet} PreviewedSheet */
/** @typedef {{ name: string | number, cells: import("../shapes").Cell[], whole?: { text: string, kind: string } }} Line */

const rows = 100;
const quietTime = 300; // milliseconds without a change, before the file is read again

/**
 * @param {string} file id
 * @param {() => string} query the options that are chosen now
 * @param {number} first the sheet to show at first
 * @param {(header: { skip: number, header: number }) => void} onHeader somebody has chosen the header
 * @param {import("./previewcolumn.js").Declare} onColumn somebody has said what a column is
 */
export function livePreview(file, query, first, onHeader, onColumn) {
  const told = h("p", { role: "status" }, words.preview.reading);
  const choices = h("div", { class: "preview-choices" });
  const holder = h("div", { class: "preview-holder" });
  const element = h("section", { class: "preview", "aria-label": words.preview.title }, told, choices, holder);
  let stop = new AbortController();
  let timer = 0;
  let chosen = first;
  let column = ""; // the name of the one that people look at
  /** @type {Grid | undefined} */
  let grid;

  function refresh() {
    stop.abort();
    clearTimeout(timer);
    element.setAttribute("aria-busy", "true");
    timer = window.setTimeout(load, quietTime);
  }

  async function load() {
    const asked = new AbortController();
    stop = asked;
    element.setAttribute("aria-busy", "true");
    try {
      const found = /** @type {Preview} */ (await read(`/files/${file}/preview?rows=${rows}&${query()}`, asked.signal));
      if (!asked.signal.aborted) draw(found);
    } catch (error) {
      if (isAbort(error) || asked.signal.aborted) return;
      clear();
      show(told);
      show(holder, fault(error));
    }
    if (!asked.signal.aborted) element.removeAttribute("aria-busy");
  }

  function clear() {
    grid?.close();
    grid = undefined;
    show(choices);
  }

  /** @param {Preview} found */
  function draw(found) {
    clear();
    const all = found.sheets.filter((s) => s.read);
    const sheet = all.find((s) => s.number === chosen) ?? all[0];
    show(told, sheet && counts(sheet), sheet && !found.complete && h("span", { class: "quiet" }, words.preview.beginning));
    if (!sheet || found.error) return show(holder, refusal(found));
    showChoices(found, all, sheet);
    const lines = linesOf(sheet);
    if (lines.length === 0) return show(holder, h("p", { class: "quiet" }, words.noRows));
    grid = previewGrid(sheet, lines, (name) => {
      column = name;
      showChoices(found, all, sheet);
    });
    show(holder, grid.element);
    grid.setColumns(sheet.columns.map((c) => gridColumn(c, sheet.rows_accepted)));
  }

  /**
   * @param {Preview} found
   * @param {PreviewedSheet[]} all
   * @param {PreviewedSheet} sheet
   */
  function showChoices(found, all, sheet) {
    const looked = sheet.columns.find((c) => c.name === column) ?? doubtful(sheet.columns);
    show(choices, all.length > 1 && sheetChoice(found, all, sheet), headerChoice(sheet), looked && columnChoice(looked, onColumn));
  }

  /**
   * @param {Preview} found
   * @param {PreviewedSheet[]} all
   * @param {PreviewedSheet} sheet
   */
  function sheetChoice(found, all, sheet) {
    const select = h(
      "select",
      { onchange: () => ((chosen = Number(select.value)), draw(found)) },
      ...all.map((s) => h("option", { value: s.number, selected: s === sheet }, oneLine(s.name, 60) || `#${s.number}`)),
    );
    return h("label", {}, words.preview.sheet, select);
  }

  /** @param {PreviewedSheet} sheet */
  function headerChoice(sheet) {
    const candidates = sheet.header_candidates;
    if (candidates.length < 2) return undefined;
    const label = (/** @type {typeof candidates[0]} */ c) => `${placeOf(c)}: ${oneLine(c.cells.filter(Boolean).join(" · "), 60)}`;
    const select = h(
      "select",
      { name: "header-record", onchange: () => onHeader(candidates[Number(select.value)]) },
      !candidates.some((c) => c.chosen) && h("option", { value: "", selected: true, disabled: true }, words.none),
      ...candidates.map((c, i) => h("option", { value: i, selected: c.chosen }, label(c))),
    );
    return h("label", {}, words.preview.header, select);
  }

  load();
  return {
    element,
    refresh,
    close() {
      stop.abort();
      clearTimeout(timer);
      grid?.close();
    },
  };
}

/** @param {PreviewedSheet} sheet */
function counts(sheet) {
  return [
    h("strong", {}, words.rows(count(sheet.rows_accepted))),
    sheet.rows_rejected > 0 && h("span", { class: "warn" }, words.rejected(count(sheet.rows_rejected))),
    sheet.rows_skipped > 0 && h("span", { class: "quiet" }, words.skipped(count(sheet.rows_skipped))),
  ];
}

/** @param {Preview} found */
function refusal({ error }) {
  if (!error) return h("p", { class: "quiet" }, words.noRows);
  return h(
    "div",
    { class: "state failed" },
    h("p", { dir: "auto" }, oneLine(said(error), 600)),
    h("p", {}, advised(error)),
    h("code", {}, error.code),
  );
}

/** @param {string} code */
const reason = (code) => words.preview.reason[/** @type {keyof typeof words.preview.reason} */ (code)] ?? code;

/** @param {import("../shapes").RecordPlace} place */
const placeOf = (place) => place.line ?? place.cell_ref ?? place.row_no;

/**
 * Rows, rejects and skipped records in the order of the file, as far as all of them are known.
 *
 * @param {PreviewedSheet} sheet
 * @returns {Line[]}
 */
function linesOf(sheet) {
  const text = (/** @type {(string | null)[]} */ cells) => cells.map((c) => c ?? "").join(" · ");
  const all = [
    ...sheet.rows.map((r) => ({ place: r, cells: r.values })),
    ...sheet.rejects.map((r) => ({
      place: r,
      cells: [],
      whole: { kind: "rejected", text: oneLine(`${r.errors.map(said).join(" ")} — ${text(r.cells)}`, 400) },
    })),
    ...sheet.skipped.map((r) => ({
      place: r,
      cells: [],
      whole: { kind: "skipped", text: oneLine([reason(r.reason), ...(r.cells.some(Boolean) ? [text(r.cells)] : [])].join(" — "), 400) },
    })),
  ];
  all.sort((a, b) => a.place.row_no - b.place.row_no);
  return all.slice(0, rows).map(({ place, ...line }) => ({ name: placeOf(place), ...line }));
}

/**
 * @param {PreviewedSheet} sheet
 * @param {Line[]} lines
 * @param {(column: string) => void} onColumn
 */
function previewGrid(sheet, lines, onColumn) {
  return new Grid({
    label: `${words.preview.title} ${oneLine(sheet.name, 60)}`,
    rowLabel: words.preview.line,
    first: 1,
    last: lines.length,
    nameOf: (row) => lines[row - 1].name,
    cell: (row, column) => {
      const value = lines[row - 1].cells[column];
      return value === null || value === undefined ? { text: "", kind: "null" } : { text: String(value), kind: "" };
    },
    whole: (row) => lines[row - 1].whole,
    onSeen: () => {},
    onActive: ({ column }) => onColumn(sheet.columns[column]?.name ?? ""),
    onOpen: () => {},
    onCopy: () => {},
  });
}
