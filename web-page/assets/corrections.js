// Sends corrected rejects: a CSV of the records with their keys, in the shape in which they are exported, as an upload that corrects its sheet.
// A batch is sent once however often it is tried, and goes on after a reload.

import { Problem, read, retrying, send } from "./api.js";
import { draft, keepDraft } from "./drafts.js";
import { isOpen, put } from "./library.js";
import { said, words } from "./words.js";

/** @typedef {import("../shapes").Task} Task */
/** @typedef {{ id: string, key: string, cells: string[] }} Corrected a record: id on the page, key of its reject, texts by column */
/** @typedef {{ key: string, ids: string[], csv?: string, task?: string }} Batch key makes the upload idempotent */

const mostBytes = 2e6; // of a batch: less than any deployment takes in one request

/**
 * The first records as a batch, and no more of them than one request takes.
 *
 * @param {Corrected[]} records
 * @param {string[]} columns names
 * @returns {Batch}
 */
export function newBatch(records, columns) {
  let key = "sheetdrop_key";
  while (columns.includes(key)) key += "_";
  const lines = [csvLine([key, ...columns])];
  const ids = [];
  let bytes = 0;
  for (const record of records) {
    const line = csvLine([record.key, ...record.cells]);
    bytes += 3 * line.length;
    if (ids.length > 0 && bytes > mostBytes) break;
    lines.push(line);
    ids.push(record.id);
  }
  return { key: crypto.randomUUID(), ids, csv: lines.join("") };
}

/** @param {string[]} cells */
const csvLine = (cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",") + "\r\n";

/**
 * The batch that was under way when the page was left.
 *
 * @param {string} name
 * @returns {Batch | undefined}
 */
export function interruptedBatch(name) {
  const batch = /** @type {Batch | undefined} */ (draft(name));
  if (batch && (batch.task || batch.csv) && Array.isArray(batch.ids)) return batch;
  return undefined;
}

/** How the CSV is written, so that nothing of it is guessed. */
const written = { encoding: "utf-8", delimiter: "comma", quote: '"', escape: '"', skip_space: "false" };

/**
 * @typedef {object} Sending
 * @property {string} draft name of the batch that is under way
 * @property {string} task id
 * @property {import("../shapes").Sheet} sheet that is corrected
 * @property {string} fileName
 * @property {() => Corrected[]} records that have not been sent
 * @property {(ids: string[]) => void} onSent they have been read: accepted, or rejected for other reasons
 * @property {AbortSignal} signal
 */

/**
 * Sends all records, in batches, and first the batch that was under way when the page was left.
 *
 * @param {Sending} o
 * @returns {Promise<{ accepted: number, rejected: number, unchanged: number, file: string }>} file is the id of the last batch
 */
export async function sendCorrections(o) {
  const total = { accepted: 0, rejected: 0, unchanged: 0, file: "" };
  const columns = o.sheet.columns.map((c) => c.name);
  for (;;) {
    const batch = interruptedBatch(o.draft) ?? newBatch(o.records(), columns);
    if (batch.ids.length === 0) return total;
    const task = await sendBatch(batch, o);
    if (task.status !== "COMPLETED") throw refusalOf(task);
    total.accepted += task.summary?.rows_loaded ?? 0;
    total.rejected += task.summary?.rows_rejected ?? 0;
    total.unchanged += task.summary?.rows_skipped ?? 0;
    total.file = task.file_id;
    o.onSent(batch.ids);
  }
}

/** @param {Task} task */
const refusalOf = ({ status, error }) => new Problem(0, error?.code ?? "", error ? said(error) : words.status[status]);

/**
 * Sends a batch and waits until it has been read.
 *
 * @param {Batch} batch
 * @param {Sending} o
 * @returns {Promise<Task>} which has ended
 */
async function sendBatch(batch, o) {
  keepDraft(o.draft, batch);
  try {
    if (!batch.task) {
      const taken = await retrying(() => upload(batch, o), o.signal);
      put({ ...taken.file, task: taken.task });
      batch.task = taken.task.id;
      batch.csv = undefined;
      keepDraft(o.draft, batch);
    }
    const task = await ended(batch.task, o.signal);
    keepDraft(o.draft, undefined);
    return task;
  } catch (error) {
    if (error instanceof Problem) keepDraft(o.draft, undefined); // refused: what was typed is still there
    throw error;
  }
}

/**
 * @param {Batch} batch
 * @param {Sending} o
 * @returns {Promise<import("../shapes").FileAndTask>}
 */
async function upload(batch, o) {
  const query = new URLSearchParams({ name: o.fileName, corrects: `${o.task}/${o.sheet.number}`, ...written });
  const headers = { "Content-Type": "text/csv", "Idempotency-Key": batch.key };
  return (await send(`/files?${query}`, { method: "POST", body: batch.csv, headers, signal: o.signal })).json();
}

/**
 * @param {string} id
 * @param {AbortSignal} signal
 * @returns {Promise<Task>}
 */
async function ended(id, signal) {
  for (;;) {
    const task = /** @type {Task} */ (await read(`/tasks/${id}?wait=20s`, signal));
    if (!isOpen(task)) return task;
  }
}
