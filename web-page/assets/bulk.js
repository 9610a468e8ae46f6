// What is done with several files at once: they are read again, or deleted with some time to take it back.

import { send } from "./api.js";
import { openDialog } from "./dialog.js";
import { h } from "./element.js";
import { headline } from "./faults.js";
import { count, oneLine } from "./format.js";
import { deleteSoon, loadFiles, putTask, undoDelete } from "./library.js";
import { notify } from "./notices.js";
import { go, here } from "./route.js";
import { words } from "./words.js";
import { listWords } from "./words_list.js";

/** @typedef {import("../shapes").FileDetail} FileDetail */
/** @typedef {import("../shapes").Bulk} Bulk */

const mostItems = 1000; // of one request

/**
 * Has files read again, and says which are not, and why.
 *
 * @param {FileDetail[]} files
 */
export async function readAgain(files) {
  /** @type {{ file: FileDetail, reason: Bulk["excluded"][0]["reason"] }[]} */
  const excluded = [];
  let accepted = 0;
  try {
    for (let at = 0; at < files.length; at += mostItems) {
      const done = await readSome(files.slice(at, at + mostItems));
      accepted += done.accepted.length;
      for (const item of done.excluded) {
        const file = files.find((f) => f.id === item.file_id);
        if (file) excluded.push({ file, reason: item.reason });
      }
    }
  } catch (error) {
    notify(headline(error));
    if (accepted + excluded.length === 0) return;
  }
  if (excluded.length === 0) return notify(listWords.readingAgain(count(accepted)));
  showExcluded(accepted, excluded);
  loadFiles(); // they are not as they are shown
}

/**
 * @param {FileDetail[]} files
 * @returns {Promise<Bulk>}
 */
async function readSome(files) {
  const items = files.map((f) => ({ file_id: f.id, task_id: f.task.id }));
  const done = /** @type {Bulk} */ (await (await send("/bulk/tasks", { method: "POST", json: { items } })).json());
  for (const { file_id, task_id } of done.accepted) {
    const file = files.find((f) => f.id === file_id);
    if (file) putTask(waiting(task_id, file, done.created_at));
  }
  return done;
}

/**
 * A task as it has been accepted.
 *
 * @param {string} id
 * @param {FileDetail} file
 * @param {string} created_at
 * @returns {import("../shapes").Task}
 */
function waiting(id, file, created_at) {
  const progress = { bytes_total: file.size_bytes, bytes_read: 0, rows_read: 0, rows_loaded: 0, rows_rejected: 0 };
  return { id, file_id: file.id, status: "PENDING", attempt: 0, options: file.task.options, progress, created_at };
}

/**
 * @param {number} accepted
 * @param {{ file: FileDetail, reason: Bulk["excluded"][0]["reason"] }[]} excluded
 */
function showExcluded(accepted, excluded) {
  const entry = (/** @type {typeof excluded[0]} */ { file, reason }) =>
    h("li", {}, h("bdi", { class: "name" }, oneLine(file.name)), h("span", {}, listWords.reasons[reason] ?? reason));
  const dialog = openDialog(
    [listWords.excludedTitle],
    [accepted > 0 && h("p", {}, listWords.excludedOf(count(accepted))), h("ul", { tabindex: "0" }, ...excluded.map(entry))],
  );
  dialog.classList.add("excluded");
}

/**
 * Deletes files when nobody has taken it back within ten seconds.
 *
 * @param {FileDetail[]} files
 */
export function deleteFiles(files) {
  const ids = files.map((f) => f.id);
  const shown = here();
  const leaves = ids.some((id) => id === shown.file);
  deleteSoon(ids);
  if (leaves) go({});
  const undo = () => {
    undoDelete(ids);
    if (leaves) go(shown);
  };
  const told = files.length === 1 ? words.removed(oneLine(files[0].name, 60)) : listWords.deleted(count(files.length));
  notify(told, { label: words.undo, run: undo }, 10_000);
}
