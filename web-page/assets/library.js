// The files that the page knows: the newest of the list, each with its newest task, kept up to date while one of them runs.

import { isAbort, pause, read, retrying, send } from "./api.js";

/** @typedef {import("../shapes").FileDetail} FileDetail */
/** @typedef {import("../shapes").Task} Task */

const pageSize = 100;
const undoTime = 10_000;

/** @type {Map<string, FileDetail>} */
const files = new Map();
/** @type {Map<string, number>} ids of files that are to be deleted, with their timers */
const leaving = new Map();
const changes = new EventTarget();
const forever = new AbortController().signal;

/** @type {string | null} */
let next = null;
/** @type {"loading" | "ready" | "failed"} */
let state = "loading";
/** @type {unknown} */
let failure;

/** @param {() => void} listener */
export function onLibrary(listener) {
  changes.addEventListener("change", listener);
}

function touch() {
  changes.dispatchEvent(new Event("change"));
}

export function library() {
  const list = [...files.values()].filter((f) => !leaving.has(f.id));
  list.sort((a, b) => (a.created_at < b.created_at || (a.created_at === b.created_at && a.id < b.id) ? 1 : -1));
  return { files: list, more: next !== null, state, failure };
}

/** @param {string} id */
export const fileOf = (id) => (leaving.has(id) ? undefined : files.get(id));

/** @param {FileDetail} file */
export function put(file) {
  files.set(file.id, file);
  touch();
  follow();
}

export async function loadFiles() {
  state = "loading";
  touch();
  try {
    await loadPage("");
    state = "ready";
  } catch (error) {
    if (isAbort(error)) return;
    state = "failed";
    failure = error;
  }
  touch();
  follow();
}

export async function loadMore() {
  if (next) await loadPage("&cursor=" + encodeURIComponent(next));
  touch();
}

/** @param {string} cursor */
async function loadPage(cursor) {
  const page = /** @type {import("../shapes").List<FileDetail>} */ (await read(`/files?limit=${pageSize}${cursor}`, forever));
  for (const file of page.items) files.set(file.id, file);
  next = page.next;
}

/** @param {Task} task */
export const isOpen = (task) => task.status === "PENDING" || task.status === "PROCESSING";

let following = false;

/** Asks for the tasks that have not ended, oldest first and a few at once, until all have. */
async function follow() {
  if (following) return;
  following = true;
  for (;;) {
    const open = [...files.values()].filter((f) => isOpen(f.task) && !leaving.has(f.id));
    if (open.length === 0) break;
    open.sort((a, b) => (a.created_at > b.created_at ? 1 : -1));
    const some = open.slice(0, 3);
    const wait = open.length > some.length ? "" : "?wait=1s";
    try {
      await Promise.all(some.map(async (file) => putTask(await read(`/tasks/${file.task.id}${wait}`, forever))));
      if (open.length > some.length) {
        await loadPage("");
        await pause(700);
      }
    } catch {
      await pause(2000); // a file that has gone, or a sign-in that has expired: the views say so
      for (const file of some) await refresh(file.id);
    }
    touch();
  }
  following = false;
}

/** @param {Task} task */
export function putTask(task) {
  const file = files.get(task.file_id);
  if (file && file.task.created_at <= task.created_at) files.set(file.id, { ...file, task });
}

/** @param {string} id */
async function refresh(id) {
  try {
    files.set(id, await (await send("/files/" + id)).json());
  } catch (error) {
    if (error instanceof Error && "status" in error && error.status === 404) files.delete(id);
  }
}

/**
 * Hides a file and deletes it once nobody can want it back any more.
 *
 * @param {string} id
 */
export function deleteSoon(id) {
  leaving.set(
    id,
    window.setTimeout(() => deleteNow(id), undoTime),
  );
  touch();
}

/** @param {string} id */
export function undoDelete(id) {
  clearTimeout(leaving.get(id));
  leaving.delete(id);
  touch();
}

/** @param {string} id */
async function deleteNow(id) {
  clearTimeout(leaving.get(id));
  const remove = () => send("/files/" + id, { method: "DELETE", keepalive: true });
  await retrying(remove, forever).then(
    () => files.delete(id),
    () => {}, // it is shown again
  );
  leaving.delete(id);
  touch();
}

// Who closes the page has not taken it back.
addEventListener("pagehide", () => {
  for (const id of leaving.keys()) deleteNow(id);
});
