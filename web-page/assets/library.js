// The files that the page knows, each with its newest task, kept up to date while one of them runs; and which of them are listed.

import { isAbort, Problem, read, retrying, send } from "./api.js";
import { watchTasks } from "./watch.js";

/** @typedef {import("../shapes").FileDetail} FileDetail */
/** @typedef {import("../shapes").Task} Task */

const pageSize = 100;
const mostPages = 20;
const undoTime = 10_000;
const deletedAtOnce = 4;

/** @type {Map<string, FileDetail>} */
const files = new Map();
/** @type {Map<string, number>} ids of files that are to be deleted, with their timers */
const leaving = new Map();
const changes = new EventTarget();
const forever = new AbortController().signal;

/** @typedef {"all" | "running" | "done" | "rejects" | "failed"} Filter */

/** @type {Record<Filter, { query: string, has: (file: FileDetail) => boolean }>} */
const filters = {
  all: { query: "", has: () => true },
  running: { query: "&status=PENDING,PROCESSING", has: (file) => isOpen(file.task) },
  done: { query: "&status=COMPLETED", has: (file) => file.task.status === "COMPLETED" },
  rejects: { query: "&rejects=true", has: (file) => rejectsOf(file) > 0 },
  failed: { query: "&status=FAILED,CANCELLED", has: (file) => file.task.status === "FAILED" || file.task.status === "CANCELLED" },
};

/** @type {Filter} */
let filter = "all";
let name = "";
/** @type {string | null} */
let next = null;
let last = ""; // the id of the oldest file that was listed: of older ones only some are known
let loading = new AbortController();
/** @type {"loading" | "ready" | "failed"} */
let state = "loading";
/** @type {unknown} */
let failure;

/** @param {() => void} listener */
export function onLibrary(listener) {
  changes.addEventListener("change", listener);
}

function touch() {
  follow();
  changes.dispatchEvent(new Event("change"));
}

/** @param {FileDetail} file */
export const rejectsOf = (file) => file.task.summary?.rows_rejected ?? file.task.progress.rows_rejected;

export function library() {
  const wanted = fold(name);
  const list = [...files.values()].filter(
    (f) => !leaving.has(f.id) && filters[filter].has(f) && fold(f.name).includes(wanted) && (next === null || f.id >= last),
  );
  list.sort((a, b) => (a.id < b.id ? 1 : -1)); // as the API sorts them
  return { files: list, all: filter === "all" && name === "", more: next !== null, state, failure };
}

/** @param {string} text */
const fold = (text) => text.normalize("NFC").toLowerCase();

/** @param {string} id */
export const fileOf = (id) => (leaving.has(id) ? undefined : files.get(id));

/** @param {FileDetail} file */
export function put(file) {
  files.set(file.id, file);
  touch();
}

/**
 * Lists other files: those that are known at once, and all others as they are found.
 *
 * @param {Filter} kind
 * @param {string} part of the name
 */
export function find(kind, part) {
  if (kind === filter && part === name) return;
  filter = kind;
  name = part;
  loadFiles();
}

export async function loadFiles() {
  loading.abort();
  loading = new AbortController();
  const { signal } = loading;
  state = "loading";
  next = null;
  touch();
  try {
    await loadPage("", signal);
    state = "ready";
  } catch (error) {
    if (isAbort(error) || signal.aborted) return;
    state = "failed";
    failure = error;
  }
  touch();
}

export async function loadMore() {
  if (next) await loadPage("&cursor=" + encodeURIComponent(next), loading.signal).catch(() => {});
  touch();
}

/**
 * Loads a page; a search among very many files may have to go on until it finds one.
 *
 * @param {string} cursor
 * @param {AbortSignal} signal
 */
async function loadPage(cursor, signal) {
  const search = filters[filter].query + (name && "&name=" + encodeURIComponent(name));
  for (let pages = 0; pages < mostPages; pages++) {
    const page = /** @type {import("../shapes").List<FileDetail>} */ (await read(`/files?limit=${pageSize}${search}${cursor}`, signal));
    for (const file of page.items) files.set(file.id, file);
    next = page.next;
    last = page.items.at(-1)?.id ?? last;
    if (next === null || page.items.length > 0) return;
    cursor = "&cursor=" + encodeURIComponent(next);
  }
}

/** @param {Pick<Task, "status">} task */
export const isOpen = (task) => task.status === "PENDING" || task.status === "PROCESSING";

/** Follows the tasks that have not ended, in their order. */
function follow() {
  const open = [...files.values()].filter((f) => isOpen(f.task) && !leaving.has(f.id));
  open.sort((a, b) => (a.task.created_at > b.task.created_at ? 1 : -1));
  watchTasks(
    open.map((f) => f.task.id),
    { news, gone },
  );
}

/** @param {import("../shapes").TaskNews} of */
async function news(of) {
  const file = files.get(of.file_id);
  if (!file || file.task.id !== of.id) return;
  if (!isOpen(of)) await refresh(file.id); // which has what has come of it
  const known = files.get(file.id);
  if (known?.task.id === of.id && isOpen(known.task))
    files.set(file.id, { ...known, task: { ...known.task, ...of, progress: soFar(of, file) } });
  touch();
}

/**
 * Before its worker's first word a task does not know how large its file is.
 *
 * @param {import("../shapes").TaskNews} of
 * @param {FileDetail} file
 */
const soFar = ({ progress }, file) => ({ ...progress, bytes_total: progress.bytes_total || file.size_bytes });

/** @param {string} task */
async function gone(task) {
  for (const file of [...files.values()]) if (file.task.id === task) await refresh(file.id);
}

/** @param {Task} task */
export function putTask(task) {
  const file = files.get(task.file_id);
  if (file && file.task.created_at <= task.created_at) put({ ...file, task });
}

/** @param {string} id */
async function refresh(id) {
  try {
    files.set(id, await read("/files/" + id, forever));
  } catch (error) {
    if (error instanceof Problem && error.status === 404) files.delete(id);
  }
  touch();
}

/**
 * Hides files and deletes them once nobody can want them back any more.
 *
 * @param {string[]} ids
 */
export function deleteSoon(ids) {
  const timer = window.setTimeout(() => deleteNow(ids), undoTime);
  for (const id of ids) leaving.set(id, timer);
  touch();
}

/** @param {string[]} ids */
export function undoDelete(ids) {
  for (const id of ids) {
    clearTimeout(leaving.get(id));
    leaving.delete(id);
  }
  touch();
}

/** @param {string[]} ids */
async function deleteNow(ids) {
  const rest = [...ids];
  const some = async () => {
    for (let id = rest.shift(); id !== undefined; id = rest.shift()) await deleteFile(id);
  };
  await Promise.all(Array.from({ length: deletedAtOnce }, some));
}

/** @param {string} id */
async function deleteFile(id) {
  const remove = () => send("/files/" + id, { method: "DELETE", keepalive: true });
  await retrying(remove, forever).then(
    () => files.delete(id),
    (error) => error instanceof Problem && error.status === 404 && files.delete(id), // otherwise it is shown again
  );
  leaving.delete(id);
  touch();
}

// Who closes the page, or leaves it, has not taken it back: the requests outlive it.
addEventListener("pagehide", () => {
  for (const id of leaving.keys()) deleteFile(id);
});
