// What is wrong with a field of a form, said at the field.

import { Problem } from "./api.js";
import { h, show } from "./element.js";
import { problemTexts } from "./faults.js";
import { said } from "./words.js";

/**
 * Shows each fault of a refusal at the field that it points at, and the others in one place. The first field gets the focus.
 *
 * @param {HTMLElement} problem where the others are shown
 * @param {(pointer: string) => HTMLElement | null | undefined} fieldAt such as /columns/2/min
 */
export function formFaults(problem, fieldAt) {
  /** @type {(() => void)[]} */
  const shown = [];
  return {
    clear() {
      for (const clear of shown.splice(0)) clear();
      show(problem);
    },
    /**
     * @param {unknown} error
     * @param {Problem["faults"]} [faults]
     */
    show(error, faults = error instanceof Problem ? error.faults : []) {
      const fields = faults.map((f) => fieldAt(f.location));
      fields.forEach((field, i) => field && shown.push(faultAt(field, said(faults[i]))));
      const others = faults.filter((_, i) => !fields[i]);
      if (faults.length === 0 || others.length > 0) show(problem, ...problemTexts(error, others));
      fields.find(Boolean)?.focus();
    },
  };
}

/**
 * @param {HTMLElement} field
 * @param {string} told
 * @returns {() => void} takes it away again
 */
export function faultAt(field, told) {
  const id = "fault-" + crypto.randomUUID();
  const note = h("small", { class: "field-fault", id, dir: "auto" }, told);
  const described = field.getAttribute("aria-describedby");
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", [described, id].filter(Boolean).join(" "));
  field.after(note);
  return () => {
    note.remove();
    field.removeAttribute("aria-invalid");
    if (described) field.setAttribute("aria-describedby", described);
    else field.removeAttribute("aria-describedby");
  };
}
