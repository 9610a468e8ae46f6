// What is wrong with the rejected records, by code and column, and one change for all cells that have the same fault.

import { h, show } from "./element.js";
import { count, oneLine } from "./format.js";
import { words } from "./words.js";

/** @typedef {import("../shapes").Reject} Reject */

/**
 * @typedef {object} Fault
 * @property {string} key
 * @property {string} label
 * @property {number} column the first one at fault, from 0
 * @property {boolean} ofCells and not of the whole record
 * @property {(reject: Reject) => boolean} of
 * @property {(reject: Reject, columns: number) => number[]} cells the columns of a record that have the fault
 */

/** @typedef {(change: (text: string) => string, always: boolean) => void} Apply always: also where the text stays the same */

/**
 * @param {object} o
 * @param {(column: number) => string} o.columnName
 * @param {(fault: Fault | undefined) => void} o.onFault another one is chosen
 * @param {Apply} o.onApply
 */
export function bulkTools({ columnName, onFault, onApply }) {
  /** @type {Map<string, Fault & { count: number }>} */
  let faults = new Map();
  let partly = false; // there are records that have not been read
  const select = h("select", { "aria-label": words.correct.fault, id: "fault", onchange: choose });
  const action = h(
    "select",
    { "aria-label": words.correct.action, id: "action", onchange: update },
    h("option", { value: "replace" }, words.correct.replace),
    h("option", { value: "set" }, words.correct.set),
    h("option", { value: "empty" }, words.correct.empty),
  );
  const find = h("input", { type: "text", id: "find", placeholder: words.correct.find, "aria-label": words.correct.find, oninput: update });
  const value = h("input", { type: "text", id: "value", placeholder: words.correct.value, "aria-label": words.correct.value });
  const apply = h("button", { type: "submit", id: "apply" });
  const form = h("form", { class: "bulk", hidden: true, onsubmit: run }, action, find, value, apply);
  const element = h("div", { class: "bulk-tools" }, select, form);

  const fault = () => faults.get(select.value);

  function choose() {
    update();
    onFault(fault());
  }

  function update() {
    const chosen = fault();
    form.hidden = !chosen?.ofCells;
    find.hidden = action.value !== "replace";
    value.hidden = action.value === "empty";
    apply.disabled = action.value === "replace" && find.value === "";
    apply.textContent = words.correct.apply(chosen ? number(chosen.count) : "");
  }

  /** @param {number} n */
  const number = (n) => count(n) + (partly ? "+" : "");

  /** @param {Event} event */
  function run(event) {
    event.preventDefault();
    const [from, to] = [find.value, value.value];
    if (action.value === "replace") onApply((text) => text.replaceAll(from, to), false);
    else onApply(() => (action.value === "set" ? to : ""), true);
  }

  /**
   * @param {Reject[]} items
   * @param {boolean} more there are records that have not been read
   */
  function setItems(items, more) {
    const chosen = select.value;
    partly = more;
    faults = faultsOf(items, columnName);
    const options = [...faults.values()].map((f) =>
      h("option", { value: f.key, selected: f.key === chosen }, `${f.label} (${number(f.count)})`),
    );
    show(select, h("option", { value: "" }, `${words.correct.allFaults} (${number(items.length)})`), ...options);
    update();
  }

  update();
  return { element, fault, setItems };
}

/**
 * @param {Reject[]} items
 * @param {(column: number) => string} columnName
 */
function faultsOf(items, columnName) {
  /** @type {Map<string, Fault & { count: number }>} */
  const faults = new Map();
  for (const reject of items) {
    for (const key of new Set(reject.errors.map(keyOf))) {
      const known = faults.get(key);
      if (known) known.count++;
      else faults.set(key, { ...newFault(key, reject, columnName), count: 1 });
    }
  }
  return new Map([...faults].sort(([, a], [, b]) => b.count - a.count));
}

/** @param {import("../shapes").RejectError} error */
const keyOf = (error) => `${error.code} ${error.column_no ?? 0}`;

/**
 * @param {string} key
 * @param {Reject} reject that has it
 * @param {(column: number) => string} columnName
 * @returns {Fault}
 */
function newFault(key, reject, columnName) {
  const error = /** @type {import("../shapes").RejectError} */ (reject.errors.find((e) => keyOf(e) === key));
  const column = (error.column_no ?? 1) - 1;
  return {
    key,
    label: error.column_no === null ? error.code : `${oneLine(columnName(column), 40)} · ${error.code}`,
    column,
    ofCells: error.column_no !== null,
    of: (other) => other.errors.some((e) => keyOf(e) === key),
    cells: (other, columns) => {
      const found = other.errors.find((e) => keyOf(e) === key);
      if (!found || found.column_no === null) return [];
      const last = Math.min(found.last_column_no ?? found.column_no, columns);
      return Array.from({ length: Math.max(0, last - found.column_no + 1) }, (_, i) => column + i);
    },
  };
}
