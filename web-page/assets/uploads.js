// Uploads: a small file in one request, a larger one straight to the blob store in blocks. Both go on after a broken connection; what a
// reload has interrupted goes on when the same file is added again.

import { isAbort, Problem, read, readProblem, retrying, send, SignedOut } from "./api.js";
import { forgetUpload, interruptedUploads, rememberUpload } from "./remembered.js";

/** @typedef {import("../shapes").FileAndTask} FileAndTask */
/** @typedef {import("../shapes").Upload} Upload */
/** @typedef {import("../shapes").StoredUpload} StoredUpload */
/** @typedef {import("../shapes").Address} Address */
/** @typedef {"waiting" | "sending" | "paused" | "busy" | "completing" | "failed" | "interrupted"} State */

/**
 * @typedef {object} Item an upload as it is shown
 * @property {string} key
 * @property {string} name
 * @property {number} size in bytes
 * @property {number} sent in bytes
 * @property {number} rate in bytes a second, 0 while unknown
 * @property {State} state
 * @property {Error} [error]
 * @property {string} [upload] id of the interrupted one
 * @property {File} [file] that may be sent
 */

const smallBytes = 4 << 20;
const filesAtOnce = 2;
const blocksAtOnce = 3;

/** @type {(Item & { stop: AbortController })[]} */
let items = [];
const changes = new EventTarget();
let running = 0;

/** @returns {readonly Item[]} */
export const uploads = () => items;

/**
 * @param {() => void} onChange
 * @param {(taken: FileAndTask) => void} onTaken is called with each file that the service has accepted
 */
export function watchUploads(onChange, onTaken) {
  changes.addEventListener("change", onChange);
  changes.addEventListener("taken", (event) => onTaken(/** @type {CustomEvent} */ (event).detail));
  for (const u of interruptedUploads()) {
    items.push({
      key: u.id,
      name: u.name,
      size: u.size,
      sent: 0,
      rate: 0,
      state: "interrupted",
      upload: u.id,
      stop: new AbortController(),
    });
    showStored(u.id);
  }
  onChange();
}

addEventListener("beforeunload", (event) => {
  if (items.some((i) => i.state !== "failed" && i.state !== "interrupted")) event.preventDefault();
});

let changed = 0;
/** Tells the views, at most once in each frame. */
function touch() {
  changed ||= requestAnimationFrame(() => {
    changed = 0;
    changes.dispatchEvent(new Event("change"));
  });
}

/** @param {{ file: File, name: string }[]} files */
export function addFiles(files) {
  for (const { file, name } of files) {
    const earlier = items.find((i) => i.state === "interrupted" && i.name === name && i.size === file.size);
    const item = {
      key: crypto.randomUUID(),
      name,
      size: file.size,
      sent: 0,
      rate: 0,
      state: /** @type {State} */ ("waiting"),
      file,
      stop: new AbortController(),
    };
    if (earlier) items.splice(items.indexOf(earlier), 1, { ...item, upload: earlier.upload, sent: earlier.sent });
    else items.push(item);
  }
  startNext();
  touch();
}

/** @param {string} key */
export function cancelUpload(key) {
  const item = items.find((i) => i.key === key);
  if (!item) return;
  item.stop.abort();
  items = items.filter((i) => i !== item);
  if (item.upload) giveUp(item.upload);
  touch();
}

/** @param {string} upload */
async function giveUp(upload) {
  forgetUpload(upload);
  await send("/uploads/" + upload, { method: "DELETE" }).catch(() => {}); // it expires by itself
}

/** @param {string} key */
export function retryUpload(key) {
  const item = items.find((i) => i.key === key);
  if (!item?.file) return;
  Object.assign(item, { state: "waiting", error: undefined, sent: 0, stop: new AbortController() });
  startNext();
  touch();
}

function startNext() {
  for (const item of items) {
    if (running >= filesAtOnce) return;
    if (item.state === "waiting" && item.file) run(item, item.file);
  }
}

/**
 * @param {Item & { stop: AbortController }} item
 * @param {File} file
 */
