// A text field over the cell of a table, for as long as the cell is being changed.

import { h } from "./element.js";

/** @typedef {import("./grid.js").Spot} Spot */

/**
 * @param {HTMLElement} holder of the table
 * @param {import("./grid.js").Grid} grid
 * @param {{ textAt: (spot: Spot) => string, label: (spot: Spot) => string, write: (spot: Spot, text: string) => void }} cells
 */
export function cellEditor(holder, grid, cells) {
  /** @type {{ field: HTMLTextAreaElement, spot: Spot, before: string } | undefined} */
  let now;

  /**
   * @param {Spot} spot
   * @param {string} [text] what the field begins with, in place of the cell's own text
   */
  function open(spot, text) {
    close();
    const before = cells.textAt(spot);
    const field = h("textarea", { class: "cell-editor", rows: 1, "aria-label": cells.label(spot), spellcheck: "false" });
    field.value = text ?? before;
    now = { field, spot, before };
    holder.append(field);
    follow();
    field.addEventListener("keydown", onKey);
    field.addEventListener("blur", () => close());
    field.focus({ preventScroll: true });
    if (text === undefined) field.select();
  }

  /** Lays the field over its cell, once the table has drawn it where it is now. */
  function follow() {
    requestAnimationFrame(() => {
      const cell = now && document.getElementById(grid.idOf(now.spot));
      if (!now || !cell) return close();
      const room = holder.getBoundingClientRect();
      const at = cell.getBoundingClientRect();
      const width = Math.min(Math.max(at.width, 180), room.width - 8);
      now.field.style.left = `${Math.max(0, Math.min(at.left - room.left, room.width - width - 4))}px`;
      now.field.style.top = `${at.top - room.top}px`;
      now.field.style.width = `${width}px`;
    });
  }

  /** @param {boolean} [write] what was typed */
  function close(write = true) {
    if (!now) return;
    const { field, spot, before } = now;
    now = undefined;
    const text = field.value;
    field.remove();
    if (write && text !== before) cells.write(spot, text);
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (event.isComposing || !now) return; // Enter takes what an input method offers
    event.stopPropagation();
    const { row, column } = now.spot;
    if (event.key === "Enter" && event.altKey) now.field.setRangeText("\n", now.field.selectionStart, now.field.selectionEnd, "end");
    else if (event.key === "Enter") leave({ row: row + 1, column });
    else if (event.key === "Tab") leave({ row, column: column + (event.shiftKey ? -1 : 1) });
    else if (event.key === "Escape") leave({ row, column }, false);
    else return;
    event.preventDefault();
  }

  /**
   * @param {Spot} to
   * @param {boolean} [write]
   */
  function leave(to, write = true) {
    close(write);
    grid.select({ row: Math.max(1, to.row), column: Math.max(1, to.column) });
    grid.element.focus({ preventScroll: true });
  }

  return { open, close, follow, isOpen: () => now !== undefined };
}
