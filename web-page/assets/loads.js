// What was loaded into a table, newest first, and how a load is undone.

import { isAbort, Problem, read, send } from "./api.js";
import { openDialog } from "./dialog.js";
import { h, icon, show } from "./element.js";
import { failure, fault, loading, problemTexts } from "./faults.js";
import { ago, count, oneLine, time } from "./format.js";
import { isOpen } from "./library.js";
import { go } from "./route.js";
import { follow, requestOf, runProgress, startOnce } from "./run.js";
import { tableBox } from "./tablebox.js";
import { mayLoad } from "./target.js";
import { words } from "./words.js";
import { tableWords } from "./words_tables.js";

/** @typedef {import("../shapes").TargetLoad} TargetLoad */
/** @typedef {import("../shapes").Task} Task */
/** @typedef {import("./route.js").Place} Place */

const pageSize = 50;
const shownNewer = 5;

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
  const table = tableBox("loads", [...tableWords.loadHeads, ""], list);
  const element = h("section", { class: "loads" }, run, h("h2", {}, tableWords.loads), table, end);
  /** @type {TargetLoad[]} */
  let loads = [];
  let following = "";

  /** @param {string} cursor */
  async function load(cursor) {
    show(end, loading());
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
    const series = of.series && h("small", {}, tableWords.series, " ", h("bdi", {}, oneLine(of.series, 40)));
    const first = loads.find((l) => l.id === of.corrects);
    const corrects = of.corrects && h("small", {}, tableWords.corrects, " ", h("bdi", {}, oneLine(first?.file_name ?? "", 40)));
    const undo = h(
      "button",
      { type: "button", class: "undo", onclick: () => undoDialog(of), "aria-label": `${words.undo}: ${oneLine(of.file_name, 60)}` },
      words.undo,
    );
    return h(
      "tr",
      { class: of.undone_at ? "undone" : "" },
      h("td", {}, h("a", { href: `/files/${of.file_id}/tasks/${of.task_id}` }, h("bdi", {}, oneLine(of.file_name, 60))), series, corrects),
      h("td", {}, h("time", { datetime: of.applied_at, title: time(of.applied_at) }, ago(of.applied_at))),
      h("td", {}, tableWords.mode[of.mode]),
      ...counts.map((name) =>
        h("td", { class: "number " + (of[name] > 0 ? name : "none"), "data-label": tableWords.effect[name] }, count(of[name])),
      ),
      h("td", {}, fate(of) ?? (mayLoad(target) && undo)),
    );
  }

  /**
   * Says what an undo touches, as far as the load's counts tell, before it is begun.
   *
   * @param {TargetLoad} of
   */
  function undoDialog(of) {
    const problem = h("div", { class: "problem", role: "alert" });
    const newer = h("div", { class: "newer", role: "status" });
    const begin = h("button", { type: "button", class: "primary", id: "undo", onclick: start }, tableWords.undoNow);
    const effects = [
      of.inserted > 0 && tableWords.undoInserted(count(of.inserted)),
      of.updated > 0 && tableWords.undoUpdated(count(of.updated)),
      of.deleted > 0 && tableWords.undoDeleted(count(of.deleted)),
      of.inserted + of.updated + of.deleted === 0 && tableWords.undoNothing,
      of.corrects && tableWords.undoReopens,
      loads.some((l) => l.corrects === of.id && !l.undone_at) && tableWords.undoCorrections,
      tableWords.undoEdited,
    ];
    const dialog = openDialog(
      [tableWords.undoTitle, " ", h("bdi", {}, oneLine(of.file_name, 60))],
      [
        h("p", { class: "quiet" }, time(of.applied_at)),
        h("ul", { class: "effects-list" }, ...effects.filter(Boolean).map((text) => h("li", {}, text))),
        newer,
        problem,
      ],
      [begin],
    );
    showNewer();

    /** What was loaded later is asked for now: another file may have come since the list was shown. */
    async function showNewer() {
      try {
        const page = /** @type {import("../shapes").List<TargetLoad>} */ (
          await read(`/targets/${target.id}/loads?limit=${pageSize}`, signal)
        );
        const later = page.items.filter((l) => l.id > of.id && !l.undone_at && l.corrects !== of.id);
        const own = page.items.filter((l) => l.corrects === of.id && !l.undone_at).length;
        const all = Math.max(later.length, (page.items.find((l) => l.id === of.id)?.newer_loads ?? of.newer_loads) - own);
        if (all > 0) show(newer, h("p", {}, tableWords.undoLater(count(all))), newerList(later.slice(0, shownNewer), all));
      } catch (error) {
        if (!isAbort(error) && of.newer_loads > 0) show(newer, h("p", {}, tableWords.undoLater(count(of.newer_loads))));
      }
    }

    async function start() {
      begin.disabled = true;
      try {
        const made = await undo(of);
        dialog.close();
        go({ ...place, run: made.id });
      } catch (error) {
        if (!isAbort(error)) show(problem, ...problemTexts(error));
        begin.disabled = false;
      }
    }
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
 * Why a load is not undone any more; undefined if it can be.
 *
 * @param {TargetLoad} of
 */
function fate(of) {
  const said = (/** @type {string} */ text, /** @type {string} */ at) => h("span", { class: "quiet", title: time(at) }, text);
  if (of.undone_at) return said(of.superseded_by ? tableWords.superseded : tableWords.undone, of.undone_at);
  return of.settled_at ? said(tableWords.settled, of.settled_at) : undefined;
}

/**
 * @param {TargetLoad[]} loads
 * @param {number} all of which there are more than loads, perhaps
 */
function newerList(loads, all) {
  const item = (/** @type {TargetLoad} */ l) =>
    h(
      "li",
      {},
      h("bdi", {}, oneLine(l.file_name, 60)),
      " ",
      h("small", {}, time(l.applied_at), " · ", tableWords.wrote(count(l.inserted), count(l.updated))),
    );
  return h(
    "ul",
    { class: "effects-list" },
    ...loads.map(item),
    all > loads.length && h("li", { class: "quiet" }, tableWords.andMore(count(all - loads.length))),
  );
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
    tableBox(
      "kept",
      columns.map((name) => oneLine(name, 60)),
      h("tbody", {}, ...keys.map((key) => h("tr", {}, ...columns.map((name) => cell(key[name]))))),
    ),
  );
}
