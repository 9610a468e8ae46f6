// What a load does to a table: beforehand, by a dry run, and afterwards.

import { isAbort, read } from "./api.js";
import { h, icon, show } from "./element.js";
import { failure, fault, headline, loading, step } from "./faults.js";
import { count, oneLine } from "./format.js";
import { putTask } from "./library.js";
import { dot } from "./list.js";
import { rejectsView } from "./rejects.js";
import { address, goTo } from "./route.js";
import { follow, plainOptions, requestOf, runProgress, startLoad } from "./run.js";
import { statement } from "./sql.js";
import { tableWords } from "./words_tables.js";

/** @typedef {import("../shapes").Sheet} Sheet */
/** @typedef {import("../shapes").Task} Task */
/** @typedef {import("./route.js").Place} Place */

/**
 * A dry run or a load on its way into a table, and what it came to.
 *
 * @param {import("./into.js").Source} source
 * @param {(isLoaded: boolean) => void} onEnd
 */
export function outcomeView({ place, file, signal }, onEnd) {
  const element = h("section", { class: "panel outcome" }, loading());
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  /** @type {{ close: () => void } | undefined} */
  let rejects;

  async function load() {
    try {
      const task = /** @type {Task} */ (await read("/tasks/" + place.run, both));
      const progress = runProgress(task, task.options?.dry_run ? tableWords.checking : tableWords.loading);
      show(element, progress.element);
      const ended = await follow(task, both, progress.update);
      putTask(ended);
      await end(ended);
    } catch (error) {
      if (!isAbort(error)) show(element, fault(error, load));
    }
  }

  /** @param {Task} task */
  async function end(task) {
    const dry = Boolean(task.options?.dry_run);
    const target = requestOf(task)?.id;
    const toColumns = h(
      "a",
      { class: "button", href: address({ ...place, target: place.target ?? target, run: undefined }) },
      tableWords.toColumns,
    );
    onEnd(task.status === "COMPLETED" && !dry);
    if (task.status === "CANCELLED") return show(element, h("div", { class: "state" }, h("p", {}, tableWords.cancelled), toColumns));
    if (task.status === "FAILED") {
      show(element, failure(task, tableWords.failed), h("div", { class: "buttons" }, toColumns));
      return showRejects(task);
    }
    show(element, summary(task), dry ? h("div", { class: "buttons" }, loadButton(task), toColumns) : links(task));
    await showRejects(task);
  }

  /** @param {Task} task */
  function loadButton(task) {
    const { inserted = 0, updated = 0 } = task.summary?.target ?? {};
    const label = tableWords.load(inserted + updated > 0 ? count(inserted + updated) : "");
    const button = h("button", { type: "button", class: "primary", id: "load", onclick: start }, label);
    const problem = h("span", { class: "problem", role: "alert" });
    async function start() {
      button.disabled = true;
      show(problem);
      try {
        const request = /** @type {import("../shapes").TargetRequest} */ (requestOf(task));
        const wanted = { target: request.id, options: plainOptions(task), dry: false, mode: request.mode, mapping: request.mapping };
        const made = await startLoad(file.id, wanted, both);
        goTo(place, { target: request.id, run: made.id });
      } catch (error) {
        if (isAbort(error)) return;
        show(problem, headline(error), " ", step(error));
        button.disabled = false;
      }
    }
    return h("span", { class: "buttons" }, button, problem);
  }

  /** @param {Task} task */
  async function showRejects(task) {
    const found = /** @type {import("../shapes").List<Sheet>} */ (await read(`/tasks/${task.id}/sheets?limit=1000`, both));
    const sheet = found.items.find((s) => s.rows_rejected > 0);
    if (!sheet) return;
    const view = rejectsView(task, sheet, { file: file.id, task: task.id }, load);
    rejects = view;
    element.append(h("h3", {}, tableWords.refusedTitle), view.element);
  }

  load();
  return {
    element,
    close() {
      stop.abort();
      rejects?.close();
    },
  };
}

/**
 * What a load has done, or a dry run says that it would do.
 *
 * @param {Task} task that is COMPLETED
 */
export function summary(task) {
  const { target, rows_rejected: refused = 0 } = task.summary ?? {};
  if (!target) return undefined;
  const dry = Boolean(task.options?.dry_run);
  const name = h("bdi", {}, oneLine(target.name, 80));
  const nothing = target.inserted + target.updated + target.deleted === 0;
  return h(
    "div",
    { class: "result" + (dry ? " dry" : "") },
    h("h2", { role: "status" }, dry ? tableWords.wouldDo : tableWords.hasDone, " ", name),
    effects({ ...target, corrected: target.corrected ?? 0, rejected: refused }, dry),
    nothing && h("p", { class: "quiet" }, dry ? tableWords.nothingChanges : tableWords.nothingChanged),
  );
}

/**
 * @param {{ inserted: number, updated: number, unchanged: number, deleted: number, corrected: number, rejected: number }} counts
 * @param {boolean} dry
 */
function effects(counts, dry) {
  const names = /** @type {const} */ (["inserted", "updated", "unchanged", "deleted", "corrected", "rejected"]);
  return h(
    "dl",
    { class: "effects" },
    ...names
      .filter((name) => counts[name] > 0 || !["deleted", "corrected"].includes(name))
      .map((name) =>
        h(
          "div",
          { class: counts[name] > 0 ? name : "none" },
          h("dt", {}, (dry ? tableWords.effectDry : tableWords.effect)[name]),
          h("dd", {}, count(counts[name])),
        ),
      ),
  );
}

/**
 * One line about what became of a file whose rows are shown below.
 *
 * @param {Task} task that has gone into a table, or was checked for it
 * @param {Task} reading whose rows are shown
 */
export function intoNote(task, reading) {
  const name = oneLine(requestOf(task)?.name ?? "", 60);
  const { target, rows_rejected: refused = 0, sheets = [] } = task.summary ?? {};
  const dry = Boolean(task.options?.dry_run);
  const told =
    task.status !== "COMPLETED"
      ? tableWords.noteFailed(name)
      : dry
        ? tableWords.noteChecked(name)
        : tableWords.noteLoaded(name, count((target?.inserted ?? 0) + (target?.updated ?? 0)), refused > 0 ? count(refused) : "");
  const at = { file: task.file_id, task: task.id };
  const onward = {
    file: task.file_id,
    task: reading.id,
    sheet: (sheets.find((s) => s.rows_loaded > 0) ?? sheets[0])?.number ?? 1,
    into: true,
    target: requestOf(task)?.id,
    run: task.id,
  };
  return h(
    "p",
    { class: "note" },
    dot(task.status, refused > 0),
    h("bdi", {}, told),
    h("a", { href: address(dry ? onward : at) }, dry ? tableWords.goOn : tableWords.details),
  );
}

/**
 * Where the rows of a load are, and the way back.
 *
 * @param {Task} task
 */
export function links(task) {
  const id = requestOf(task)?.id;
  return h(
    "div",
    { class: "after" },
    task.summary?.target?.sql && statement(task.summary.target.sql),
    id && h("a", { class: "button", id: "loads", href: address({ tables: true, target: id }) }, icon("retry"), tableWords.toLoads),
  );
}
