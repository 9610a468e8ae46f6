// What was loaded into a table, newest first, and how a load is undone.

import { isAbort, Problem, read, send } from "./api.js";
import { h, icon, show } from "./element.js";
import { failure, fault, headline, step } from "./faults.js";
import { ago, count, oneLine, time } from "./format.js";
import { isOpen } from "./library.js";
import { go } from "./route.js";
import { follow, requestOf, runProgress, startOnce } from "./run.js";
import { mayLoad } from "./target.js";
import { words } from "./words.js";
import { tableWords } from "./words_tables.js";

/** @typedef {import("../shapes").TargetLoad} TargetLoad */
/** @typedef {import("../shapes").Task} Task */
/** @typedef {import("./route.js").Place} Place */

const pageSize = 50;

/**
 * @param {import("../shapes").Target} target
 * @param {Place} place
 * @param {AbortSignal} signal
 * @param {() => void} onUndone
 */
export function loadsView(target, place, signal, onUndone) {
  const run = h("div", { class: "run" });
  const list = h("tbody");
  const end = h("div", { class: "more" });
  const table = h(
    "div",
    { class: "tablebox" },
    h(
      "table",
      { class: "loads" },
      h("thead", {}, h("tr", {}, ...tableWords.loadHeads.map((text) => h("th", { scope: "col" }, text)), h("td"))),
      list,
    ),
  );
  const element = h("section", { class: "loads" }, run, h("h2", {}, tableWords.loads), table, end);
  /** @type {TargetLoad[]} */
  let loads = [];
  let following = "";

  /** @param {string} cursor */
  async function load(cursor) {
    show(end, h("p", { class: "quiet", role: "status" }, words.loading));
    try {
      const page = /** @type {import("../shapes").List<TargetLoad>} */ (
        await read(`/targets/${target.id}/loads?limit=${pageSize}${cursor}`, signal)
      );
      loads = cursor ? [...loads, ...page.items] : page.items;
      show(list, ...loads.map(row));
      table.hidden = loads.length === 0;
      const more = () => load("&cursor=" + encodeURIComponent(page.next ?? ""));
      show(
        end,
        loads.length === 0 && h("p", { class: "quiet" }, tableWords.noLoads),
        page.next && h("button", { type: "button", onclick: more }, words.loadMore),
      );
    } catch (error) {
      if (!isAbort(error))
        show(
          end,
          fault(error, () => load(cursor)),
        );
    }
  }

  /** @param {TargetLoad} of */
  function row(of) {
    const counts = /** @type {const} */ (["inserted", "updated", "unchanged", "deleted", "rejected"]);
    const undo = h(
      "button",
      { type: "button", class: "undo", onclick: () => undoDialog(of), "aria-label": `${words.undo}: ${oneLine(of.file_name, 60)}` },
      words.undo,
    );
    return h(
      "tr",
      { class: of.undone_at ? "undone" : "" },
      h("td", {}, h("a", { href: `/files/${of.file_id}/tasks/${of.task_id}` }, h("bdi", {}, oneLine(of.file_name, 60)))),
      h("td", {}, h("time", { datetime: of.applied_at, title: time(of.applied_at) }, ago(of.applied_at))),
      h("td", {}, tableWords.mode[of.mode]),
      ...counts.map((name) =>
        h("td", { class: "number " + (of[name] > 0 ? name : "none"), "data-label": tableWords.effect[name] }, count(of[name])),
      ),
      h("td", {}, of.undone_at ? h("span", { class: "quiet", title: time(of.undone_at) }, tableWords.undone) : mayLoad(target) && undo),
    );
  }

  /**
   * Says what an undo touches, as far as the load's counts tell, before it is begun.
   *
   * @param {TargetLoad} of
   */
  function undoDialog(of) {
    const problem = h("div", { class: "problem", role: "alert" });
    const begin = h("button", { type: "button", class: "primary", id: "undo", onclick: start }, tableWords.undoNow);
    const effects = [
      of.inserted > 0 && tableWords.undoInserted(count(of.inserted)),
      of.updated > 0 && tableWords.undoUpdated(count(of.updated)),
      of.deleted > 0 && tableWords.undoDeleted(count(of.deleted)),
      of.inserted + of.updated + of.deleted === 0 && tableWords.undoNothing,
      tableWords.undoEdited,
      loads[0] !== of && tableWords.undoLater,
    ];
    const dialog = h(
      "dialog",
      { "aria-labelledby": "undo-title" },
      h("h2", { id: "undo-title" }, tableWords.undoTitle, " ", h("bdi", {}, oneLine(of.file_name, 60))),
      h("p", { class: "quiet" }, time(of.applied_at)),
      h("ul", { class: "effects-list" }, ...effects.filter(Boolean).map((text) => h("li", {}, text))),
      problem,
      h(
        "div",
        { class: "buttons" },
        h("span", { class: "gap" }),
        h("button", { type: "button", onclick: () => dialog.close() }, words.cancel),
        begin,
      ),
    );
    async function start() {
      begin.disabled = true;
      try {
        const made = await undo(of);
        dialog.close();
        go({ ...place, run: made.id });
      } catch (error) {
        if (!isAbort(error)) show(problem, h("p", {}, headline(error)), h("p", {}, step(error)));
        begin.disabled = false;
      }
    }
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }

  /** @param {TargetLoad} of */
  async function undo(of) {
    const path = `/targets/${target.id}/loads/${of.id}/undo`;
    try {
      return await startOnce(of.file_id, path, (task) => requestOf(task)?.undo === of.id, signal);
    } catch (error) {
      if (!(error instanceof Problem && error.status === 404)) throw error;
      return /** @type {Promise<Task>} */ ((await send(path, { method: "POST", signal })).json()); // which says why it cannot be undone
    }
  }

  /** @param {string | undefined} id of an undo's task */
  async function showRun(id) {
    following = id ?? "";
    if (!id) return show(run);
    try {
      const task = /** @type {Task} */ (await read("/tasks/" + id, signal));
      if (requestOf(task)?.id !== target.id) return show(run);
      const wasOpen = isOpen(task);
      const progress = runProgress(task, tableWords.undoing);
      show(run, progress.element);
      const ended = await follow(task, signal, progress.update);
      if (following !== id) return;
      show(run, undoOutcome(ended));
      load("");
      if (wasOpen) onUndone();
    } catch (error) {
      if (!isAbort(error))
        show(
          run,
          fault(error, () => showRun(id)),
        );
    }
  }

  load("");
  showRun(place.run);
  return {
    element,
    /** @param {Place} now */
    update(now) {
      if ((now.run ?? "") !== following) showRun(now.run);
    },
  };
}

