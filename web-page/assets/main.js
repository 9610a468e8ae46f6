// The frame: header, list of files, the view of one, and the whole window as a place to drop files.

import { onConnection, send } from "./api.js";
import { chosenFiles, droppedFiles } from "./dropped.js";
import { h, icon, show } from "./element.js";
import { fault, nothingHere } from "./faults.js";
import { count, language, oneLine } from "./format.js";
import { loadFiles, put } from "./library.js";
import { fileList } from "./list.js";
import { notices, notify } from "./notices.js";
import { address, followLink, go, here, onRoute } from "./route.js";
import { addFiles, uploads, watchUploads } from "./uploads.js";
import { words } from "./words.js";
import { listWords } from "./words_list.js";
import { operateWords } from "./words_operate.js";
import { tableWords } from "./words_tables.js";

document.documentElement.lang = language;

const main = h("main", { id: "main", tabindex: "-1" });
const list = fileList();
const connection = h("div", { class: "connection", role: "status" });
const overlay = h("div", { class: "overlay", hidden: true, "aria-hidden": "true" }, h("div", {}, words.dropNow));

/** @param {boolean} folder */
function picker(folder) {
  const input = h("input", { type: "file", multiple: true, hidden: true, webkitdirectory: folder, "aria-hidden": "true" });
  input.addEventListener("change", () => {
    if (input.files) addFiles(chosenFiles(input.files));
    input.value = "";
  });
  return input;
}

const files = picker(false);
const folder = picker(true);
files.id = "choose-files";

const operating = h("a", { href: "/operate", class: "operating", hidden: true }, operateWords.title);
send("/me")
  .then((answer) => answer.json())
  .then((me) => (operating.hidden = !me.operator))
  .catch(() => {}); // who may not use the page is told by the list

const header = h(
  "header",
  { class: "top" },
  h("a", { href: "#main", class: "skip", onclick: skip }, words.skip),
  h("a", { href: "/", class: "brand" }, h("img", { src: "/assets/icon.svg", alt: "", width: 20, height: 20 }), h("span", {}, words.title)),
  h("span", { class: "gap" }),
  operating,
  h("a", { href: "/tables", class: "button bare", id: "tables" }, tableWords.tables),
  h("button", { type: "button", class: "bare wide", onclick: () => folder.click() }, words.addFolder),
  h("button", { type: "button", class: "primary", id: "add", onclick: () => files.click() }, icon("drop"), words.addFiles),
);

/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  main.focus();
}

const app = document.getElementById("app");
app?.replaceChildren(header, connection, h("div", { class: "frame" }, list.element, main), notices, overlay, files, folder);
document.addEventListener("click", followLink);

onConnection((now, told) => {
  connection.className = "connection " + now;
  connection.hidden = now === "online";
  const back = location.pathname + location.search;
  show(
    connection,
    now === "offline" && words.offline,
    now === "forbidden" && `${words.forbidden} ${told}`,
    now === "signed-out" && [
      words.signedOut,
      h("a", { class: "button", href: "/.auth/login/aad?post_login_redirect_uri=" + encodeURIComponent(back) }, words.signIn),
    ],
  );
});

/** @typedef {{ element: HTMLElement, update: (place: import("./route.js").Place) => boolean, close: () => void }} View */

/** The module of a view is asked for when somebody goes there: the first paint does not wait for it. The document has them all fetched. */
const opened = {
  operate: async () => (await import("./operate.js")).operateView,
  tables: async () => (await import("./tables.js")).tablesView,
  webhooks: async () => (await import("./webhooks.js")).webhooksView,
  table: async () => (await import("./table.js")).tableView,
  into: async () => (await import("./into.js")).intoView,
  file: async () => (await import("./file.js")).fileView,
};

/** @param {import("./route.js").Place} place */
function kindOf(place) {
  if (place.operate) return "operate";
  if (place.webhooks) return "webhooks";
  if (place.tables) return place.target ? "table" : "tables";
  return place.into ? "into" : "file";
}

/** @type {View | undefined} */
let view;
let asked = 0; // for views; only the last one is shown

onRoute((place) => {
  document.body.classList.toggle("in-file", Boolean(place.file || place.tables || place.operate || place.webhooks || place.unknown));
  list.select(place.file);
  const now = ++asked;
  if (view?.update(place)) return;
  view?.close();
  view = undefined;
  document.title = words.title;
  if (place.unknown) show(main, nothingHere());
  else if (!place.file && !place.tables && !place.operate && !place.webhooks) show(main, welcome());
  else open(place, now);
});

/**
 * @param {import("./route.js").Place} place
 * @param {number} number
 */
async function open(place, number) {
  const make = await opened[kindOf(place)]().catch(() => undefined);
  if (number !== asked) return;
  if (!make)
    return show(
      main,
      fault(new TypeError(), () => location.reload()),
    ); // it could not be fetched
  if (place.operate) document.title = `${operateWords.title} – ${words.title}`;
  view = make(place);
  show(main, view.element);
}

function welcome() {
  return h(
    "section",
    { class: "welcome" },
    h(
      "button",
      { type: "button", class: "dropzone", onclick: () => files.click() },
      icon("drop"),
      h("strong", {}, words.dropHere),
      h("span", {}, words.dropMore),
    ),
    h("p", {}, words.dropHint),
  );
}

let depth = 0; // of the elements that a drag is over

/** @param {DragEvent} event */
const hasFiles = (event) => event.dataTransfer?.types.includes("Files");

addEventListener("dragenter", (event) => {
  if (!hasFiles(event)) return;
  depth++;
  overlay.hidden = false;
});
addEventListener("dragleave", (event) => {
  if (hasFiles(event) && --depth === 0) overlay.hidden = true;
});
addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
addEventListener("drop", async (event) => {
  if (!event.dataTransfer || !hasFiles(event)) return;
  event.preventDefault();
  depth = 0;
  overlay.hidden = true;
  addFiles(await droppedFiles(event.dataTransfer));
});

/** @type {import("../shapes").FileAndTask[]} uploads whose content was there already, and nobody has been told of */
let same = [];

/** @param {import("../shapes").FileAndTask} taken */
function tellSame(taken) {
  if (taken.same_as && same.push(taken) === 1) setTimeout(tellAllSame, 1000); // of a folder there may be many
}

function tellAllSame() {
  const [{ file, same_as }, ...others] = same;
  same = [];
  if (others.length > 0) return notify(listWords.manySame(count(others.length + 1)), undefined, 10_000);
  const run = () => go({ file: same_as?.id });
  notify(listWords.sameAs(oneLine(file.name, 60), oneLine(same_as?.name ?? "", 60)), { label: listWords.showIt, run }, 10_000);
}

watchUploads(list.showUploads, (taken) => {
  put({ ...taken.file, task: taken.task, same_as: taken.same_as });
  tellSame(taken);
  if (uploads().length === 0 && address(here()) === "/" && !here().unknown) go({ file: taken.file.id }); // the last one: its table appears
});
loadFiles();
