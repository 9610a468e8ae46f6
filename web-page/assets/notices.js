// Short messages at the bottom, which a screen reader reads out.

import { h, icon } from "./element.js";
import { words } from "./words.js";

const region = h("div", { class: "notices", role: "status", "aria-live": "polite" });

export const notices = region;

/**
 * @param {string} text
 * @param {{ label: string, run: () => void }} [action]
 * @param {number} [milliseconds]
 */
export function notify(text, action, milliseconds = 5000) {
  const close = () => notice.remove();
  const notice = h(
    "div",
    { class: "notice" },
    h("span", { dir: "auto" }, text),
    action && h("button", { type: "button", class: "link", onclick: () => (close(), action.run()) }, action.label),
    h("button", { type: "button", class: "bare", "aria-label": words.dismiss, onclick: close }, icon("close")),
  );
  region.append(notice);
  setTimeout(close, milliseconds);
}

/**
 * @param {string} text
 * @param {string} [told]
 */
export async function copyText(text, told = words.copied) {
  try {
    await navigator.clipboard.writeText(text);
    notify(told, undefined, 2500);
  } catch {
    notify(words.copyFailed);
  }
}