async function run(item, file) {
  running++;
  item.state = "sending";
  touch();
  try {
    const taken = file.size > smallBytes || item.upload ? await sendBlocks(item, file) : await sendWhole(item, file);
    items = items.filter((i) => i !== item);
    changes.dispatchEvent(new CustomEvent("taken", { detail: taken }));
  } catch (error) {
    if (!isAbort(error) && !item.stop.signal.aborted) {
      item.state = "failed";
      item.error = error instanceof Error ? error : new Error(String(error));
      if (error instanceof Problem && /^(empty_file|too_large)$/.test(error.code)) delete item.file;
      if (error instanceof SignedOut && item.upload) item.state = "interrupted";
    }
  } finally {
    running--;
    startNext();
    touch();
  }
}

/**
 * What a pause is for.
 *
 * @param {Item} item
 */
const waiting = (item) => (/** @type {unknown} */ error) => {
  item.state = error instanceof Problem ? "busy" : "paused";
  item.rate = 0;
  touch();
};

/**
 * @param {Item & { stop: AbortController }} item
 * @param {File} file
 * @returns {Promise<FileAndTask>}
 */
function sendWhole(item, file) {
  const meter = newMeter(item);
  return retrying(
    async () => {
      item.state = "sending";
      const answer = await put("POST", "/api/files?name=" + encodeURIComponent(item.name), file, item.stop.signal, meter.now, {
        "Content-Type": "application/octet-stream",
        "Idempotency-Key": item.key,
      });
      if (answer.status !== 202) throw readProblem(answer.status, answer.text, answer.retryAfter);
      return JSON.parse(answer.text);
    },
    item.stop.signal,
    waiting(item),
  );
}

/**
 * @param {Item & { stop: AbortController }} item
 * @param {File} file
 * @returns {Promise<FileAndTask>}
 */
async function sendBlocks(item, file) {
  const signal = item.stop.signal;
  const upload = await retrying(() => begin(item, file, signal), signal, waiting(item));
  item.upload = upload.id;
  rememberUpload({ id: upload.id, name: item.name, size: file.size });
  item.sent = upload.stored_bytes;
  const meter = newMeter(item);
  const missing = missingBlocks(upload);
  const address = newAddress(upload.id, signal);
  const inFlight = new Map();
  const progress = () => meter.now(upload.stored_bytes + [...inFlight.values()].reduce((sum, n) => sum + n, 0));
  const sendNext = async () => {
    for (let number = missing.shift(); number !== undefined; number = missing.shift()) {
      const n = number;
      const block = file.slice(n * upload.block_bytes, (n + 1) * upload.block_bytes);
      await retrying(
        () => {
          item.state = "sending";
          return sendBlock(n, block, address, signal, (bytes) => {
            inFlight.set(n, bytes);
            progress();
          });
        },
        signal,
        waiting(item),
      );
      inFlight.delete(n);
      upload.stored_bytes += block.size;
      progress();
    }
  };
  await Promise.all(Array.from({ length: blocksAtOnce }, sendNext));
  item.state = "completing";
  touch();
  const complete = async () => (await send(`/uploads/${upload.id}/complete`, { method: "POST", signal })).json();
  const taken = await retrying(complete, signal, waiting(item));
  forgetUpload(upload.id);
  return taken;
}

/**
 * Begins an upload, or finds what is stored of the one that was interrupted.
 *
 * @param {Item} item
 * @param {File} file
 * @param {AbortSignal} signal
 * @returns {Promise<StoredUpload>}
 */
async function begin(item, file, signal) {
  if (item.upload) {
    try {
      return await (await send("/uploads/" + item.upload, { signal })).json();
    } catch (error) {
      if (!(error instanceof Problem && (error.code === "gone" || error.code === "not_found"))) throw error;
      forgetUpload(item.upload); // it has expired: from the beginning
      item.upload = undefined;
    }
  }
  const json = { name: item.name, size_bytes: file.size };
  const begun = await (await send("/uploads", { method: "POST", json, headers: { "Idempotency-Key": item.key }, signal })).json();
  return { ...begun, stored: [], stored_bytes: 0 };
}

