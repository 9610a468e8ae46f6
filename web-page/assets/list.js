// The list of files, with the uploads that are on their way above it.

import { deleteFiles, readAgain } from "./bulk.js";
import { h, icon, show, showItems } from "./element.js";
import { fault, headline, step } from "./faults.js";
import { about, ago, count, duration, oneLine, size, time } from "./format.js";
import { fileOf, find, library, loadFiles, loadMore, onLibrary, rejectsOf } from "./library.js";
import { cancelUpload, retryUpload, uploads } from "./uploads.js";
import { words } from "./words.js";
import { listWords } from "./words_list.js";
import { tableWords } from "./words_tables.js";

/** @typedef {import("../shapes").FileDetail} FileDetail */
/** @typedef {import("./library.js").Filter} Filter */

const typing = 250; // milliseconds without a key until a search begins

export function fileList() {
  /** @type {Filter} */
  let filter = "all";
  let selected = "";
  /** @type {Set<string>} */
  const chosen = new Set();
  let marked = ""; // the one that was chosen last
  let timer = 0;
  const search = h("input", {
    type: "search",
    placeholder: words.searchFiles,
    "aria-label": words.searchFiles,
    maxlength: 255,
    oninput: () => {
      clearTimeout(timer);
      timer = window.setTimeout(look, search.value === "" ? 0 : typing);
    },
  });
  const buttons = /** @type {Filter[]} */ (Object.keys(words.filter)).map((name) =>
    h("button", { type: "button", "data-filter": name, onclick: () => choose(name) }, words.filter[name]),
  );
  const sending = h("div", { class: "uploads" });
  const body = h("div", { class: "files" });
  const number = h("span", { role: "status" });
  const chosenBar = h(
    "div",
    { class: "chosen-bar", role: "group", hidden: true },
    h("button", { type: "button", class: "bare", "aria-label": listWords.chooseNone, onclick: chooseNone }, icon("close")),
    number,
    h("button", { type: "button", class: "link", onclick: chooseAll }, listWords.chooseAll),
    h("span", { class: "line" }),
    h("button", { type: "button", class: "read-again", onclick: () => act(readAgain) }, icon("retry"), listWords.readAgain),
    h("button", { type: "button", class: "delete", onclick: () => act(deleteFiles) }, icon("trash"), listWords.delete),
  );
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
    chosenBar,
  );

  const list = h("ul");
  const older = h("button", { type: "button", class: "link more", onclick: loadMore }, words.more);
  const none = h(
    "div",
    { class: "quiet", role: "status" },
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
    look();
  }

  function look() {
    clearTimeout(timer);
    find(filter, search.value.trim());
    draw();
  }

  function chooseNone() {
    chosen.clear();
    draw();
    search.focus();
  }

  function chooseAll() {
    for (const file of library().files) chosen.add(file.id);
    draw();
  }

  /**
   * @param {string} id
   * @param {boolean} on
   * @param {boolean} range from the one that was marked before
   */
  function mark(id, on, range) {
    const ids = library().files.map((file) => file.id);
    const [from, to] = [ids.indexOf(range ? marked : id), ids.indexOf(id)].sort((a, b) => a - b);
    for (const each of from < 0 ? [id] : ids.slice(from, to + 1)) {
      if (on) chosen.add(each);
      else chosen.delete(each);
    }
    marked = id;
    draw();
  }

  /** @param {(files: FileDetail[]) => void} action */
  function act(action) {
    const files = [...chosen].map(fileOf).filter((file) => file !== undefined);
    chosen.clear();
    action(files);
    draw();
  }

  function draw() {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.filter === filter));
    const { files, all, more, state, failure } = library();
    for (const id of chosen) if (!fileOf(id)) chosen.delete(id);
    chosenBar.hidden = chosen.size === 0;
    number.textContent = listWords.chosen(count(chosen.size));
    element.classList.toggle("choosing", chosen.size > 0);
    if (state === "failed") return show(body, fault(failure, loadFiles));
    if (files.length === 0 && state === "loading") return show(body, skeleton());
    if (files.length === 0 && all && !more) return show(body, h("p", { class: "quiet" }, words.noFiles));
    if (!list.isConnected) show(body, none, list, older);
    none.hidden = files.length > 0 || more;
    older.hidden = !more;
    older.textContent = all ? words.more : listWords.moreExist;
    showItems(
      list,
      files,
      (file) => [file.id, file.task.id, file.task.status, file.task.summary?.rows_loaded, rejectsOf(file), file.id === selected].join(),
      (file) => entry(file, file.id === selected, (on, range) => mark(file.id, on, range)),
      (li, file) => refresh(li, file, chosen.has(file.id)),
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
 * @param {(on: boolean, range: boolean) => void} onChosen
 */
function entry(file, selected, onChosen) {
  const { task } = file;
  const label = listWords.choose(oneLine(file.name, 60));
  const box = h("input", {
    type: "checkbox",
    "aria-label": label,
    onclick: (/** @type {MouseEvent} */ e) => onChosen(box.checked, e.shiftKey),
  });
  return h(
    "li",
    {},
    box,
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
 * @param {boolean} chosen
 */
function refresh(element, file, chosen) {
  const box = element.querySelector("input");
  if (box) box.checked = chosen;
  const when = element.querySelector("time");
  if (when) when.textContent = ago(file.created_at);
  const done = element.querySelector("progress");
  const { progress, status } = file.task;
  if (done && progress.bytes_read > 0) done.value = progress.bytes_read;
  const told = element.querySelector(".facts > span");
  if (told && status === "PROCESSING" && progress.rows_read > 0) {
    told.textContent = `${words.status[status]} · ${words.rows(about(progress.rows_read))}`;
  }
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
    failed && item.file && h("button", { type: "button", class: "link", onclick: () => retryUpload(item.key) }, words.tryAgain),
  );
}
