// Rows out of the page: links that the browser saves, and the curl command for the same.

import { h, icon } from "./element.js";
import { copyText } from "./notices.js";
import { words } from "./words.js";

/**
 * A disclosure with links, which closes when the focus leaves it.
 *
 * @param {import("../shapes").FileDetail} file
 * @param {import("../shapes").Task} task
 * @param {() => number} sheet
 */
export function exportMenu(file, task, sheet) {
  const rows = (/** @type {string} */ format) => `/api/tasks/${task.id}/sheets/${sheet()}/rows?format=${format}`;
  const links = [
    { href: () => rows("csv"), label: words.exportCSV },
    { href: () => rows("ndjson"), label: words.exportNDJSON },
    { href: () => `/api/files/${file.id}/content`, label: words.exportOriginal },
  ].map(({ href, label }) => {
    const link = h("a", { href: "#", download: true }, label);
    return { link, refresh: () => (link.href = href()) };
  });
  const curl = () => copyText(`curl -OJ '${location.origin}${rows("csv")}'`);
  const summary = h(
    "summary",
    { class: "button", "aria-label": words.exportRows, title: words.exportRows },
    icon("export"),
    h("span", {}, words.exportRows),
  );
  const menu = h(
    "details",
    { class: "menu", id: "export", ontoggle: () => links.forEach((l) => l.refresh()) },
    summary,
    h(
      "div",
      { class: "choices" },
      ...links.map((l) => l.link),
      h("button", { type: "button", class: "bare", onclick: curl }, icon("copy"), words.exportCurl),
      h("p", { class: "quiet" }, words.exportNote),
    ),
  );
  menu.addEventListener("focusout", (event) => {
    if (event.relatedTarget instanceof Node && !menu.contains(event.relatedTarget)) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    summary.focus();
  });
  return menu;
}
