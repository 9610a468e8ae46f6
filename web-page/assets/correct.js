// Rejected records as a table whose cells are corrected in place, one by one or all with the same fault at once, and sent back.

import { isAbort } from "./api.js";
import { displayWidth } from "./columns.js";
import { interruptedBatch, sendCorrections } from "./corrections.js";
import { cellEditor } from "./celleditor.js";
import { keepDraft } from "./drafts.js";
import { Edits } from "./edits.js";
import { h, show } from "./element.js";
import { problemTexts } from "./faults.js";
import { count, oneLine } from "./format.js";
import { Grid } from "./grid.js";
import { fileOf } from "./library.js";
import { bulkTools } from "./correctall.js";
import { copyText } from "./notices.js";
import { cellsOf, isMarked } from "./raw.js";
import { idOf, mostRejects, RejectSource } from "./rejectsource.js";
import { placeName, placeText, rawText, reasonList } from "./reject.js";
import { pasted } from "./sheet.js";
import { said, words } from "./words.js";

/** @typedef {import("../shapes").Reject} Reject */
/** @typedef {import("../shapes").Sheet} Sheet */
/** @typedef {import("../shapes").Task} Task */
/** @typedef {import("./grid.js").Spot} Spot */

const mostExtra = 50; // cells beyond the header that are shown

/** @param {Task} task @param {Sheet} sheet */
export const canCorrect = (task, sheet) =>
  task.status === "COMPLETED" &&
  sheet.rows_rejected > 0 &&
  sheet.columns.length < 1000 &&
  !["dry_run", "corrects"].some((name) => task.options?.[name]);

/**
 * @param {Task} task
 * @param {Sheet} sheet
 * @param {() => void} onCorrected rows have been accepted, or refused for other reasons
 */
