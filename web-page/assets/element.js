// Elements without HTML: what a file or the API says becomes text and attributes, and can never become markup.

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Makes an element. A key that begins with "on" adds a listener; true is an attribute without a value; false, null and undefined are
 * left out; everything else is an attribute.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...nodes(children));
  return element;
}

/**
 * @param {(Child | Child[])[]} children
 * @returns {(Node | string)[]}
 */
function nodes(children) {
  const kept = [];
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    kept.push(child instanceof Node ? child : String(child));
  }
  return kept;
}

/**
 * Replaces what an element shows.
 *
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function show(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/**
 * Shows a list that changes while people use it: an item whose key is there already keeps its element, and with it the focus and a click
 * that has begun.
 *
 * @template T
 * @param {Element} list
 * @param {readonly T[]} items
 * @param {(item: T) => string} key
 * @param {(item: T) => HTMLElement} make
 * @param {(element: HTMLElement, item: T) => void} refresh is called for what has changed without its key
 */
export function showItems(list, items, key, make, refresh) {
  const old = new Map([...list.children].map((child) => [child.getAttribute("data-key"), /** @type {HTMLElement} */ (child)]));
  let at = list.firstElementChild;
  for (const item of items) {
    let element = old.get(key(item));
    old.delete(key(item));
    if (!element) {
      element = make(item);
      element.dataset.key = key(item);
    }
    if (element === at) at = at.nextElementSibling;
    else list.insertBefore(element, at);
    refresh(element, item);
  }
  for (const element of old.values()) element.remove();
}

/**
 * A bar that is filled as far as that, for what is said in words as well.
 *
 * @param {number} part of 1
 */
export function fillBar(part) {
  const filled = h("b");
  filled.style.width = `${Math.round(100 * Math.max(0, part))}%`;
  return h("i", { class: "fill", "aria-hidden": "true" }, filled);
}

/**
 * A line drawing of 16 by 16, for a button whose words are beside it or in its label.
 *
 * @param {keyof typeof drawings} name
 */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "icon");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", drawings[name]);
  svg.append(path);
  return svg;
}

const drawings = {
  drop: "M8 2v8M4.500 7 8 10.500 11.500 7M2.500 11v2.500h11V11",
  back: "M9.500 3.500 5 8l4.500 4.500",
  close: "M4 4l8 8M12 4l-8 8",
  trash: "M3 4.500h10M6.500 4.500V3h3v1.500M4.500 4.500l.5 8.500h6l.5-8.500",
  copy: "M5.500 5.500h7v7h-7zM3.500 10.500v-7h7",
  export: "M8 10V2.500M5 5.500l3-3 3 3M3 9.500v4h10v-4",
  settings: "M2.500 5h6M11.500 5h2M2.500 11h2M7.500 11h6M10 3.500v3M6 9.500v3",
  retry: "M12.500 8A4.500 4.500 0 1 1 11 4.600M12.500 2.500v3h-3",
  columns: "M2.500 3h11v10h-11zM6.200 3v10M9.800 3v10",
  search: "M11 7a4 4 0 1 1-8 0 4 4 0 0 1 8 0ZM10 10l3.500 3.500",
};
