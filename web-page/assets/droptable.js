// A table is removed: files no longer go into it. What stays and what goes is said before.

import { isAbort, Problem, send } from "./api.js";
import { openDialog } from "./dialog.js";
import { h, show } from "./element.js";
import { problemTexts } from "./faults.js";
import { oneLine } from "./format.js";
import { notify } from "./notices.js";
import { go } from "./route.js";
import { tableName } from "./target.js";
import { defineWords } from "./words_define.js";

/** @param {import("../shapes").Target} target */
export function dropDialog(target) {
  const problem = h("div", { class: "problem", role: "alert" });
  const typed = h("input", { id: "drop-name", autocomplete: "off", oninput: ready });
  const asked = h("label", { class: "typed", hidden: true }, h("span", {}, defineWords.typeName(oneLine(target.name, 60))), typed);
  const drop = h("button", { type: "button", class: "primary", id: "drop-now", onclick: start }, defineWords.dropKeep);
  const choices = h(
    "fieldset",
    { class: "modes two" },
    h("legend", {}, defineWords.dropLegend),
    choice("keep", defineWords.keepTable, defineWords.keepHint(tableName(target)), true),
    target.kind === "MANAGED" && choice("drop", defineWords.dropTable, defineWords.dropHint, false),
  );

  /**
   * @param {string} value
   * @param {string} label
   * @param {string} hint
   * @param {boolean} checked
   */
  function choice(value, label, hint, checked) {
    const input = h("input", { type: "radio", name: "drop", value, checked, onchange: ready });
    return h("label", {}, input, h("span", {}, h("strong", {}, label), h("small", {}, hint)));
  }

  const deletes = () => /** @type {HTMLInputElement | null} */ (choices.querySelector("[value=drop]"))?.checked ?? false;

  function ready() {
    asked.hidden = !deletes();
    drop.disabled = deletes() && typed.value !== target.name;
    drop.textContent = deletes() ? defineWords.dropAll : defineWords.dropKeep;
    drop.classList.toggle("danger", deletes());
  }

  async function start() {
    drop.disabled = true;
    show(problem);
    try {
      await send(`/targets/${target.id}?table=${deletes() ? "drop" : "keep"}`, { method: "DELETE" });
    } catch (error) {
      if (!(error instanceof Problem && error.status === 404)) return failed(error); // somebody else was faster
    }
    dialog.close();
    notify(defineWords.dropped(oneLine(target.name, 60)));
    go({ tables: true });
  }

  /** @param {unknown} error */
  function failed(error) {
    drop.disabled = false;
    if (isAbort(error)) return;
    show(problem, ...problemTexts(error));
  }

  const always = h("ul", { class: "effects-list" }, ...defineWords.dropAlways.map((text) => h("li", {}, text)));
  const title = [defineWords.dropTitle, " ", h("bdi", {}, oneLine(target.name, 60))];
  const dialog = openDialog(title, [always, choices, asked, problem], [drop]);
}
