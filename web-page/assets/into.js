// The way of a sheet into a table: which table, which column goes where, what would change, and what has.

import { isAbort, read } from "./api.js";
import { chooseTable } from "./choose.js";
import { h, icon, show } from "./element.js";
import { fault, loading, nothingHere } from "./faults.js";
import { oneLine } from "./format.js";
import { fileOf } from "./library.js";
import { makeTable } from "./make.js";
import { matchView } from "./match.js";
import { outcomeView } from "./outcome.js";
import { address } from "./route.js";
import { newestReading } from "./run.js";
import { words } from "./words.js";
import { tableWords } from "./words_tables.js";

/** @typedef {import("./route.js").Place} Place */
/** @typedef {import("../shapes").FileDetail} FileDetail */
/** @typedef {import("../shapes").Sheet} Sheet */
/** @typedef {import("../shapes").Task} Task */
/** @typedef {{ element: HTMLElement, close?: () => void }} Step */

/**
 * What a step knows.
 *
 * @typedef {object} Source
 * @property {Place} place of the step
 * @property {FileDetail} file
 * @property {Task} task that has read it
 * @property {Sheet} sheet
 * @property {boolean} alone the file has no other sheet
 * @property {AbortSignal} signal ends with the view
 */

/** @param {Place} start */
export function intoView(start) {
  const stop = new AbortController();
  const title = h("h1", { tabindex: "-1" }, tableWords.into);
  const from = h("p", { class: "facts" });
  const back = h("a", { class: "back", href: address({ ...start, into: false }), "aria-label": tableWords.toSheet }, icon("back"));
  const steps = h("ol", { class: "steps", "aria-label": tableWords.steps });
  const body = h("div", { class: "body scroll" });
  const element = h(
    "section",
    { class: "file into" },
    h("div", { class: "head" }, back, h("div", { class: "title" }, title, from), steps),
    body,
  );
  let place = start;
  /** @type {Omit<Source, "place"> | undefined} */
  let source;
  /** @type {Step | undefined} */
  let step;

  async function load() {
    show(body, loading());
    try {
      const file = /** @type {FileDetail} */ (fileOf(start.file ?? "") ?? (await read("/files/" + start.file, stop.signal)));
      const task = start.task ? await read("/tasks/" + start.task, stop.signal) : await newestReading(file.id, stop.signal);
      if (task?.file_id !== file.id) return show(body, nothingHere());
      const sheets = await read(`/tasks/${task.id}/sheets?limit=1000`, stop.signal);
      const all = /** @type {Sheet[]} */ (sheets.items);
      const sheet = all.find((s) => s.number === start.sheet);
      if (!sheet) return show(body, nothingHere());
      source = { file, task, sheet, alone: all.length === 1, signal: stop.signal };
      document.title = `${tableWords.into} – ${oneLine(file.name, 80)} – ${words.title}`;
      show(from, h("bdi", {}, oneLine(file.name, 120)), sheet.name && h("bdi", {}, oneLine(sheet.name, 60)));
      draw();
    } catch (error) {
      if (!isAbort(error)) show(body, fault(error, load));
    }
  }

  function draw() {
    if (!source) return;
    step?.close?.();
    const known = { ...source, place };
    const at = place.run ? 2 : place.target && place.target !== "new" ? 1 : 0;
    drawSteps(at);
    if (place.run) step = outcomeView(known, (loaded) => drawSteps(loaded ? 3 : 2));
    else if (!place.target) step = chooseTable(known);
    else if (place.target === "new") step = makeTable(known);
    else step = matchView(known);
    show(body, step.element);
  }

  /** @param {number} at */
  function drawSteps(at) {
    const places = [
      { ...place, target: undefined, run: undefined },
      { ...place, run: undefined },
    ];
    const entry = (/** @type {string} */ name, /** @type {number} */ n) =>
      h(
        "li",
        { "aria-current": n === at ? "step" : undefined, class: n < at ? "done" : "" },
        n < at && n < 2 && at < 3 ? h("a", { href: address(places[n]) }, name) : name,
      );
    show(steps, ...tableWords.stepNames.map(entry));
  }

  load();
  return {
    element,
    /** @param {Place} now */
    update(now) {
      if (!now.into || now.file !== start.file || now.task !== start.task || now.sheet !== start.sheet) return false;
      place = now;
      draw();
      title.focus({ preventScroll: true });
      body.scrollTop = 0;
      return true;
    },
    close() {
      stop.abort();
      step?.close?.();
    },
  };
}
