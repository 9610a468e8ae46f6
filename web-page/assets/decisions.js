// What was decided about a file's content, and a dialogue to decide otherwise and read it again.

import { send } from "./api.js";
import { h, icon, show } from "./element.js";
import { headline, step } from "./faults.js";
import { count, oneLine, time } from "./format.js";
import { copyText } from "./notices.js";
import { words } from "./words.js";

/** @typedef {import("../shapes").Sheet} Sheet */
/** @typedef {import("../shapes").Task} Task */
/** @typedef {keyof typeof words.option} Option */

const encodings = [
  ...["utf-8", "utf-16le", "utf-16be", "cp932", "euc-jp", "iso-2022-jp", "gb18030", "big5", "euc-kr", "windows-1250", "windows-1251"],
  ...["windows-1252", "windows-1253", "windows-1254", "windows-1256", "windows-1257", "koi8-r", "macintosh"],
];
const names = /** @type {Record<string, string>} */ (words.delimiterNames);

/**
 * @param {import("../shapes").FileDetail} file
 * @param {Task} task
 * @param {Sheet | undefined} sheet
 * @param {(made: Task) => void} onMade
 */
export function decisionsDialog(file, task, sheet, onMade) {
  const given = task.options ?? {};
  const fields = optionFields(given, sheet);
  const problem = h("div", { role: "alert", class: "problem" });
  const readings = h("div", { class: "readings" });
  const submit = h("button", { type: "submit", class: "primary" }, words.parseAgain);
  const form = h(
    "form",
    { method: "dialog", onsubmit: again },
    h("h2", { id: "decisions-title" }, words.decisions),
    sheet && found(sheet, given),
    h("p", { class: "quiet" }, words.decisionsHint),
    h("div", { class: "options" }, ...fields.map((f) => f.element)),
    readings,
    problem,
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", onclick: () => copyText(new URLSearchParams(query()).toString()) }, icon("copy"), words.copyOptions),
      h("span", { class: "gap" }),
      h("button", { type: "button", onclick: () => dialog.close() }, words.close),
      submit,
    ),
  );
  loadReadings();
  const dialog = h("dialog", { class: "decisions", "aria-labelledby": "decisions-title" }, form);

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

  /** @returns {[string, string][]} */
  function query() {
    return fields.flatMap((f) => f.values().map((value) => /** @type {[string, string]} */ ([f.name, value])));
  }

  /** @param {Event} event */
  async function again(event) {
    event.preventDefault();
    submit.disabled = true;
    submit.textContent = words.parsing;
    // Without any option those of the newest task would count; encoding=auto leaves that decision to the content as well.
    const options = new URLSearchParams(query().length > 0 ? query() : [["encoding", "auto"]]);
    try {
      const made = await (await send(`/files/${file.id}/tasks?${options}`, { method: "POST" })).json();
      dialog.close();
      onMade(made);
    } catch (error) {
      show(problem, h("p", {}, headline(error)), h("p", {}, step(error)));
      submit.disabled = false;
      submit.textContent = words.parseAgain;
    }
  }

  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

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

/** @param {string} delimiter */
const delimiterName = (delimiter) => (names[delimiter] ? `${names[delimiter]} ${delimiter.trim() && `(${delimiter})`}` : delimiter);

/** @typedef {{ name: Option, element: HTMLElement, values: () => string[] }} Field */

/**
 * @param {Record<string, unknown>} given
 * @param {Sheet | undefined} sheet
 * @returns {Field[]}
 */
