// Rows out of the page: links that the browser saves, each with the curl command for the same.

import { isAbort, send } from "./api.js";
import { h, icon } from "./element.js";
import { headline } from "./faults.js";
import { count, oneLine } from "./format.js";
import { copyText, notify } from "./notices.js";
import { shellQuoted } from "./options.js";
import { words } from "./words.js";

/** @typedef {{ label: string, query: string, ending?: string, check?: string, instead?: string }} Form check is the query that shows whether rows can be written so */

const mostJSON = 10_000; // rows of one answer; NDJSON has all

/** @returns {Form[]} */
const forms = () => [
  { label: words.export.csv, query: "format=csv" },
  { label: words.export.bom, query: "format=csv&bom=true" },
  {
    label: words.export.cp932,
    query: "format=csv&encoding=cp932",
    check: "format=csv&encoding=cp932",
    instead: "format=csv&encoding=cp932&unmappable=geta",
  },
  { label: words.export.xlsx, query: "format=xlsx", check: "format=xlsx&limit=1" },
  { label: words.export.parquet, query: "format=parquet", check: "format=parquet&limit=1" },
  { label: words.export.ndjson, query: "format=ndjson&shape=objects", ending: "ndjson" },
  { label: words.export.json(count(mostJSON)), query: `format=json&shape=objects&limit=${mostJSON}`, ending: "json" },
];

/**
 * A disclosure with links, which closes when the focus leaves it.
 *
 * @param {import("../shapes").FileDetail} file
 * @param {import("../shapes").Task} task
 * @param {() => number} sheet
 */
export function exportMenu(file, task, sheet) {
  const rows = (/** @type {string} */ query) => `/tasks/${task.id}/sheets/${sheet()}/rows?${query}`;
  const original = h("a", { href: `/api/files/${file.id}/content`, download: true }, words.exportOriginal);
  const entries = forms().map((form) => entry(form, rows, () => savedName(file.name, sheet(), form.ending)));
  const summary = h(
    "summary",
    { class: "button", "aria-label": words.exportRows, title: words.exportRows },
    icon("export"),
    h("span", {}, words.exportRows),
  );
  const menu = h(
    "details",
    { class: "menu", id: "export", ontoggle: () => entries.forEach((e) => e.refresh()) },
    summary,
    h("div", { class: "choices" }, ...entries.map((e) => e.element), original, h("p", { class: "quiet" }, words.exportNote)),
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

/**
 * @param {Form} form
 * @param {(query: string) => string} path of the rows, below /api
 * @param {() => string | true} name under which they are saved
 */
function entry(form, path, name) {
  const link = h("a", { href: "#", onclick: save }, form.label);
  const title = words.export.curl(form.label);
  const copy = h(
    "button",
    { type: "button", class: "bare", title, "aria-label": title, onclick: () => copyText(curl(path(form.query), form.ending)) },
    icon("copy"),
  );

  /** @param {Event} event */
  async function save(event) {
    if (!form.check) return;
    event.preventDefault();
    if (await canWrite(path(form.check), form.instead && path(form.instead))) saveAs(path(form.query));
  }
  return {
    element: h("div", {}, link, copy),
    refresh() {
      link.href = "/api" + path(form.query);
      const named = name();
      link.setAttribute("download", named === true ? "" : named);
    },
  };
}

/**
 * Asks whether the rows can be written in a form, without reading them: a refusal is said, and no file with it is saved.
 *
 * @param {string} path
 * @param {string} [instead] of a form that can have all of them
 */
async function canWrite(path, instead) {
  const begun = new AbortController();
  try {
    await send(path, { signal: begun.signal });
    return true;
  } catch (error) {
    if (!isAbort(error)) notify(headline(error), instead ? { label: words.export.geta, run: () => saveAs(instead) } : undefined, 15_000);
    return false;
  } finally {
    begun.abort();
  }
}

/** @param {string} path */
function saveAs(path) {
  const link = h("a", { href: "/api" + path, download: true, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
}

/**
 * The name of what comes without one; a CSV, workbook or Parquet file has that of the API.
 *
 * @param {string} file name
 * @param {number} sheet
 * @param {string} [ending]
 */
const savedName = (file, sheet, ending) => (ending ? `${oneLine(file, 100).replace(/\.\w{1,8}$/, "")}.sheet${sheet}.${ending}` : true);

/**
 * The command for the same. Where people sign in, it takes their token from the environment: none is in the text.
 *
 * @param {string} path
 * @param {string} [ending] of what comes without a name; the file's own stands in no command
 */
function curl(path, ending) {
  const local = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
  const token = local ? "" : ' -H "Authorization: Bearer $SHEETDROP_TOKEN"';
  const into = ending ? `-o rows.${ending}` : "-OJ";
  return `curl -f ${into}${token} ${shellQuoted(location.origin + "/api" + path)}`;
}
