// A dialogue with a title, which is gone once it is closed.

import { h } from "./element.js";
import { words } from "./words.js";

/** @typedef {import("./element.js").Child} Child */

/**
 * Opens a dialogue over the page. The focus goes back to where it was when it is closed.
 *
 * @param {(Child | Child[])[]} title
 * @param {Child[]} content
 * @param {Child[]} [actions] beside the button that closes it
 * @returns {HTMLDialogElement}
 */
export function openDialog(title, content, actions = []) {
  const close = h("button", { type: "button", onclick: () => dialog.close() }, actions.length > 0 ? words.cancel : words.close);
  const dialog = h(
    "dialog",
    { "aria-labelledby": "dialog-title" },
    h("h2", { id: "dialog-title" }, ...title),
    ...content,
    h("div", { class: "buttons" }, h("span", { class: "gap" }), close, ...actions),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