/**
 * What an undo has come to.
 *
 * @param {Task} task that has ended
 */
export function undoOutcome(task) {
  if (task.status === "FAILED") return failure(task, tableWords.undoFailed);
  const undo = task.summary?.undo;
  if (!undo) return h("div", { class: "state" }, h("p", {}, tableWords.cancelled));
  const names = /** @type {const} */ (["removed", "restored", "kept"]);
  return h(
    "div",
    { class: "result undone" },
    h("h2", { role: "status" }, icon("retry"), undo.kept > 0 ? tableWords.undoneButKept : tableWords.undoDone),
    h(
      "dl",
      { class: "effects" },
      ...names.map((name) =>
        h("div", { class: undo[name] > 0 ? name : "none" }, h("dt", {}, tableWords.undoEffect[name]), h("dd", {}, count(undo[name]))),
      ),
    ),
    undo.kept_keys && undo.kept_keys.length > 0 && keptRows(undo.kept_keys, undo.kept),
  );
}

/**
 * @param {Record<string, unknown>[]} keys
 * @param {number} all of which there are more than keys, perhaps
 */
function keptRows(keys, all) {
  const columns = Object.keys(keys[0]);
  const cell = (/** @type {unknown} */ value) => h("td", {}, h("bdi", {}, oneLine(value === null ? "" : String(value), 80)));
  return h(
    "details",
    { open: keys.length <= 10 },
    h("summary", {}, tableWords.keptKeys(count(keys.length), count(all))),
    h(
      "div",
      { class: "tablebox" },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, ...columns.map((name) => h("th", { scope: "col" }, h("bdi", {}, oneLine(name, 60)))))),
        h("tbody", {}, ...keys.map((key) => h("tr", {}, ...columns.map((name) => cell(key[name]))))),
      ),
    ),
  );
}
