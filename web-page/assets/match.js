// Which column of a sheet goes into which one of a table: the API matches, people decide by choosing, clicking a suggestion or dragging.

import { isAbort, Problem, read, send } from "./api.js";
import { draft, keepDraft } from "./drafts.js";
import { h, show } from "./element.js";
import { fault, loading, problemTexts } from "./faults.js";
import { count, oneLine } from "./format.js";
import { isDoubtful, matchRow } from "./match_row.js";
import { notify } from "./notices.js";
import { goTo } from "./route.js";
import { plainOptions, startLoad } from "./run.js";
import { tableBox } from "./tablebox.js";
import { mayLoad, modeHint, modes } from "./target.js";
import { said, words } from "./words.js";
import { tableWords } from "./words_tables.js";

/** @typedef {import("../shapes").Target} Target */
/** @typedef {import("../shapes").Matching} Matching */
/** @typedef {import("../shapes").Mode} Mode */
/** @typedef {{ mapping: import("./run.js").Mapping, mode?: Mode }} Draft */

const mostShown = 100; // rows at first, and with each further click

/** @param {import("./into.js").Source} source */
export function matchView(source) {
  const { place, signal } = source;
  const element = h("section", { class: "panel match" }, loading());

  async function load() {
    try {
      const target = /** @type {Target} */ (await read("/targets/" + place.target, signal));
      if (mayLoad(target)) show(element, ...matching(source, target));
      else show(element, h("div", { class: "state failed", role: "alert" }, h("p", { class: "headline" }, tableWords.notForLoading)));
    } catch (error) {
      if (!isAbort(error)) show(element, fault(error, load));
    }
  }

  load();
  return { element };
}

/**
 * @param {import("./into.js").Source} source
 * @param {Target} target
 */
