// A new table for a sheet: its columns are proposed, and changed before it is made.

import { isAbort, Problem, send } from "./api.js";
import { h, icon, show } from "./element.js";
import { fault, loading } from "./faults.js";
import { formFaults } from "./fieldfault.js";
import { oneLine } from "./format.js";
import { draft, keepDraft } from "./drafts.js";
import { address, goTo } from "./route.js";
import { tableBox } from "./tablebox.js";
import { mayLoad, modeHint, modes, typeName } from "./target.js";
import { tableWords } from "./words_tables.js";

/** @typedef {import("../shapes").Target} Target */
/** @typedef {import("../shapes").TargetColumn} TargetColumn */
/** @typedef {import("../shapes").TargetDefinition} TargetDefinition */
/** @typedef {import("../shapes").Mode} Mode */
/** @typedef {ReturnType<typeof columnRow>} ColumnRow */

export const types = ["text", "integer", "decimal", "boolean", "date", "time", "timestamp", "instant", "duration"];

/** @param {import("./into.js").Source} source */
export function makeTable({ place, task, sheet, signal }) {
  const draftName = `table.${place.file}.${place.sheet}`;
  const body = h("div", {}, loading());
  const element = h(
    "section",
    { class: "panel make" },
    h("h2", {}, tableWords.newTable),
    h("p", { class: "quiet" }, tableWords.keyHint),
    body,
  );

  async function load() {
    try {
      const kept = /** @type {TargetDefinition | undefined} */ (draft(draftName));
      const made = definitionForm(kept ?? (await propose()), {
        onChange: (now) => keepDraft(draftName, now),
        onName: lookForName,
        onSubmit: make,
        onReset,
      });
      show(body, made);
    } catch (error) {
      if (!isAbort(error)) show(body, fault(error, load));
    }
  }

  /** @returns {Promise<TargetDefinition>} */
  async function propose() {
    return (await send(`/targets/propose?task=${task.id}&sheet=${sheet.number}`, { method: "POST", signal })).json();
  }

  function onReset() {
    keepDraft(draftName, undefined);
    load();
  }

  /**
   * Says so early where a table has the name already; making it would, too.
   *
   * @param {string} name
   */
  async function lookForName(name) {
    const found = await send(`/targets?name=${encodeURIComponent(name)}`, { signal }).catch(() => undefined);
    const there = /** @type {Target | undefined} */ ((await found?.json())?.items[0]);
    if (there?.name !== name) return [];
    return [tableWords.nameTaken, " ", mayLoad(there) && h("a", { href: address({ ...place, target: there.id }) }, tableWords.useIt)];
  }

  /** @param {TargetDefinition} wanted */
  async function make(wanted) {
    const made = /** @type {Target} */ (await (await send("/targets", { method: "POST", json: wanted, signal })).json());
    keepDraft(draftName, undefined);
    goTo(place, { target: made.id });
  }

  load();
  return { element };
}

/**
 * @param {TargetDefinition} start
 * @param {{ onChange: (now: TargetDefinition) => void, onName: (name: string) => Promise<import("./element.js").Child[]>,
 *   onSubmit: (wanted: TargetDefinition) => Promise<void>, onReset: () => void }} on
 */
