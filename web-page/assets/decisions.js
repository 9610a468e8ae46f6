// What was decided about a file's content, and a dialogue to decide otherwise and read it again.

import { send } from "./api.js";
import { draft, keepDraft } from "./drafts.js";
import { h, icon, show } from "./element.js";
import { problemTexts } from "./faults.js";
import { count, oneLine, time } from "./format.js";
import { copyText } from "./notices.js";
import { delimiterName, destinationQuery, flags, optionFields } from "./options.js";
import { livePreview } from "./preview.js";
import { words } from "./words.js";

/** @typedef {import("../shapes").Sheet} Sheet */
/** @typedef {import("../shapes").Task} Task */

/**
 * @param {import("../shapes").FileDetail} file
 * @param {Task} task
 * @param {Sheet | undefined} sheet
 * @param {(made: Task) => void} onMade
 */
export function decisionsDialog(file, task, sheet, onMade) {
  const given = task.options ?? {};
  const kept = "options." + task.id;
  const { main, rare } = optionFields(given, sheet);
  const fields = [...main, ...rare];
  restore(fields, draft(kept));
  const problem = h("div", { role: "alert", class: "problem" });
  const readings = h("div", { class: "readings" });
  const submit = h("button", { type: "submit", class: "primary" }, words.parseAgain);
  const preview = livePreview(file.id, () => asQuery(query()), sheet?.number ?? 1, setHeader, declare);
  const form = h(
    "form",
    { method: "dialog", onsubmit: again, oninput: changed },
    h("h2", { id: "decisions-title" }, words.decisions),
    h(
      "div",
      { class: "choosing" },
      sheet && found(sheet, given),
      h("p", { class: "quiet" }, words.decisionsHint),
      h("div", { class: "options" }, ...main.map((f) => f.element)),
      h(
        "details",
        { class: "rare", open: rare.some((f) => f.values().length > 0) },
        h("summary", {}, words.moreOptions),
        h("div", { class: "options" }, ...rare.map((f) => f.element)),
      ),
      h(
        "div",
        { class: "copies" },
        h("button", { type: "button", class: "link", onclick: () => copyText(asQuery(query())) }, icon("copy"), words.copyOptions),
        h("button", { type: "button", class: "link", onclick: () => copyText(flags(query())) }, icon("copy"), words.copyFlags),
      ),
      readings,
    ),
    preview.element,
    problem,
    h("div", { class: "buttons" }, h("span", { class: "gap" }), h("button", { type: "button", onclick: discard }, words.close), submit),
  );
  loadReadings();
  const dialog = h("dialog", { class: "decisions", "aria-labelledby": "decisions-title" }, form);
  form.querySelector("select")?.setAttribute("autofocus", ""); // and not what scrolls around it

  /** The file's other readings, each with its own address, so that two of them can be compared. */
  async function loadReadings() {
    const answer = await send(`/files/${file.id}/tasks?limit=20`).catch(() => undefined); // the dialogue is of use without them
    const all = /** @type {Task[]} */ ((await answer?.json())?.items ?? []);
    if (all.length < 2) return;
    const entry = (/** @type {Task} */ t) => {
      const href = "/files/" + file.id + (t.id === file.task.id ? "" : "/tasks/" + t.id);
      const link = h(
        "a",
        { href, "aria-current": t.id === task.id ? "true" : undefined, onclick: () => dialog.close() },
        time(t.created_at),
      );
      return h("li", {}, link, " ", words.status[t.status], " ", h("small", {}, oneLine(optionsText(t), 80)));
    };
    show(readings, h("h3", {}, words.earlier), h("ul", {}, ...all.map(entry)));
  }

  /** @returns {import("./options.js").Query} */
  function query() {
    return fields.flatMap((f) => f.values().map((value) => /** @type {[string, string]} */ ([f.name, value])));
  }

  function changed() {
    keepDraft(kept, query());
    preview.refresh();
  }

  /** @param {{ skip: number, header: number }} chosen */
  function setHeader({ skip, header }) {
    fields.find((f) => f.name === "skip")?.set([String(skip)]);
    fields.find((f) => f.name === "header")?.set([String(header)]);
    changed();
  }

  /** @type {import("./previewcolumn.js").Declare} */
  function declare(name, rule) {
    if (rule === "now") return;
    const field = fields.find((f) => f.name === "column");
    const others = (field?.values() ?? []).filter((line) => !line.startsWith(name + ":"));
    field?.set(rule ? [...others, `${name}:${rule}`] : others);
    changed();
  }

  /** @param {Event} event */
  async function again(event) {
    event.preventDefault();
    submit.disabled = true;
    submit.textContent = words.parsing;
    try {
      const options = asQuery(query(), destinationQuery(given));
      const made = await (await send(`/files/${file.id}/tasks?${options}`, { method: "POST" })).json();
      discard();
      onMade(made);
    } catch (error) {
      show(problem, ...problemTexts(error));
      submit.disabled = false;
      submit.textContent = words.parseAgain;
    }
  }

  function discard() {
    keepDraft(kept, undefined);
    dialog.close();
  }

  const close = () => dialog.close();
  addEventListener("popstate", close);
  dialog.addEventListener("cancel", discard);
  dialog.addEventListener("close", () => {
    removeEventListener("popstate", close);
    preview.close();
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * @param {import("./options.js").Field[]} fields
 * @param {import("./options.js").Query | undefined} chosen what was chosen before, and not sent
 */
function restore(fields, chosen) {
  if (!Array.isArray(chosen)) return;
  for (const field of fields) field.set(chosen.filter(([name]) => name === field.name).map(([, value]) => value));
}

/**
 * Without any option those of the newest task would count; encoding=auto leaves that decision to the content as well.
 *
 * @param {import("./options.js").Query} options
 * @param {import("./options.js").Query} [others]
 */
const asQuery = (options, others = []) =>
  new URLSearchParams([...(options.length > 0 ? options : [["encoding", "auto"]]), ...others]).toString();

/**
 * @param {Sheet} sheet
 * @param {Record<string, unknown>} given
 */
function found(sheet, given) {
  const d = sheet.dialect;
  const facts = [
    [words.option.encoding, given.encoding ?? d.encoding],
    [words.option.delimiter, d.delimiter && delimiterName(String(d.delimiter))],
    [words.option.quote, d.delimiter && (d.quote || words.none)],
    [words.option.header, d.header_rows !== undefined && count(Number(d.header_rows))],
    [words.option.skip, d.preamble_rows !== undefined && count(Number(d.preamble_rows))],
    [words.skipped("").trim(), sheet.rows_skipped > 0 && count(sheet.rows_skipped)],
  ].filter(([, value]) => value);
  return h(
    "div",
    { class: "found" },
    h(
      "dl",
      {},
      ...facts.map(([name, value]) => h("div", {}, h("dt", {}, String(name)), h("dd", {}, h("bdi", {}, oneLine(String(value)))))),
    ),
    sheet.warnings.length > 0 && [
      h("h3", {}, words.warnings),
      h(
        "ul",
        {},
        ...sheet.warnings.map((w) => h("li", {}, words.warning(w.code, count(w.count)), " ", h("small", {}, (w.refs ?? []).join(", ")))),
      ),
    ],
  );
}

/**
 * The options of a reading in short.
 *
 * @param {Task} task
 */
function optionsText(task) {
  const given = Object.entries(task.options ?? {});
  return given.map(([name, value]) => `${name}=${typeof value === "object" ? "…" : value}`).join(" ");
}