export function correctView(task, sheet, onCorrected) {
  const place = `${task.id}.${sheet.number}`;
  const stop = new AbortController();
  const edits = new Edits("edits." + place);
  const columns = sheet.columns.length;
  const source = new RejectSource(`/tasks/${task.id}/sheets/${sheet.number}/rejects`, stop.signal, refresh);
  const { items } = source;
  /** @type {Reject[]} those that are shown */
  let shown = items;
  let extra = 0; // columns beyond the header
  let sending = false;

  const problem = h("div", { role: "alert", class: "problem" });
  const undo = h("button", { type: "button", id: "undo-edit", onclick: undoEdit }, words.undo);
  const submit = h("button", { type: "button", class: "primary", id: "send-corrected", onclick: send });
  const bulk = bulkTools({
    columnName: (c) => labelOf(c),
    onFault: (fault) => filter(fault),
    onApply: applyToAll,
  });
  const holder = h("div", { class: "holder correcting" });
  const detail = h("div", { class: "correct-detail", hidden: true });
  const element = h(
    "div",
    { class: "correct" },
    h("div", { class: "tools" }, bulk.element, h("div", { class: "sending" }, undo, submit)),
    problem,
    holder,
    detail,
  );
  const grid = new Grid({
    label: words.correct.table,
    rowLabel: words.preview.line,
    first: 1,
    last: Math.min(sheet.rows_rejected, mostRejects),
    nameOf: (row) => (shown[row - 1] ? placeName(shown[row - 1]) : ""),
    cell: cellAt,
    whole: () => undefined,
    onSeen: (_, to) => {
      if (!bulk.fault() && to > shown.length && !source.reading) source.more().catch(fail);
    },
    onActive: showDetail,
    onOpen: (spot) => edit(spot),
    onCopy: copy,
  });
  const editor = cellEditor(holder, grid, {
    textAt: (spot) => textOf(shown[spot.row - 1], spot.column - 1),
    label: (spot) => `${labelOf(spot.column - 1)}, ${words.preview.line} ${placeName(shown[spot.row - 1])}`,
    write: (spot, text) => write([{ id: idOf(shown[spot.row - 1]), column: spot.column - 1, text }]),
  });

  /** Shows what has been read, of the fault that is chosen. */
  function refresh() {
    bulk.setItems(items, !source.complete);
    const fault = bulk.fault();
    shown = fault ? items.filter((reject) => fault.of(reject)) : items;
    extra = Math.min(mostExtra, Math.max(0, ...items.map((r) => (r.cells?.length ?? 0) - columns)));
    grid.o.last = fault || source.complete ? Math.max(shown.length, 1) : Math.min(sheet.rows_rejected, mostRejects);
    grid.setColumns([reasonColumn(), ...Array.from({ length: columns + extra }, (_, c) => cellColumn(c))]);
    grid.setLast(grid.o.last);
    update();
  }

  /** Shows what has been changed. */
  function update() {
    grid.changed();
    undo.disabled = edits.steps.length === 0 || sending;
    submit.disabled = edits.count === 0 || sending;
    submit.textContent = sending ? words.correct.sending : edits.count > 0 ? words.correct.send(count(edits.count)) : words.correct.nothing;
    showDetail(grid.active);
  }

  /** @param {number} c from 0 */
  const labelOf = (c) =>
    c < columns ? oneLine(sheet.columns[c].label || sheet.columns[c].name, 100) : words.correct.extra(c - columns + 1);

  /** @returns {import("./grid.js").GridColumn} */
  const reasonColumn = () => ({
    label: words.correct.reason,
    width: 300,
    numeric: false,
    head: [h("span", { class: "label" }, words.correct.reason)],
  });

  /**
   * @param {number} c
   * @returns {import("./grid.js").GridColumn}
   */
  function cellColumn(c) {
    const column = sheet.columns[c];
    const label = labelOf(c);
    const examples = items.slice(0, 50).map((r) => displayWidth(oneLine(textOf(r, c), 40)));
    const type = column && h("span", { class: "badge " + column.type }, words.type[/** @type {keyof typeof words.type} */ (column.type)]);
    const width = Math.max(80, Math.min(280, Math.max(1.15 * displayWidth(label), ...examples) * 8.3 + 28));
    return { label, width, numeric: false, head: [h("bdi", { class: "label" }, label), ...(type ? [type] : [])] };
  }

  /**
   * @param {Reject} reject
   * @param {number} c
   */
  const textOf = (reject, c) => edits.textOf(idOf(reject), c) ?? cellsOf(reject, task, sheet)[c] ?? "";

  /**
   * @param {number} row
   * @param {number} column
   */
  function cellAt(row, column) {
    const reject = shown[row - 1];
    if (!reject) return { text: "", kind: source.complete ? "" : "coming" };
    if (column === 0) return { text: reject.errors.map(said).join(" "), kind: "reason" };
    const c = column - 1;
    if (edits.textOf(idOf(reject), c) !== undefined) return { text: textOf(reject, c), kind: "edited" };
    const original = cellsOf(reject, task, sheet)[c];
    const wrong = isMarked(reject, c + 1);
    return { text: original ?? (wrong ? "∅" : ""), kind: wrong ? "wrong" : original === undefined || original === null ? "null" : "" };
  }

  /** @param {Omit<import("./edits.js").Change, "before">[]} changes */
  function write(changes) {
    if (sending) return;
    edits.apply(changes);
    if (!edits.kept) show(problem, words.correct.notKept);
    update();
  }

  function undoEdit() {
    if (sending) return;
    const back = edits.undo();
    const row = shown.findIndex((reject) => idOf(reject) === back?.id);
    if (back && row >= 0) grid.select({ row: row + 1, column: back.column + 1 });
    update();
  }

  /**
   * The column of the table in which a record's first cell at fault stands.
   *
   * @param {Reject} reject
   */
  function firstWrong(reject) {
    const column = reject.errors.find((e) => e.column_no !== null)?.column_no ?? 1;
    return Math.min(column, columns + extra);
  }

  /**
   * @param {Spot} spot
   * @param {string} [text] to begin with
   */
  function edit(spot, text) {
    const reject = shown[spot.row - 1];
    if (!reject || sending) return;
    if (spot.column === 0) grid.select({ row: spot.row, column: firstWrong(reject) });
    editor.open(grid.active, text);
  }

  /** Empties what is selected. */
  function empty() {
    const { from, to } = grid.selected();
    const changes = [];
    for (let row = Math.max(1, from.row); row <= to.row; row++) {
      for (let c = Math.max(1, from.column); c <= to.column; c++) {
        if (shown[row - 1]) changes.push({ id: idOf(shown[row - 1]), column: c - 1, text: "" });
      }
    }
    write(changes);
  }

  /** @param {ClipboardEvent} event */
  function paste(event) {
    const text = event.clipboardData?.getData("text/plain");
    const { row, column } = grid.active;
    if (!text || column === 0 || sending || editor.isOpen()) return;
    event.preventDefault();
    const lines = text
      .replace(/\r?\n$/, "")
      .split(/\r?\n/)
      .map((line) => line.split("\t"));
    const cells = lines.flatMap((line, y) => line.map((value, x) => ({ reject: shown[row - 1 + y], column: column - 1 + x, text: value })));
    write(
      cells.filter((cell) => cell.reject && cell.column < columns + extra).map(({ reject, ...cell }) => ({ id: idOf(reject), ...cell })),
    );
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (editor.isOpen() || event.altKey || event.defaultPrevented) return;
    const ctrl = event.ctrlKey || event.metaKey;
    const typed = event.key === "Process" || (event.key.length === 1 && event.key !== " "); // Process is of an input method
    if (ctrl && event.key.toLowerCase() === "z") undoEdit();
    else if (ctrl) return;
    else if (event.key === "F2") edit(grid.active);
    else if (event.key === "Delete" || event.key === "Backspace") empty();
    else if (typed)
      return edit(grid.active, ""); // and the browser goes on with the key in the editor
    else return;
    event.preventDefault();
  }

  /** @param {Spot} spot */
  function showDetail(spot) {
    const reject = shown[spot.row - 1];
    detail.hidden = !reject;
    if (!reject) return;
    const open = h("button", { type: "button", class: "link", onclick: () => edit(grid.active) }, words.correct.edit);
    show(
      detail,
      h("div", { class: "reasons" }, h("span", { class: "where" }, placeText(reject)), reasonList(reject), open),
      rawText(reject, sheet, task),
    );
  }

  /** @param {import("./correctall.js").Fault | undefined} fault */
  async function filter(fault) {
    editor.close();
    refresh();
    grid.select({ row: 1, column: fault ? fault.column + 1 : 0 });
    if (!fault) return;
    try {
      await source.readAll();
    } catch (error) {
      fail(error);
    }
  }

  /** @type {import("./correctall.js").Apply} */
  async function applyToAll(change, always) {
    const fault = bulk.fault();
    if (!fault || sending) return;
    try {
      await source.readAll();
    } catch (error) {
      return fail(error);
    }
    const changed = (/** @type {Reject} */ reject, /** @type {number} */ column) => {
      const before = textOf(reject, column);
      return { id: idOf(reject), column, text: change(before), before };
    };
    const all = items.filter(fault.of).flatMap((reject) => fault.cells(reject, columns + extra).map((column) => changed(reject, column)));
    write(all.filter(({ text, before }) => always || text !== before));
  }

  /**
   * @param {Spot} from
   * @param {Spot} to
   */
  function copy(from, to) {
    const rows = shown.slice(Math.max(0, from.row - 1), to.row);
    const text = { type: "text" };
    const cell = (/** @type {Reject} */ r, /** @type {number} */ c) => (c === 0 ? r.errors.map(said).join(" ") : textOf(r, c - 1));
    const line = (/** @type {Reject} */ r) => {
      return Array.from({ length: to.column - from.column + 1 }, (_, i) => pasted(cell(r, from.column + i), text)).join("\t");
    };
    copyText(rows.map(line).join("\n"));
  }

  /** @param {unknown} error */
  function fail(error) {
    if (isAbort(error) || stop.signal.aborted) return;
    show(problem, ...problemTexts(error));
  }

  /** The corrected records, with all of their cells. */
  function corrected() {
    return items
      .filter((reject) => edits.records.has(idOf(reject)))
      .map((reject) => {
        const width = Math.max(
          columns,
          cellsOf(reject, task, sheet).length,
          ...[...(edits.records.get(idOf(reject))?.keys() ?? [])].map((c) => c + 1),
        );
        const cells = Array.from({ length: width }, (_, c) => textOf(reject, c));
        while (cells.length > columns && cells[cells.length - 1] === "") cells.pop();
        return { id: idOf(reject), key: reject.key ?? "", cells };
      });
  }

  async function send() {
    if (sending) return;
    editor.close();
    sending = true;
    show(problem);
    update();
    try {
      await source.readThese([...edits.records.keys()]);
      const total = await sendCorrections({
        draft: "batch." + place,
        task: task.id,
        sheet,
        fileName: (fileOf(task.file_id)?.name.replace(/\.\w{1,8}$/, "") ?? "rows") + ".corrections.csv",
        records: corrected,
        onSent: (ids) => edits.forget(ids),
        signal: stop.signal,
      });
      edits.forget([...edits.records.keys()]); // of rejects that are none any more
      keepDraft("corrected." + place, total);
      onCorrected();
    } catch (error) {
      fail(error);
    }
    sending = false;
    if (!stop.signal.aborted) update();
  }

  grid.element.addEventListener("keydown", onKey);
  grid.element.addEventListener("paste", paste);
  grid.element.addEventListener("scroll", () => editor.isOpen() && editor.follow());
  show(holder, grid.element);
  update();
  source.more().then(() => {
    if (shown[0]) grid.select({ row: 1, column: firstWrong(shown[0]) });
    if (document.activeElement === document.body) grid.element.focus({ preventScroll: true });
    if (interruptedBatch("batch." + place)) send();
  }, fail);
  return {
    element,
    close() {
      stop.abort();
      editor.close();
      grid.close();
    },
  };
}
