// News of tasks that have not ended: one stream of events for all of them or, where something on the way refuses or collects it, questions.

import { pause, Problem, read } from "./api.js";

/** @typedef {import("../shapes").TaskNews} TaskNews */
/** @typedef {{ news: (of: TaskNews) => void, gone: (id: string) => void }} Listener */

const most = 50; // tasks of one stream
const asked = 3; // tasks at once, where there is no stream
const firstEvent = 10_000; // milliseconds until a stream that passes has told something
const anyEvent = 20_000; // after which a connection may be dead without anybody having noticed
const nextTry = 30_000; // until another stream is tried where one did not pass

/** @type {EventSource | undefined} */
let stream;
/** @type {Set<string>} the tasks of the stream */
let streamed = new Set();
/** @type {string[]} */
let wanted = [];
/** @type {Listener} */
let listener;
/** @type {AbortController | undefined} while questions are asked */
let asking;
let failures = 0; // of the stream, one after another
let watchdog = 0;
let opening = 0;
let passes = false; // a stream has told something on this page

/**
 * Follows these tasks, and no others any more.
 *
 * @param {string[]} ids the more important ones first
 * @param {Listener} to
 */
export function watchTasks(ids, to) {
  listener = to;
  wanted = ids.slice(0, most);
  if (wanted.length === 0 || document.hidden) return stop();
  const followed = wanted.filter((id) => streamed.has(id)).length;
  if (asking || followed === wanted.length || followed > most / 2) return;
  opening ||= window.setTimeout(openSoon, 100); // several uploads may be accepted at once
}

// The six connections that a browser has to a server are for all of its tabs: one that nobody sees takes none.
document.addEventListener("visibilitychange", () => wanted.length > 0 && watchTasks(wanted, listener));

function stop() {
  clearTimeout(opening);
  opening = 0;
  close();
  asking?.abort();
  asking = undefined;
}

function close() {
  stream?.close();
  stream = undefined;
  streamed = new Set();
  clearTimeout(watchdog);
}

function openSoon() {
  opening = 0;
  if (!asking && wanted.length > 0) open();
}

function open() {
  close();
  streamed = new Set(wanted);
  const opened = new EventSource("/api/events?task=" + wanted.join());
  stream = opened;
  opened.addEventListener("task", (event) => heard(() => listener.news(JSON.parse(event.data))));
  opened.addEventListener("gone", (event) => heard(() => listener.gone(JSON.parse(event.data).id)));
  opened.addEventListener("end", () => heard(() => opened === stream && close()));
  opened.addEventListener("open", () => (failures = 0));
  opened.addEventListener("error", () => opened === stream && failed(opened));
  watch();
}

/** @param {() => void} act */
function heard(act) {
  passes = true;
  failures = 0;
  if (stream) watch();
  act();
}

/** Asks once where the stream has been silent for too long. */
function watch() {
  clearTimeout(watchdog);
  watchdog = window.setTimeout(() => (passes ? askOnce() : ask(false)), passes ? anyEvent : firstEvent);
}

async function askOnce() {
  const watched = stream;
  try {
    await askFor(wanted.slice(0, asked), new AbortController().signal);
  } catch {
    return ask(false);
  }
  if (stream && stream === watched) watch();
}

/**
 * The end of each stream is an error, too; the browser goes on with another one, unless it was refused.
 *
 * @param {EventSource} source
 */
function failed(source) {
  failures++;
  if (source.readyState === EventSource.CLOSED) ask(false);
  else if (failures > 2) ask(passes);
}

/**
 * Asks again and again until another stream is tried: after a while, or, where only the network was away, with the first answer.
 *
 * @param {boolean} untilAnswered
 */
async function ask(untilAnswered) {
  close();
  if (asking || wanted.length === 0) return;
  const mine = new AbortController();
  asking = mine;
  const limit = AbortSignal.any([mine.signal, AbortSignal.timeout(nextTry)]);
  while (!limit.aborted && wanted.length > 0) {
    try {
      await askFor(wanted.slice(0, asked), limit);
      if (untilAnswered) break;
      await pause(1000, limit);
    } catch {
      if (!limit.aborted) await pause(2000); // a sign-in that has expired: the views say so
    }
  }
  if (asking !== mine) return;
  asking = undefined;
  failures = 0;
  if (wanted.length > 0) open();
}

/**
 * @param {string[]} ids
 * @param {AbortSignal} signal
 */
async function askFor(ids, signal) {
  await Promise.all(
    ids.map(async (id) => {
      try {
        listener.news(await read("/tasks/" + id, signal));
      } catch (error) {
        if (!(error instanceof Problem && error.status === 404)) throw error;
        listener.gone(id);
      }
    }),
  );
}
