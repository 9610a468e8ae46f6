// Calls of the API: its refusals as Problems, and what the page knows about the connection.

/** @typedef {"online" | "offline" | "signed-out" | "forbidden"} Connection */

/** A refusal of the API, in its own words. */
export class Problem extends Error {
  /**
   * @param {number} status the HTTP status
   * @param {string} code
   * @param {string} detail
   * @param {{ location: string, message: string, message_ja?: string }[]} faults
   * @param {number} retryAfter in seconds, 0 if the API does not say
   */
  constructor(status, code, detail, faults = [], retryAfter = 0) {
    super(detail);
    this.status = status;
    this.code = code;
    this.faults = faults;
    this.retryAfter = retryAfter;
  }
}

/** The sign-in has expired: the platform redirects to its page, which a request cannot follow. */
export class SignedOut extends Error {}

const changes = new EventTarget();
/** @type {Connection} */
let connection = navigator.onLine ? "online" : "offline";
let refusal = "";

/** @param {(now: Connection, words: string) => void} listener */
export function onConnection(listener) {
  changes.addEventListener("change", () => listener(connection, refusal));
  listener(connection, refusal);
}

/**
 * @param {Connection} now
 * @param {string} [words]
 */
function setConnection(now, words = "") {
  if (now === connection && words === refusal) return;
  connection = now;
  refusal = words;
  changes.dispatchEvent(new Event("change"));
}

addEventListener("offline", () => setConnection("offline"));
addEventListener("online", () => connection === "offline" && setConnection("online"));

/**
 * Sends one request. A network that is away is a TypeError, as from fetch.
 *
 * @param {string} path below /api
 * @param {{ method?: string, json?: unknown, body?: BodyInit, headers?: Record<string, string>, signal?: AbortSignal, keepalive?: boolean }} [options]
 * @returns {Promise<Response>}
 */
export async function send(path, options = {}) {
  const { json, ...rest } = options;
  /** @type {RequestInit} */
  const init = { ...rest, redirect: "manual" };
  if (json !== undefined) {
    init.body = JSON.stringify(json);
    init.headers = { ...options.headers, "Content-Type": "application/json" };
  }
  let answer;
  try {
    answer = await fetch("/api" + path, init);
  } catch (error) {
    if (error instanceof TypeError) setConnection("offline");
    throw error;
  }
  if (answer.type === "opaqueredirect" || answer.status === 401) {
    setConnection("signed-out");
    throw new SignedOut();
  }
  if (!answer.ok) throw await problemOf(answer);
  setConnection("online");
  return answer;
}

/** @param {Response} answer */
async function problemOf(answer) {
  const text = await answer.text();
  const wait = Number(answer.headers.get("Retry-After")) || 0;
  const problem = readProblem(answer.status, text, wait);
  if (problem.code === "not_local") setConnection("forbidden", problem.message);
  else setConnection("online");
  return problem;
}

/**
 * @param {number} status
 * @param {string} text
 * @param {number} wait
 */
export function readProblem(status, text, wait = 0) {
  try {
    const told = JSON.parse(text);
    return new Problem(status, told.code, told.detail, told.errors ?? [], wait);
  } catch {
    return new Problem(status, "http_" + status, `HTTP ${status}`, [], wait); // of the host or a proxy, which have no words
  }
}

/**
 * Reads JSON, and tries again where the network is away or the service is busy, until signal is aborted.
 *
 * @template T
 * @param {string} path
 * @param {AbortSignal} signal
 * @returns {Promise<T>}
 */
export async function read(path, signal) {
  return retrying(async () => (await send(path, { signal })).json(), signal);
}

/**
 * Does something that is idempotent until it succeeds, the API refuses it, or signal is aborted.
 *
 * @template T
 * @param {() => Promise<T>} attempt
 * @param {AbortSignal} signal
 * @param {(error: unknown) => void} [waiting] is called before each pause
 * @returns {Promise<T>}
 */
export async function retrying(attempt, signal, waiting = () => {}) {
  for (let tries = 0; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted || !isTransient(error)) throw error;
      waiting(error);
      const asked = error instanceof Problem ? error.retryAfter * 1000 : 0;
      await pause(Math.max(asked, Math.min(500 * 2 ** tries, 8000)), signal);
    }
  }
}

/** @param {unknown} error */
function isTransient(error) {
  if (error instanceof Problem) return error.status >= 500 || error.status === 408 || error.code === "too_many_at_once";
  return error instanceof TypeError; // fetch's word for a network that is away
}

/**
 * Waits, but not longer than until the network is back.
 *
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, milliseconds);
    function done() {
      clearTimeout(timer);
      removeEventListener("online", done);
      signal?.removeEventListener("abort", abort);
      resolve(undefined);
    }
    function abort() {
      clearTimeout(timer);
      removeEventListener("online", done);
      reject(signal?.reason);
    }
    addEventListener("online", done, { once: true });
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** @param {unknown} error */
export function isAbort(error) {
  return error instanceof DOMException && error.name === "AbortError";
}
