// What the reader has chosen for the headers of a table's files, and is used again for the next one.

import { isAbort, read, send } from "./api.js";
import { h, icon, show } from "./element.js";
import { fault, loading, problemTexts } from "./faults.js";
import { ago, oneLine, time } from "./format.js";
import { mappingOf } from "./run.js";
import { tableBox } from "./tablebox.js";
import { defineWords } from "./words_define.js";
import { tableWords } from "./words_tables.js";

/** @typedef {import("../shapes").HeaderChoice} HeaderChoice */

/**
 * @param {import("../shapes").Target} target
 * @param {AbortSignal} signal
 */
export function choicesView(target, signal) {
  const path = `/targets/${target.id}/choices`;
  const state = h("div", { class: "more" });
  const problem = h("div", { class: "problem", role: "alert" });
  const list = h("tbody");
  const table = tableBox("remembered", [...defineWords.choiceHeads, ""], list);
  table.hidden = true;
  const all = h("button", { type: "button", id: "forget-all", hidden: true, onclick: forgetAll }, tableWords.forgetAll);

  async function load() {
    show(state, loading());
    try {
      draw(await current());
    } catch (error) {
      if (!isAbort(error)) show(state, fault(error, load));
    }
  }

  const current = async () => /** @type {{ choices: HeaderChoice[] }} */ (await read(path, signal)).choices;

  /** @param {HeaderChoice[]} choices */
  function draw(choices) {
    show(list, ...choices.map(row));
    table.hidden = all.hidden = choices.length === 0;
    show(state, choices.length === 0 && h("p", { class: "quiet", tabindex: "-1" }, defineWords.noChoices));
  }

  /** @param {HeaderChoice} choice */
  function row({ header, column, format, used_at }) {
    const label = oneLine(header, 80);
    const forget = () => attempt(() => forgetOne(header));
    return h(
      "tr",
      {},
      h("td", {}, h("bdi", {}, label)),
      h("td", {}, column === null ? h("span", { class: "quiet" }, defineWords.leftOut) : h("bdi", {}, oneLine(column, 80))),
      h("td", {}, format && h("code", {}, h("bdi", {}, oneLine(format, 40)))),
      h("td", {}, h("time", { class: "quiet", datetime: used_at, title: time(used_at) }, ago(used_at))),
      h(
        "td",
        { class: "tick" },
        h("button", { type: "button", class: "bare forget", onclick: forget, "aria-label": defineWords.forgetOne(label) }, icon("close")),
      ),
    );
  }

  /** @param {string} header */
  async function forgetOne(header) {
    const rest = (await current()).filter((c) => c.header !== header);
    const kept = { method: "PUT", json: { choices: mappingOf(rest) }, signal };
    return rest.length === 0 ? forgetThem() : send(path, kept);
  }

  const forgetThem = () => send(path, { method: "DELETE", signal });

  function forgetAll() {
    return attempt(forgetThem);
  }

  /** @param {() => Promise<unknown>} change */
  async function attempt(change) {
    show(problem);
    try {
      await change();
      draw(await current());
      /** @type {HTMLElement | null} */ (list.querySelector("button") ?? state.querySelector("p"))?.focus();
    } catch (error) {
      if (!isAbort(error)) show(problem, ...problemTexts(error));
    }
  }

  load();
  return h("section", { class: "chosen" }, h("p", { class: "quiet" }, defineWords.choicesHint), table, state, h("div", {}, all), problem);
}