function matching({ place, file, task, sheet, alone, signal }, target) {
  const draftName = `match.${place.file}.${place.sheet}.${target.id}`;
  const definition = /** @type {import("../shapes").TargetDefinition} */ (target.definition);
  /** @type {Draft} */
  const chosen = { mapping: {}, ...draft(draftName) };
  /** @type {Matching | undefined} */
  let matched;
  let asked = new AbortController();
  let answered = Promise.resolve();

  const told = h("p", { class: "summary", role: "status" }, words.loading);
  const heard = h("p", { class: "heard", role: "status" }); // for who does not see the row change
  const open = h("div", { class: "open" });
  const problems = h("div", { class: "problem", role: "alert" });
  const forget = h("button", { type: "button", class: "link", hidden: true, onclick: forgetChoices }, tableWords.forget);
  const check = h("button", { type: "button", class: "primary", id: "check", disabled: true, onclick: start }, tableWords.check);
  const rows = sheet.columns.map((column) => matchRow(column, definition.columns, choose));
  const list = h("tbody", {}, ...rows.slice(0, mostShown).map((row) => row.element));
  const more = h("button", { type: "button", class: "more", hidden: rows.length <= mostShown, onclick: showMore }, words.loadMore);

  function showMore() {
    const from = list.childElementCount;
    list.append(...rows.slice(from, from + mostShown).map((row) => row.element));
    more.hidden = list.childElementCount === rows.length;
  }

  /**
   * Sets what becomes of a header. A column that another header had is taken from it.
   *
   * @param {string} header
   * @param {string | null | undefined} column null leaves the header out; undefined leaves the choice to the rules
   * @param {string} [format]
   */
  function choose(header, column, format) {
    const before = matched?.columns.findIndex((m) => m.column !== null && m.column === column) ?? -1;
    const other = before >= 0 ? sheet.columns[before].name : header;
    if (other !== header && Object.hasOwn(chosen.mapping, other)) delete chosen.mapping[other];
    if (column === undefined) delete chosen.mapping[header];
    else chosen.mapping[header] = column !== null && format ? { column, format } : column;
    keepDraft(draftName, chosen);
    show(heard, column !== undefined && tableWords.chosen(oneLine(header, 60), oneLine(column ?? "", 60)));
    ask();
  }

  function ask() {
    asked.abort();
    asked = new AbortController();
    answered = match(AbortSignal.any([signal, asked.signal]));
  }

  /** @param {AbortSignal} now */
  async function match(now) {
    try {
      const path = `/targets/${target.id}/match?task=${task.id}&sheet=${sheet.number}`;
      const answer = await send(path, { method: "POST", json: { mapping: chosen.mapping }, signal: now });
      matched = /** @type {Matching} */ (await answer.json());
      draw(matched);
    } catch (error) {
      if (!isAbort(error)) failed(error);
    }
  }

  /** @param {unknown} error */
  function failed(error) {
    const isStale = error instanceof Problem && error.code === "invalid_mapping" && Object.keys(chosen.mapping).length > 0;
    check.disabled = true;
    show(
      problems,
      ...problemTexts(error),
      h("button", { type: "button", onclick: isStale ? startAnew : ask }, isStale ? tableWords.startAnew : words.tryAgain),
    );
    show(told);
  }

  function startAnew() {
    chosen.mapping = {};
    keepDraft(draftName, chosen);
    ask();
  }

  /** @param {Matching} now */
  function draw(now) {
    now.columns.forEach((m, i) => rows[i].refresh(m, now.missing));
    const used = now.columns.filter((m) => m.column !== null);
    const vague = now.columns.filter((m) => m.formats && !m.format);
    const doubtful = now.columns.filter(isDoubtful);
    show(told, tableWords.matched(count(used.length), count(definition.columns.length)));
    drawOpen(now.missing);
    show(
      problems,
      ...now.problems.map((p) => h("p", { dir: "auto" }, said(p))),
      ...vague.map((m) => h("p", {}, tableWords.chooseFormat(oneLine(m.header, 60)))),
      ...doubtful.map((m) => h("p", {}, tableWords.doubt(oneLine(m.header, 60), oneLine(m.column ?? "", 60)))),
    );
    forget.hidden = !now.columns.some((m) => m.rule === "remembered");
    check.disabled = now.problems.length > 0 || vague.length + doubtful.length > 0 || used.length === 0;
  }

  /**
   * The table's columns that get nothing, each of which can be dragged onto a row.
   *
   * @param {string[]} missing
   */
  function drawOpen(missing) {
    const needed = new Set(definition.columns.filter((c) => c.required).map((c) => c.name));
    const chip = (/** @type {string} */ name) => {
      const made = h("span", { class: "chip" + (needed.has(name) ? " needed" : ""), draggable: "true" }, h("bdi", {}, oneLine(name, 40)));
      if (needed.has(name)) made.append(h("small", {}, tableWords.required));
      made.addEventListener("dragstart", (event) => event.dataTransfer?.setData("text/x-column", name));
      return made;
    };
    show(open, missing.length > 0 && h("span", { class: "quiet" }, tableWords.open), ...missing.slice(0, mostShown).map(chip));
  }

  async function forgetChoices() {
    try {
      await send(`/targets/${target.id}/choices`, { method: "DELETE", signal });
      notify(tableWords.forgotten);
      ask();
    } catch (error) {
      if (!isAbort(error)) failed(error);
    }
  }

  async function start() {
    await answered; // what was chosen last counts
    if (check.disabled) return;
    check.disabled = true;
    show(told, words.parsing);
    try {
      const options = plainOptions(task, alone ? undefined : sheet.name);
      const wanted = { target: target.id, options, dry: true, mode: chosen.mode, mapping: chosen.mapping };
      const made = await startLoad(file.id, wanted, signal);
      goTo(place, { target: target.id, run: made.id });
    } catch (error) {
      if (isAbort(error)) return;
      failed(error);
      check.disabled = false; // it may be tried again
    }
  }

  const usual = definition.mode ?? "insert";
  ask();
  return [
    h("h2", {}, tableWords.matchTitle, " ", h("bdi", {}, oneLine(target.name, 60))),
    modeChoice(chosen.mode ?? usual, Boolean(definition.key?.length), (mode) => {
      chosen.mode = mode === usual ? undefined : mode;
      keepDraft(draftName, chosen);
    }),
    h("div", { class: "told" }, told, forget, heard),
    open,
    tableBox("", tableWords.matchHeads, list),
    more,
    problems,
    h("div", { class: "buttons sticky" }, check, h("small", {}, tableWords.checkHint)),
  ];
}

/**
 * @param {Mode} chosen
 * @param {boolean} hasKey
 * @param {(mode: Mode) => void} onChange
 */
function modeChoice(chosen, hasKey, onChange) {
  const entry = (/** @type {Mode} */ mode) => {
    const disabled = mode === "upsert" && !hasKey;
    const input = h("input", {
      type: "radio",
      name: "mode",
      value: mode,
      checked: mode === chosen,
      disabled,
      onchange: () => onChange(mode),
    });
    return h("label", {}, input, h("span", {}, h("strong", {}, tableWords.mode[mode]), h("small", {}, modeHint(mode, hasKey))));
  };
  return h("fieldset", { class: "modes" }, h("legend", {}, tableWords.modeLabel), ...modes.map(entry));
}