function definitionForm(start, on) {
  const taken = h("small", { role: "status" });
  const name = h("input", { id: "table-name", value: start.name, autocomplete: "off", oninput: changed, onblur: nameLeft });
  const mode = h("select", { onchange: changed }, ...modes.map((m) => h("option", { value: m }, tableWords.mode[m])));
  const hint = h("small", {});
  const problem = h("div", { class: "problem", role: "alert" });
  const submit = h("button", { type: "submit", class: "primary", id: "make" }, tableWords.make);
  const rows = start.columns.map((column) => columnRow(column, Boolean(start.key?.includes(column.name)), changed, leaveOut));
  const list = h("tbody", {}, ...rows.map((row) => row.element));
  mode.value = start.mode ?? "insert";

  /** @returns {TargetDefinition} */
  function written() {
    const key = rows.filter((row) => row.isKey()).map((row) => row.value().name);
    return {
      ...start,
      name: name.value,
      columns: rows.map((row) => row.value()),
      key: key.length > 0 ? key : undefined,
      mode: /** @type {Mode} */ (mode.value),
    };
  }

  function changed() {
    const hasKey = rows.some((row) => row.isKey());
    mode.options[1].disabled = !hasKey;
    if (!hasKey && mode.value === "upsert") mode.value = "insert";
    show(hint, modeHint(/** @type {Mode} */ (mode.value), hasKey));
    on.onChange(written());
  }

  async function nameLeft() {
    show(taken, ...(name.value.trim() ? await on.onName(name.value) : []));
  }

  /** @param {HTMLElement} element */
  function leaveOut(element) {
    const at = rows.findIndex((row) => row.element === element);
    rows.splice(at, 1);
    element.remove();
    (rows[at] ?? rows[at - 1])?.remove.focus();
    changed();
  }

  /** @param {Event} event */
  async function send(event) {
    event.preventDefault();
    submit.disabled = true;
    faults.clear();
    try {
      await on.onSubmit(written());
    } catch (error) {
      if (isAbort(error)) return;
      const isName = error instanceof Problem && (error.code === "target_exists" || error.code === "table_exists");
      faults.show(error, isName ? [{ location: "/name", message: error.message }] : undefined);
    }
    submit.disabled = false;
  }

  /** @param {string} pointer such as /columns/2/name */
  function fieldAt(pointer) {
    const [, top, index, part] = pointer.split("/");
    if (top === "name") return name;
    if (top === "mode") return mode;
    if (top === "key") return rows.filter((row) => row.isKey())[Number(index)]?.name;
    return top === "columns" && index ? (part === "type" ? rows[Number(index)]?.type : rows[Number(index)]?.name) : undefined;
  }

  const faults = formFaults(problem, fieldAt);
  const made = h(
    "form",
    { onsubmit: send, novalidate: true },
    h(
      "div",
      { class: "pair" },
      h("label", {}, h("span", {}, tableWords.name), name, taken),
      h("label", {}, h("span", {}, tableWords.modeLabel), mode, hint),
    ),
    tableBox("", [...tableWords.makeHeads, ""], list),
    problem,
    h("div", { class: "buttons" }, submit, h("button", { type: "button", onclick: on.onReset }, tableWords.proposeAgain)),
  );
  changed();
  return made;
}

/**
 * @param {TargetColumn} column
 * @param {boolean} inKey
 * @param {() => void} changed
 * @param {(row: HTMLElement) => void} leaveOut
 */
function columnRow(column, inKey, changed, leaveOut) {
  const label = column.label ?? column.name;
  const of = (/** @type {string} */ what) => ({ "aria-label": `${what}: ${oneLine(label, 60)}`, onchange: changed });
  const name = h("input", { value: column.name, autocomplete: "off", oninput: changed, ...of(tableWords.columnName) });
  const type = h("select", of(tableWords.type), ...types.map((t) => h("option", { value: t }, typeName(t))));
  const required = h("input", { type: "checkbox", checked: Boolean(column.required), ...of(tableWords.required) });
  const key = h("input", { type: "checkbox", checked: inKey, ...of(tableWords.key) });
  const remove = h(
    "button",
    { type: "button", class: "bare", onclick: () => leaveOut(element), "aria-label": tableWords.without(oneLine(label, 60)) },
    icon("close"),
  );
  type.value = column.type;
  key.addEventListener("change", needed);
  function needed() {
    if (key.checked) required.checked = true; // a row without its key cannot be found again
    required.disabled = key.checked;
  }
  needed();
  const element = h(
    "tr",
    {},
    h("td", {}, name),
    h("td", {}, type),
    h("td", { class: "tick", "data-label": tableWords.required }, required),
    h("td", { class: "tick", "data-label": tableWords.key }, key),
    h("td", { class: "from" }, h("bdi", {}, oneLine(label, 80))),
    h("td", { class: "tick" }, remove),
  );
  return {
    element,
    name,
    type,
    remove,
    isKey: () => key.checked,
    /** @returns {TargetColumn} */
    value() {
      const { required: _, label: __, ...rest } = column;
      const named = { ...rest, name: name.value, type: type.value };
      return { ...named, ...(label !== name.value && { label }), ...((required.checked || key.checked) && { required: true }) };
    },
  };
}
