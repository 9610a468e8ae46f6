// The list of files, with the uploads that are on their way above it.

import { h, icon, show, showItems } from "./element.js";
import { fault, headline, step } from "./faults.js";
import { about, ago, count, duration, oneLine, size, time } from "./format.js";
import { isOpen, library, loadFiles, loadMore, onLibrary } from "./library.js";
import { cancelUpload, retryUpload, uploads } from "./uploads.js";
import { words } from "./words.js";
import { tableWords } from "./words_tables.js";

/** @typedef {import("../shapes").FileDetail} FileDetail */
/** @typedef {keyof typeof words.filter} Filter */

/** @type {Record<Filter, (file: FileDetail) => boolean>} */
const filters = {
  all: () => true,
  running: (file) => isOpen(file.task),
  done: (file) => file.task.status === "COMPLETED" && rejectsOf(file) === 0,
  attention: (file) => file.task.status === "FAILED" || file.task.status === "CANCELLED" || rejectsOf(file) > 0,
};

/** @param {FileDetail} file */
const rejectsOf = (file) => file.task.summary?.rows_rejected ?? file.task.progress.rows_rejected;

export function fileList() {
  /** @type {Filter} */
  let filter = "all";
  let selected = "";
  const search = h("input", { type: "search", placeholder: words.searchFiles, "aria-label": words.searchFiles, oninput: draw });
  const buttons = /** @type {Filter[]} */ (Object.keys(filters)).map((name) =>
    h("button", { type: "button", "data-filter": name, onclick: () => choose(name) }, words.filter[name]),
  );
  const sending = h("div", { class: "uploads" });
  const body = h("div", { class: "files" });
  const element = h(
    "nav",
    { class: "list", "aria-label": words.files },
    sending,
    h(
      "div",
      { class: "finder" },
      h("div", { class: "search" }, icon("search"), search),
      h("div", { class: "filters", role: "group" }, ...buttons),
    ),
    body,
  );

  const list = h("ul");
  const older = h("button", { type: "button", class: "link more", onclick: loadMore }, words.more);
  const none = h(
    "div",
    { class: "quiet" },
    h("p", {}, words.noMatch),
    h("button", { type: "button", class: "link", onclick: showAll }, words.showAll),
  );

  function showAll() {
    search.value = "";
    choose("all");
  }

  /** @param {Filter} name */
  function choose(name) {
    filter = name;
    draw();
  }

  function draw() {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.filter === filter));
    const { files, more, state, failure } = library();
    const wanted = search.value.trim().toLocaleLowerCase();
    const found = files.filter((f) => filters[filter](f) && f.name.toLocaleLowerCase().includes(wanted));
    if (state === "failed") return show(body, fault(failure, loadFiles));
    if (files.length === 0) return show(body, state === "loading" ? skeleton() : h("p", { class: "quiet" }, words.noFiles));
    if (!list.isConnected) show(body, none, list, older);
    none.hidden = found.length > 0;
    older.hidden = !more;
    showItems(
      list,
      found,
      (file) => [file.id, file.task.id, file.task.status, file.task.summary?.rows_loaded, rejectsOf(file), file.id === selected].join(),
      (file) => entry(file, file.id === selected),
      refresh,
    );
  }

  onLibrary(draw);
  draw();
  return {
    element,
    /** @param {string | undefined} id */
    select(id) {
      selected = id ?? "";
      draw();
    },
    showUploads() {
      const items = uploads();
      sending.hidden = items.length === 0;
      showItems(sending, items, (item) => item.key + item.state, uploadEntry, refreshUpload);
    },
  };
}

function skeleton() {
  return h("div", { class: "skeleton", role: "status", "aria-label": words.loading }, ...Array.from({ length: 6 }, () => h("i")));
}

/**
 * @param {FileDetail} file
 * @param {boolean} selected
 */
function entry(file, selected) {
  const { task } = file;
  return h(
    "li",
    {},
    h(
      "a",
      { href: "/files/" + file.id, "aria-current": selected ? "page" : undefined },
      h("bdi", { class: "name", title: oneLine(file.name) }, oneLine(file.name)),
      h(
        "span",
        { class: "facts" },
        dot(task.status, rejectsOf(file) > 0),
        facts(file),
        h("time", { datetime: file.created_at, title: time(file.created_at) }, ago(file.created_at)),
      ),
      task.status === "PROCESSING" && bar(task.progress.bytes_read, task.progress.bytes_total, words.reading),
    ),
  );
}

/**
 * @param {HTMLElement} element
 * @param {FileDetail} file
 */
function refresh(element, file) {
  const when = element.querySelector("time");
  if (when) when.textContent = ago(file.created_at);
  const done = element.querySelector("progress");
  if (done && file.task.progress.bytes_read > 0) done.value = file.task.progress.bytes_read;
}

/**
 * @param {import("../shapes").Status} status
 * @param {boolean} rejects
 */
export function dot(status, rejects) {
  return h("i", { class: `dot ${status.toLowerCase()}${rejects ? " rejects" : ""}`, "aria-hidden": "true" });
}

/** @param {FileDetail} file */
function facts({ task }) {
  if (task.status !== "COMPLETED") return h("span", {}, words.status[task.status]);
  if (task.options?.dry_run) return h("span", {}, tableWords.dryRun);
  const rejected = task.summary?.rows_rejected ?? 0;
  return h(
    "span",
    {},
    words.rows(about(task.summary?.rows_loaded ?? 0)),
    rejected > 0 && [" · ", h("span", { class: "warn" }, words.rejected(about(rejected)))],
  );
}

/**
 * @param {number} done
 * @param {number} of
 * @param {string} label
 */
export function bar(done, of, label) {
  return h("progress", { max: of || 1, value: Math.min(done, of), "aria-label": label });
}

/** @param {import("./uploads.js").Item} item */
function uploadState(item) {
  const left = item.rate > 0 ? duration((item.size - item.sent) / item.rate) : "";
  const states = {
    waiting: words.waiting,
    sending: item.rate > 0 ? words.rate(words.perSecond(size(item.rate)), left) : words.preparing,
    paused: words.uploadPaused,
    busy: words.uploadBusy,
    completing: words.finishing,
    interrupted: words.interrupted(`${count(Math.floor((100 * item.sent) / item.size))} %`),
    failed: item.error ? `${headline(item.error)} ${step(item.error)}` : "",
  };
  return states[item.state];
}

/**
 * @param {HTMLElement} element
 * @param {import("./uploads.js").Item} item
 */
function refreshUpload(element, item) {
  const done = element.querySelector("progress");
  const told = element.querySelector(".facts > :first-child");
  if (done) done.value = item.sent;
  if (told && told.textContent !== uploadState(item)) told.textContent = uploadState(item);
}

/** @param {import("./uploads.js").Item} item */
function uploadEntry(item) {
  const failed = item.state === "failed";
  const name = oneLine(item.name, 60);
  const stop = item.state === "interrupted" ? words.forget : words.cancelUpload;
  return h(
    "div",
    { class: `upload ${item.state}`, role: failed ? "alert" : undefined },
    h("bdi", { class: "name" }, oneLine(item.name)),
    h("button", { type: "button", class: "bare", "aria-label": `${stop}: ${name}`, onclick: () => cancelUpload(item.key) }, icon("close")),
    bar(item.sent, item.size, words.uploading(name)),
    h("span", { class: "facts" }, h("span", {}), h("span", {}, size(item.size))),
    failed && h("button", { type: "button", class: "link", onclick: () => retryUpload(item.key) }, words.tryAgain),
  );
}
