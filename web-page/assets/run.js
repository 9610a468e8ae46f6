// Tasks that load a file into a table, check that, or undo it: how they are sent once, and followed to their end.

import { read, retrying, send } from "./api.js";
import { h, show } from "./element.js";
import { about, size } from "./format.js";
import { isOpen } from "./library.js";
import { bar } from "./list.js";
import { notify } from "./notices.js";
import { words } from "./words.js";
import { tableWords } from "./words_tables.js";

/** @typedef {import("../shapes").Task} Task */
/** @typedef {import("../shapes").TargetRequest} TargetRequest */
/** @typedef {import("../shapes").Mode} Mode */
/** @typedef {Record<string, string | null | { column: string, format: string }>} Mapping by header */

const mostQuery = 6000; // bytes of an address, which the platform limits to 8 KiB

/**
 * The options of a reading without what they say about a table and about loading nothing.
 *
 * @param {Task} task
 * @param {string} [sheet] the only one to be read
 */
export function plainOptions(task, sheet) {
  const { target: _, dry_run: __, corrects: ___, ...options } = task.options ?? {};
  return sheet ? { ...options, sheet } : options;
}

/** @param {Task} task */
export const requestOf = (task) => /** @type {TargetRequest | undefined} */ (task.options?.target);

/**
 * Whether a task has read a file's rows, which can be looked at.
 *
 * @param {Task} task
 */
export const isReading = (task) => task.status === "COMPLETED" && !task.rows_deleted_at && !task.options?.dry_run && !requestOf(task);

/**
 * Finds the newest task of a file whose rows can be looked at, among its last hundred.
 *
 * @param {string} file
 * @param {AbortSignal} signal
 */
export async function newestReading(file, signal) {
  const found = /** @type {import("../shapes").List<Task>} */ (await read(`/files/${file}/tasks?limit=100`, signal));
  return found.items.find(isReading);
}

/**
 * Has a file loaded into a table, or checked for it.
 *
 * @param {string} file id
 * @param {{ target: string, options: object, dry: boolean, mode?: Mode, mapping?: TargetRequest["mapping"] | Mapping }} wanted
 * @param {AbortSignal} signal
 * @returns {Promise<Task>}
 */
export async function startLoad(file, { target, options, dry, mode, mapping }, signal) {
  const query = new URLSearchParams({ target, options: JSON.stringify(options) });
  if (dry) query.set("dry_run", "true");
  if (mode) query.set("mode", mode);
  if (mapping && Object.keys(mapping).length > 0) query.set("mapping", JSON.stringify(mapping));
  if (query.toString().length > mostQuery) {
    await remember(target, /** @type {Mapping} */ (mapping), signal);
    query.delete("mapping");
  }
  const isIt = (/** @type {Task} */ task) => requestOf(task)?.id === target && Boolean(task.options?.dry_run) === dry;
  return startOnce(file, `/files/${file}/tasks?${query}`, isIt, signal);
}

/**
 * Adds choices to those that are remembered, from where a load takes them as well: they are too long for its address.
 *
 * @param {string} target
 * @param {Mapping} mapping
 * @param {AbortSignal} signal
 */
async function remember(target, mapping, signal) {
  const path = `/targets/${target}/choices`;
  const known = /** @type {{ choices: import("../shapes").HeaderChoice[] }} */ (await read(path, signal));
  const choices = mappingOf(known.choices);
  await retrying(() => send(path, { method: "PUT", json: { choices: { ...choices, ...mapping } }, signal }), signal);
}

/**
 * What is remembered, as it is sent.
 *
 * @param {import("../shapes").HeaderChoice[]} choices
 */
export function mappingOf(choices) {
  /** @type {Mapping} */
  const mapping = {};
  for (const { header, column, format } of choices) mapping[header] = column && format ? { column, format } : column;
  return mapping;
}

/**
 * Sends what makes a task of a file. Where the answer is lost, the file's newest task tells whether one was made, so that none is made
 * twice.
 *
 * @param {string} file
 * @param {string} path
 * @param {(task: Task) => boolean} isIt
 * @param {AbortSignal} signal
 * @returns {Promise<Task>}
 */
export async function startOnce(file, path, isIt, signal) {
  const newest = async () => {
    const found = /** @type {import("../shapes").List<Task>} */ (await read(`/files/${file}/tasks?limit=1`, signal));
    return found.items[0];
  };
  const before = await newest();
  let sent = false;
  return retrying(async () => {
    const now = sent ? await newest() : before;
    if (now && now.id !== before?.id && isIt(now)) return now;
    sent = true;
    return (await send(path, { method: "POST", signal })).json();
  }, signal);
}

/**
 * Follows a task to its end.
 *
 * @param {Task} task
 * @param {AbortSignal} signal
 * @param {(now: Task) => void} onChange
 * @returns {Promise<Task>}
 */
export async function follow(task, signal, onChange) {
  let now = task;
  while (isOpen(now)) {
    onChange(now);
    now = await read(`/tasks/${task.id}?wait=1s`, signal);
  }
  return now;
}

/**
 * How far a task is, with a button that cancels it.
 *
 * @param {Task} task
 * @param {string} headline
 */
export function runProgress(task, headline) {
  const done = bar(0, 1, headline);
  const figures = h("p", { class: "figures" });
  const turn = h("p", { class: "quiet" });
  const cancel = h("button", { type: "button", id: "cancel", onclick: stop }, words.cancel);
  async function stop() {
    cancel.disabled = true;
    try {
      await send(`/tasks/${task.id}/cancel`, { method: "POST" });
      cancel.textContent = words.cancelling;
    } catch (error) {
      cancel.disabled = false;
      notify(error instanceof Error ? error.message : String(error));
    }
  }
  return {
    element: h("div", { class: "state progress" }, h("p", { class: "headline", role: "status" }, headline), done, figures, turn, cancel),
    /** @param {Task} now */
    update(now) {
      const p = now.progress;
      done.max = p.bytes_total || 1;
      if (p.bytes_read > 0 && p.bytes_read < p.bytes_total) done.value = p.bytes_read;
      else done.removeAttribute("value"); // the table's part, of which nobody knows how long it takes
      turn.textContent = now.waiting_for ? tableWords.waitsForTurn : tableWords.goesOn;
      show(
        figures,
        p.bytes_read > 0 && h("span", {}, `${size(p.bytes_read)} / ${size(p.bytes_total)}`),
        p.rows_read > 0 && h("span", {}, words.rows(about(p.rows_read))),
        p.rows_rejected > 0 && h("span", { class: "warn" }, tableWords.refused(about(p.rows_rejected))),
      );
    },
  };
}
