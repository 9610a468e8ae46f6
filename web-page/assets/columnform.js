// One column of a table: what it is, and what its cells have to be.

import { h, icon, show } from "./element.js";
import { oneLine } from "./format.js";
import { types } from "./make.js";
import { typeName } from "./target.js";
import { defineWords } from "./words_define.js";
import { tableWords } from "./words_tables.js";

/** @typedef {import("../shapes").TargetColumn} TargetColumn */
/** @typedef {"line" | "number" | "lines" | "tick"} Kind */

/**
 * What a column can be told, as it is written and to which types it belongs.
 *
 * @type {[keyof TargetColumn, Kind, string[]?][]}
 */
const parts = [
  ["label", "line"],
  ["synonyms", "lines"],
  ["required", "tick"],
  ["default", "line"],
  ["min", "line", ["integer", "decimal", "date", "time", "timestamp", "instant", "duration"]],
  ["max", "line", ["integer", "decimal", "date", "time", "timestamp", "instant", "duration"]],
  ["max_length", "number", ["text"]],
  ["digits", "number", ["decimal"]],
  ["scale", "number", ["decimal"]],
  ["pattern", "line", ["text"]],
  ["allowed", "lines", ["text"]],
  ["format", "line", ["integer", "decimal", "boolean", "date", "time", "timestamp", "instant", "duration"]],
  ["zone", "line", ["instant"]],
];
const ofTable = new Set(["required", "default", "max_length", "digits", "scale"]); // what the table itself has of a column

/**
 * @typedef {object} Around
 * @property {TargetColumn} [before] as it is; undefined if it is new
 * @property {boolean} mayChange
 * @property {boolean} isAdopted the table is others'
 * @property {boolean} isKey
 * @property {import("../shapes").TargetDefinition} definition of which it is
 * @property {() => void} changed
 * @property {() => void} remove
 */

/** @typedef {{ element: HTMLElement, field: (name: string) => HTMLElement | null }} ColumnForm */

/**
 * @param {TargetColumn} column is changed
 * @param {Around} around
 * @returns {ColumnForm}
 */
export function columnForm(column, around) {
  const { before, changed } = around;
  const body = h("div", { class: "grid-form" });
  const summary = h("summary", {});
  const element = h("details", { class: "field", open: !before, ontoggle: open }, summary, body);

  function open() {
    if (element.open && body.childElementCount === 0) fill();
  }

  /** Its fields are made when somebody looks: a table may have a thousand columns. */
  function fill() {
    show(
      body,
      !before && line("name", tableWords.columnName, column.name, (text) => (column.name = text)),
      !before && typeField(),
      ...parts.filter(([, , of]) => !of || of.includes(column.type)).map(([name, kind]) => part(name, kind)),
      partition(),
      !before &&
        h(
          "button",
          { type: "button", class: "link", onclick: around.remove },
          icon("trash"),
          tableWords.without(column.name || defineWords.theColumn),
        ),
    );
  }

  /**
   * @param {string} name
   * @param {string} label
   * @param {string} value
   * @param {(text: string) => void} set
   */
  function line(name, label, value, set) {
    const input = h("input", { name, value, autocomplete: "off", oninput: () => (set(input.value), done()) });
    return labelled(label, input, name);
  }

  function typeField() {
    const select = h("select", { name: "type", onchange: set }, ...types.map((t) => h("option", { value: t }, typeName(t))));
    select.value = column.type;
    function set() {
      for (const [name, , of] of parts) if (of && !of.includes(select.value)) delete column[name];
      column.type = select.value;
      done();
      fill();
      /** @type {HTMLElement | null} */ (body.querySelector("[name=type]"))?.focus();
    }
    return labelled(tableWords.type, select, "type");
  }

  /**
   * @param {keyof TargetColumn} name
   * @param {Kind} kind
   */
  function part(name, kind) {
    const field =
      kind === "tick"
        ? h("input", { type: "checkbox", name, checked: Boolean(column[name]), onchange: set })
        : kind === "lines"
          ? h("textarea", { name, rows: 2, oninput: set })
          : h("input", { name, autocomplete: "off", inputmode: kind === "number" ? "numeric" : undefined, oninput: set });
    if (kind !== "tick") field.value = [column[name] ?? ""].flat().join("\n");
    field.disabled = !may(name);
    function set() {
      const value = valueOf(field, kind);
      if (value === undefined) delete column[name];
      else Object.assign(column, { [name]: value });
      done();
    }
    return labelled(defineWords.column[/** @type {keyof typeof defineWords.column} */ (name)], field, name);
  }

  /** @param {keyof TargetColumn} name */
  function may(name) {
    if (!around.mayChange || (around.isAdopted && ofTable.has(name))) return false;
    return name !== "required" || (!around.isKey && (!before || Boolean(before.required)));
  }

  /** Whether loads that replace replace by this column. */
  function partition() {
    const { definition } = around;
    if (!before) return undefined;
    const box = h("input", {
      type: "checkbox",
      name: "partition",
      checked: Boolean(definition.partition?.includes(column.name)),
      disabled: !around.mayChange,
      onchange: set,
    });
    function set() {
      const others = (definition.partition ?? []).filter((name) => name !== column.name);
      const all = box.checked ? [...others, column.name] : others;
      definition.partition = all.length > 0 ? all : undefined;
      done();
    }
    return labelled(defineWords.partition, box, "partition");
  }

  /**
   * @param {string} label
   * @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} field
   * @param {string} name
   */
  function labelled(label, field, name) {
    const hint = /** @type {Record<string, string | undefined>} */ (defineWords.columnHints)[name];
    const tick = field instanceof HTMLInputElement && field.type === "checkbox";
    return h(
      "label",
      { class: tick ? "ticked" : "" },
      tick ? [field, h("span", {}, label)] : [h("span", {}, label), field],
      hint && h("small", {}, hint),
    );
  }

  function done() {
    head();
    changed();
  }

  function head() {
    show(
      summary,
      h("strong", {}, h("bdi", {}, oneLine(column.name || defineWords.newColumn, 80))),
      h("span", { class: "badge " + column.type }, typeName(column.type)),
      h("small", {}, around.isKey ? tableWords.key : column.required ? tableWords.required : ""),
      column.label && h("small", { class: "label" }, h("bdi", {}, oneLine(column.label, 80))),
    );
  }

  head();
  open();
  return {
    element,
    /** Finds a field, and shows it. */
    field(name) {
      element.open = true;
      open();
      return body.querySelector(`[name="${CSS.escape(name)}"]`) ?? summary;
    },
  };
}

/**
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 * @param {Kind} kind
 * @returns {unknown} undefined if it says nothing
 */
function valueOf(field, kind) {
  if (kind === "tick") return /** @type {HTMLInputElement} */ (field).checked || undefined;
  const text = field.value;
  if (kind === "number") return /^\d+$/.test(text.trim()) ? Number(text) : text.trim() || undefined; // what is none is refused with a reason
  if (kind === "line") return text === "" ? undefined : text;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 0 ? lines : undefined;
}
