// A table in a box of its own, which scrolls where it is too wide.

import { h } from "./element.js";

/**
 * @param {string} name its class
 * @param {string[]} heads "" is a column of buttons
 * @param {HTMLElement} list its body
 */
export function tableBox(name, heads, list) {
  const head = (/** @type {string} */ text) => (text ? h("th", { scope: "col" }, text) : h("td"));
  return h("div", { class: "tablebox" }, h("table", { class: name }, h("thead", {}, h("tr", {}, ...heads.map(head))), list));
}
