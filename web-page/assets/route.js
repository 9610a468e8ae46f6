// The address of what is shown: a view can be linked to, reloaded and left by the back button.

/**
 * @typedef {object} Place
 * @property {string} [file] id
 * @property {string} [task] id; the file's newest one if it is missing
 * @property {number} [sheet] from 1
 * @property {boolean} [rejects]
 * @property {boolean} [unknown] the address means nothing
 * @property {number} [row] to be shown
 * @property {string} [reject] row_no.error_no
 * @property {Operate} [operate] what of the part for operators
 * @property {boolean} [into] the sheet is to go into a table
 * @property {boolean} [tables] the tables that files go into, or one of them
 * @property {string} [target] id of the table; "new" is one that is to be made
 * @property {TablePart} [part] of a table; its rows and loads if it is missing
 * @property {boolean} [webhooks] the URLs that are called when files are done
 * @property {string} [run] id of the task that checks, loads or undoes
 * @property {boolean} [correct] rejects are being corrected
 */
/** @typedef {"tasks" | "outbox" | "letters" | "actions"} Operate */
/** @typedef {"columns" | "sharing" | "choices"} TablePart */

const id = "[0-9a-f-]{36}";
const pattern = new RegExp(`^/(?:files/(${id})(?:/tasks/(${id}))?(?:/sheets/([0-9]{1,9})(/rejects|/into)?)?)?$`);
const operate = /^\/operate(?:\/(outbox|letters|actions))?$/;
const tablesPattern = new RegExp(`^/tables(?:/(${id})(?:/(columns|sharing|choices))?)?$`);
const named = new RegExp(`^(?:${id}|new)$`);
const changes = new EventTarget();

/** @returns {Place} */
export function here() {
  const part = operate.exec(location.pathname);
  if (location.pathname === "/webhooks") return { webhooks: true };
  if (part) return { operate: /** @type {Operate | undefined} */ (part[1]) ?? "tasks" };
  const query = new URLSearchParams(location.search);
  const run = named.exec(query.get("run") ?? "")?.[0];
  const table = tablesPattern.exec(location.pathname);
  if (table) return { tables: true, target: table[1], part: /** @type {TablePart | undefined} */ (table[2]), run };
  const match = pattern.exec(location.pathname);
  if (!match) return { unknown: true };
  return {
    file: match[1],
    task: match[2],
    sheet: match[3] ? Number(match[3]) : undefined,
    rejects: match[4] === "/rejects",
    into: match[4] === "/into",
    target: named.exec(query.get("target") ?? "")?.[0],
    run,
    row: Number(query.get("row")) || undefined,
    reject: query.get("reject") ?? undefined,
    correct: query.has("correct"),
  };
}

/** @param {Place} place */
export function address(place) {
  if (place.operate) return "/operate" + (place.operate === "tasks" ? "" : "/" + place.operate);
  if (place.webhooks) return "/webhooks";
  if (place.tables && !place.target) return "/tables";
  if (place.tables) return "/tables/" + place.target + (place.part ? "/" + place.part : search({ run: place.run }));
  if (!place.file) return "/";
  let path = "/files/" + place.file;
  if (place.task) path += "/tasks/" + place.task;
  if (place.sheet) path += "/sheets/" + place.sheet + (place.rejects ? "/rejects" : place.into ? "/into" : "");
  if (place.into) return path + search({ target: place.target, run: place.run });
  if (place.row) path += "?row=" + place.row;
  else if (place.reject) path += "?reject=" + place.reject;
  else if (place.correct) path += "?correct";
  return path;
}

/** @param {Record<string, string | undefined>} query */
function search(query) {
  const given = Object.entries(query).filter(([, value]) => value);
  return given.length > 0 ? "?" + new URLSearchParams(/** @type {[string, string][]} */ (given)) : "";
}

/**
 * Shows another view, which the back button leaves again.
 *
 * @param {Place} place
 */
export function go(place) {
  if (address(place) === location.pathname + location.search) return;
  history.pushState(null, "", address(place));
  changes.dispatchEvent(new Event("change"));
}

/**
 * Goes on with another step of a sheet's way into a table.
 *
 * @param {Place} place
 * @param {{ target?: string, run?: string }} step
 */
export const goTo = (place, step) => go({ ...place, target: undefined, run: undefined, ...step });

/**
 * Notes where in the view people are, so that a reload or a copied address leads there.
 *
 * @param {Place} place
 */
export function note(place) {
  history.replaceState(null, "", address(place));
}

/** @param {(place: Place) => void} listener */
export function onRoute(listener) {
  changes.addEventListener("change", () => listener(here()));
  addEventListener("popstate", () => listener(here()));
  listener(here());
}

/**
 * A click on a link of the page changes the view, unless another tab is asked for.
 *
 * @param {MouseEvent} event
 */
export function followLink(event) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.origin !== location.origin || link.pathname.startsWith("/api/") || link.pathname.startsWith("/.auth/")) return;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.hasAttribute("download")) return;
  event.preventDefault();
  history.pushState(null, "", link.pathname + link.search);
  changes.dispatchEvent(new Event("change"));
}