function optionFields(given, sheet) {
  const d = sheet?.dialect ?? {};
  const text = (/** @type {Option} */ name) => (given[name] === undefined ? "" : String(given[name]));
  const hint = (/** @type {unknown} */ value) => (value === undefined || value === "" ? words.auto : `${words.auto}: ${value}`);
  const delimiters = [",", ";", "\t", "|"].map((c) => /** @type {[string, string]} */ ([c, delimiterName(c)]));
  return [
    choice("encoding", text("encoding"), [["", hint(d.encoding)], ...encodings.map((e) => /** @type {[string, string]} */ ([e, e]))]),
    choice("delimiter", text("delimiter"), [["", hint(d.delimiter && delimiterName(String(d.delimiter)))], ...delimiters]),
    choice("quote", text("quote"), [
      ["", hint(d.quote)],
      ['"', '"'],
      ["'", "'"],
      ["none", words.none],
    ]),
    number("header", text("header"), hint(d.header_rows)),
    number("skip", text("skip"), hint(d.preamble_rows)),
    choice("footer", text("footer"), [
      ["", words.footerAuto],
      ["none", words.footerNone],
    ]),
    line("sheet", text("sheet")),
    choice("policy", text("policy"), [
      ["", words.policyAny],
      ["fail", words.policyNone],
      ["limit:1%", words.policyPercent],
    ]),
    check("hidden", given.hidden === true),
    check("fill_down", given.fill_down === true),
    check("dry_run", false),
    lines("column", /** @type {Rule[]} */ (given.columns ?? []).map(declared)),
  ];
}

/**
 * @param {Option} name
 * @param {string} value
 * @param {[string, string][]} choices
 * @returns {Field}
 */
function choice(name, value, choices) {
  const all = choices.some(([v]) => v === value) ? choices : [...choices, /** @type {[string, string]} */ ([value, value])];
  const select = h("select", { name }, ...all.map(([v, label]) => h("option", { value: v, selected: v === value }, label)));
  return { name, element: labelled(name, select), values: () => (select.value ? [select.value] : []) };
}

/**
 * @param {Option} name
 * @param {string} value
 * @param {string} hint
 * @returns {Field}
 */
function number(name, value, hint) {
  const input = h("input", { name, type: "number", min: 0, max: 10000, value, placeholder: hint });
  return { name, element: labelled(name, input), values: () => (input.value ? [input.value] : []) };
}

/**
 * @param {Option} name
 * @param {string} value
 * @returns {Field}
 */
function line(name, value) {
  const input = h("input", { name, type: "text", value });
  return { name, element: labelled(name, input), values: () => (input.value ? [input.value] : []) };
}

/**
 * @param {Option} name
 * @param {boolean} value
 * @returns {Field}
 */
function check(name, value) {
  const input = h("input", { name, type: "checkbox", checked: value });
  return { name, element: h("label", { class: "check" }, input, words.option[name]), values: () => (input.checked ? ["true"] : []) };
}

/**
 * @param {Option} name
 * @param {string[]} values
 * @returns {Field}
 */
function lines(name, values) {
  const input = h("textarea", { name, rows: 2, placeholder: "id:integer;required;unique" }, values.join("\n"));
  const given = () => input.value.split("\n").filter((line) => line.trim() !== "");
  const element = labelled(name, input);
  element.classList.add("long");
  return { name, element, values: given };
}

/** @typedef {{ name: string, type?: string, format?: string, required?: boolean, unique?: boolean, pattern?: string, min?: string, max?: string, allowed?: string[] }} Rule */

/**
 * A declared column as the option is written; the pattern may have semicolons and comes last.
 *
 * @param {Rule} rule
 */
function declared(rule) {
  const parts = [`${rule.name}:${rule.type ?? "text"}`];
  if (rule.required) parts.push("required");
  if (rule.unique) parts.push("unique");
  for (const key of /** @type {const} */ (["format", "min", "max"])) if (rule[key]) parts.push(`${key}=${rule[key]}`);
  if (rule.allowed) parts.push(`allowed=${rule.allowed.join("|")}`);
  if (rule.pattern) parts.push(`pattern=${rule.pattern}`);
  return parts.join(";");
}

/**
 * @param {Option} name
 * @param {HTMLElement} input
 */
function labelled(name, input) {
  return h("label", {}, h("span", {}, words.option[name]), input);
}
