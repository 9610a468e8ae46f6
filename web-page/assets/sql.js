// The same rows in SQL: a sheet's view, or a table.

import { isAbort, read, send } from "./api.js";
import { openDialog } from "./dialog.js";
import { h, icon, show } from "./element.js";
import { loading, problemTexts } from "./faults.js";
import { copyText } from "./notices.js";
import { words } from "./words.js";
import { tableWords } from "./words_tables.js";

/**
 * A statement that can be copied, and how one gets to where it runs.
 *
 * @param {string} sql
 */
export function statement(sql) {
  const text = sql.replace(/;?\s*$/, ";");
  return h(
    "div",
    { class: "statement" },
    h("pre", { tabindex: "0", "aria-label": "SQL" }, h("bdi", {}, text)),
    h("button", { type: "button", onclick: () => copyText(text) }, icon("copy"), tableWords.copy),
    h("p", { class: "quiet" }, tableWords.connect, " ", h("code", {}, "sheetdrop sql")),
  );
}

/**
 * Shows the view of a sheet, which is made if there is none yet.
 *
 * @param {import("../shapes").Task} task
 * @param {number} sheet
 */
export function sqlDialog(task, sheet) {
  const stop = new AbortController();
  const body = h("div", { class: "sql", role: "status" });
  const dialog = openDialog([tableWords.sqlTitle], [body]);

  async function load() {
    show(body, loading());
    try {
      show(body, statement((await existing()) ?? (await make())), h("p", { class: "quiet" }, tableWords.viewHint));
    } catch (error) {
      failed(error);
    }
  }

  async function existing() {
    const found = /** @type {import("../shapes").Task} */ (await read("/tasks/" + task.id, stop.signal));
    return found.summary?.sheets.find((s) => s.number === sheet)?.sql;
  }

  async function make() {
    const made = await send(`/tasks/${task.id}/sheets/${sheet}/view`, { method: "POST", signal: stop.signal });
    return /** @type {import("../shapes").View} */ (await made.json()).sql;
  }

  /** @param {unknown} error */
  function failed(error) {
    if (isAbort(error)) return;
    show(
      body,
      h("div", { class: "problem", role: "alert" }, ...problemTexts(error)),
      h("button", { type: "button", onclick: load }, words.tryAgain),
    );
  }

  dialog.addEventListener("close", () => stop.abort());
  load();
}