/** @param {StoredUpload} upload */
function missingBlocks(upload) {
  const missing = [];
  for (let n = 0; upload.status === "OPEN" && n < upload.blocks; n++) {
    if (!upload.stored.some((range) => range.first <= n && n <= range.last)) missing.push(n);
  }
  return missing;
}

/** @typedef {(renew: boolean) => Promise<string>} GetAddress */

/**
 * The address of an upload's blob, renewed before it expires.
 *
 * @param {string} upload
 * @param {AbortSignal} signal
 * @returns {GetAddress}
 */
function newAddress(upload, signal) {
  /** @type {Promise<Address> | undefined} */
  let current;
  let until = 0;
  return async (renew) => {
    if (renew || Date.now() > until) current = undefined;
    if (!current) {
      until = Date.now() + 7 * 60_000; // for the machine's clock may be wrong; addresses live for 10 minutes at least
      current = send(`/uploads/${upload}/sas`, { method: "POST", signal }).then((answer) => answer.json());
      current.catch(() => (current = undefined));
    }
    return (await current).url;
  };
}

/**
 * @param {number} number
 * @param {Blob} block
 * @param {GetAddress} address
 * @param {AbortSignal} signal
 * @param {(bytes: number) => void} progress
 */
async function sendBlock(number, block, address, signal, progress) {
  const id = btoa(String(number).padStart(12, "0"));
  for (const renew of [false, true]) {
    const url = `${await address(renew)}&comp=block&blockid=${id}`;
    const answer = await put("PUT", url, block, signal, progress);
    if (answer.status === 201) return;
    if (answer.status !== 403 || renew) throw new Problem(answer.status, "store_" + answer.status, `HTTP ${answer.status}`);
  }
}

/**
 * Sends a body with its progress, which fetch does not tell.
 *
 * @param {string} method
 * @param {string} url
 * @param {Blob} body
 * @param {AbortSignal} signal
 * @param {(bytes: number) => void} progress
 * @param {Record<string, string>} [headers]
 * @returns {Promise<{ status: number, text: string, retryAfter: number }>}
 */
function put(method, url, body, signal, progress, headers = {}) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const ours = url.startsWith("/"); // the store does not let its other headers be read
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => progress(event.loaded);
    request.onload = () => {
      if (request.status === 401 || (request.responseURL && new URL(request.responseURL).origin !== new URL(url, location.href).origin)) {
        reject(new SignedOut());
      }
      resolve({
        status: request.status,
        text: request.responseText,
        retryAfter: ours ? Number(request.getResponseHeader("Retry-After")) || 0 : 0,
      });
    };
    request.onerror = () => reject(new TypeError("network"));
    request.ontimeout = request.onerror;
    request.onabort = () => reject(new DOMException("aborted", "AbortError"));
    request.onloadend = () => signal.removeEventListener("abort", abort);
    signal.addEventListener("abort", abort);
    if (signal.aborted) return abort();
    request.send(body);
  });
}

/**
 * Notes progress and the rate over the last seconds.
 *
 * @param {Item} item
 */
function newMeter(item) {
  /** @type {[number, number][]} */
  let marks = [];
  return {
    /** @param {number} bytes */
    now: (bytes) => {
      const t = performance.now();
      item.sent = Math.min(bytes, item.size);
      marks = [...marks.filter(([at]) => t - at < 5000), [t, bytes]];
      const [first, from] = marks[0];
      item.rate = t - first > 500 ? Math.max(0, ((bytes - from) / (t - first)) * 1000) : item.rate;
      touch();
    },
  };
}

/** @param {string} upload */
async function showStored(upload) {
  const item = items.find((i) => i.upload === upload);
  if (!item) return;
  try {
    const found = /** @type {StoredUpload} */ (await read("/uploads/" + upload, item.stop.signal));
    if (found.status === "COMPLETED") throw new Problem(410, "gone", "");
    item.sent = found.stored_bytes;
  } catch (error) {
    if (!(error instanceof Problem)) return;
    forgetUpload(upload);
    items = items.filter((i) => i !== item);
  }
  touch();
}
