// The columns and rules of a table, and how they are changed.

import { isAbort, read, send } from "./api.js";
import { columnForm } from "./columnform.js";
import { draft, keepDraft } from "./drafts.js";
import { h, show } from "./element.js";
import { formFaults } from "./fieldfault.js";
import { notify } from "./notices.js";
import { modeHint, modes } from "./target.js";
import { defineWords } from "./words_define.js";
import { tableWords } from "./words_tables.js";

/** @typedef {import("../shapes").Target} Target */
/** @typedef {import("../shapes").TargetColumn} TargetColumn */
/** @typedef {import("../shapes").TargetDefinition} TargetDefinition */

const settings = /** @type {const} */ (["mode", "duplicates", "missing", "extra"]);
/** @type {Record<typeof settings[number], readonly string[]>} what each can be; the first is what counts if nothing is said */
const values = { mode: modes, duplicates: ["first", "last"], missing: ["keep", "default"], extra: ["leave_out", "refuse"] };

/**
 * @param {Target} target
 * @param {AbortSignal} signal
 * @param {(now: Target) => void} onChanged
 */
export function defineView(target, signal, onChanged) {
  const mayChange = target.may.includes("own") || target.may.includes("define");
  const was = /** @type {TargetDefinition} */ (target.definition);
  const kept = /** @type {{ version: number, definition: TargetDefinition } | undefined} */ (draft(draftOf(target)));
  const now = structuredClone(kept?.version === target.version ? kept.definition : was);
  const problem = h("div", { class: "problem", role: "alert" });
  const save = h("button", { type: "submit", class: "primary", id: "save" }, defineWords.save);
  const discard = h("button", { type: "button", onclick: startOver }, defineWords.discard);
  const hint = h("small", {});
  const selects = settings.map(setting);
  const list = h("div", { class: "fields" });
  const forms = now.columns.map((column, i) => formOf(column, was.columns[i]));

  /** @param {typeof settings[number]} name */
  function setting(name) {
    const texts = /** @type {Record<string, string>} */ (name === "mode" ? tableWords.mode : defineWords[name]);
    const field = h(
      "select",
      { name, disabled: !mayChange, onchange: set },
      ...values[name].map((v) => h("option", { value: v }, texts[v])),
    );
    field.value = now[name] ?? values[name][0];
    if (name === "mode" && !now.key?.length) field.options[1].disabled = true;
    function set() {
      Object.assign(now, { [name]: field.value });
      changed();
    }
    const label = name === "mode" ? tableWords.modeLabel : defineWords[`${name}Label`];
    return { field, element: h("label", {}, h("span", {}, label), field, name === "mode" && hint) };
  }

  /**
   * @param {TargetColumn} column
   * @param {TargetColumn} [before] undefined if it is new
   */
  function formOf(column, before) {
    /** @type {import("./columnform.js").ColumnForm} */
    const form = columnForm(column, {
      before,
      mayChange,
      isAdopted: target.kind === "ADOPTED",
      isKey: Boolean(was.key?.includes(column.name)),
      definition: now,
      changed,
      remove: () => remove(form),
    });
    list.append(form.element);
    return form;
  }

  /** @param {import("./columnform.js").ColumnForm} form */
  function remove(form) {
    const at = forms.indexOf(form);
    forms.splice(at, 1);
    now.columns.splice(at, 1);
    form.element.remove();
    add.focus();
    changed();
  }

  function addColumn() {
    /** @type {TargetColumn} */
    const column = { name: "", type: "text" };
    now.columns.push(column);
    const form = formOf(column);
    forms.push(form);
    form.field("name")?.focus();
    changed();
  }
  const add = h("button", { type: "button", id: "add-column", onclick: addColumn }, defineWords.addColumn);

  const isChanged = () => JSON.stringify(now) !== JSON.stringify(was);

  function changed() {
    show(hint, modeHint(now.mode ?? "insert", Boolean(now.key?.length)));
    save.disabled = discard.disabled = !isChanged();
    keepDraft(draftOf(target), isChanged() ? { version: target.version, definition: now } : undefined);
  }

  function startOver() {
    keepDraft(draftOf(target), undefined);
    onChanged(target);
  }

  /** @param {Event} event */
  async function start(event) {
    event.preventDefault();
    save.disabled = true;
    faults.clear();
    try {
      if (await isStale()) return;
      const changed = await send("/targets/" + target.id, { method: "PATCH", json: changesOf(was, now), signal });
      keepDraft(draftOf(target), undefined);
      notify(defineWords.saved);
      onChanged(await changed.json());
    } catch (error) {
      if (!isAbort(error)) faults.show(error);
    }
    save.disabled = false;
  }

  /** Somebody else may have changed the table meanwhile, and would lose that. */
  async function isStale() {
    const current = /** @type {Target} */ (await read("/targets/" + target.id, signal));
    if (current.version === target.version) return false;
    show(
      problem,
      h("p", {}, defineWords.stale),
      h("button", { type: "button", onclick: () => onChanged(current) }, defineWords.showCurrent),
    );
    return true;
  }

  /** @param {string} pointer such as /columns/2/min */
  function fieldAt(pointer) {
    const [, top, index, part] = pointer.split("/");
    if (top === "columns" && index) return forms[Number(index)]?.field(part ?? "name");
    return selects.find((s) => s.field.name === top)?.field;
  }

  const faults = formFaults(problem, fieldAt);
  const element = h(
    "form",
    { class: "define", onsubmit: start, novalidate: true },
    h("p", { class: "quiet" }, !mayChange ? defineWords.readOnly : target.kind === "ADOPTED" ? defineWords.adopted : defineWords.hint),
    h("div", { class: "pair" }, ...selects.map((s) => s.element)),
    list,
    mayChange && target.kind === "MANAGED" && h("div", {}, add),
    problem,
    mayChange && h("div", { class: "buttons sticky" }, save, discard),
  );
  changed();
  return element;
}

/**
 * The fields that are others; null takes away.
 *
 * @param {TargetDefinition} was
 * @param {TargetDefinition} now
 */
function changesOf(was, now) {
  /** @type {Record<string, unknown>} */
  const changes = {};
  for (const name of /** @type {const} */ (["columns", "partition", ...settings]))
    if (JSON.stringify(now[name]) !== JSON.stringify(was[name])) changes[name] = now[name] ?? null;
  return changes;
}

/** @param {Target} target */
const draftOf = (target) => "define." + target.id;
