// The options by which a file is read, as fields of a form.

import { h } from "./element.js";
import { words } from "./words.js";

/** @typedef {import("../shapes").Sheet} Sheet */
/** @typedef {keyof typeof words.option} Option */
/** @typedef {{ name: Option, element: HTMLElement, values: () => string[], set: (values: string[]) => void }} Field */
/** @typedef {[string, string][]} Query names and values, as the API takes them */

const encodings = [
  ...["utf-8", "utf-16le", "utf-16be", "cp932", "euc-jp", "iso-2022-jp", "gb18030", "big5", "euc-kr", "windows-1250", "windows-1251"],
  ...["windows-1252", "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257", "windows-874"],
  ...["iso-8859-2", "koi8-r", "macintosh", "cp850", "cp852", "cp866"],
];
const names = /** @type {Record<string, string>} */ (words.delimiterNames);

/** @param {string} delimiter */
export const delimiterName = (delimiter) => (names[delimiter] ? `${names[delimiter]} ${delimiter.trim() && `(${delimiter})`}` : delimiter);

/** @param {[string, string][]} choices */
const labelled = (...choices) => choices;

/**
 * @param {Record<string, unknown>} given the options of a task
 * @param {Sheet | undefined} sheet what was found with them
 */
export function optionFields(given, sheet) {
  const d = sheet?.dialect ?? {};
  const text = (/** @type {Option} */ name) => (given[name] === undefined ? "" : String(given[name]));
  const hint = (/** @type {unknown} */ value) => (value === undefined || value === "" ? words.auto : `${words.auto}: ${value}`);
  const delimiters = [",", ";", "\t", "|"].map((c) => /** @type {[string, string]} */ ([c, delimiterName(c)]));
  const detected = labelled(["", words.auto], ["true", words.yes], ["false", words.no]);
  const main = [
    choice("encoding", text("encoding"), [["", hint(d.encoding)], ...encodings.map((e) => /** @type {[string, string]} */ ([e, e]))]),
    choice("delimiter", text("delimiter"), [["", hint(d.delimiter && delimiterName(String(d.delimiter)))], ...delimiters]),
    choice("quote", text("quote"), labelled(["", hint(d.quote)], ['"', '"'], ["'", "'"], ["none", words.none])),
    number("header", text("header"), hint(d.header_rows)),
    number("skip", text("skip"), hint(d.preamble_rows)),
    choice("footer", text("footer"), labelled(["", words.footerAuto], ["none", words.footerNone])),
    line("sheet", text("sheet")),
    choice("tables", text("tables"), labelled(["", words.tablesFirst], ["all", words.tablesAll])),
    choice("policy", text("policy"), labelled(["", words.policyAny], ["fail", words.policyNone], ["limit:1%", words.policyPercent])),
    check("hidden", given.hidden === true),
    check("fill_down", given.fill_down === true),
    check("dry_run", false),
    lines("column", /** @type {Rule[]} */ (given.columns ?? []).map(declared), "id:integer;required;unique"),
  ];
  const rare = [
    line("escape", text("escape")),
    choice("skip_space", text("skip_space"), detected),
    check("mixed_delimiters", given.mixed_delimiters === true),
    check("header_rule", given.header_rule === true),
    check("row_names", given.row_names === true),
    choice("pad", text("pad"), detected),
    lines("null", /** @type {string[]} */ (given.null ?? []), "N/A"),
  ];
  return { main, rare };
}

/**
 * What a task's options say about where its rows go, a target or a sheet that they correct: the dialogue leaves it as it is.
 *
 * @param {Record<string, unknown>} given
 * @returns {Query}
 */
export function destinationQuery(given) {
  if (given.corrects) return [["corrects", String(given.corrects)]];
  const target = /** @type {{ id: string, mode?: string, mapping?: object } | undefined} */ (given.target);
  if (!target) return [];
  /** @type {Query} */
  const query = [["target", target.id]];
  if (target.mode) query.push(["mode", target.mode]);
  if (target.mapping) query.push(["mapping", JSON.stringify(target.mapping)]);
  return query;
}

/**
 * Options as flags of the command line, quoted for a shell.
 *
 * @param {Query} query
 */
export const flags = (query) => query.map(([name, value]) => `--${name.replaceAll("_", "-")}=${shellQuoted(value)}`).join(" ");

/** @param {string} text */
export const shellQuoted = (text) => (/^[\w.,:/%@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/**
 * @param {Option} name
 * @param {string} value
 * @param {[string, string][]} choices
 * @returns {Field}
 */
function choice(name, value, choices) {
  const all = choices.some(([v]) => v === value) ? choices : [...choices, /** @type {[string, string]} */ ([value, value])];
  const select = h("select", { name }, ...all.map(([v, label]) => h("option", { value: v, selected: v === value }, label)));
  return { ...ofText(name, select), set: ([v = ""]) => (addChoice(select, v), (select.value = v)) };
}

/**
 * @param {HTMLSelectElement} select
 * @param {string} value
 */
function addChoice(select, value) {
  if (![...select.options].some((o) => o.value === value)) select.append(h("option", { value }, value));
}

/**
 * @param {Option} name
 * @param {string} value
 * @param {string} hint
 */
const number = (name, value, hint) => ofText(name, h("input", { name, type: "number", min: 0, max: 10000, value, placeholder: hint }));

/**
 * @param {Option} name
 * @param {string} value
 */
const line = (name, value) => ofText(name, h("input", { name, type: "text", value }));

/**
 * @param {Option} name
 * @param {HTMLInputElement | HTMLSelectElement} input
 * @returns {Field}
 */
function ofText(name, input) {
  const element = h("label", {}, h("span", {}, words.option[name]), input);
  return { name, element, values: () => (input.value ? [input.value] : []), set: ([value = ""]) => (input.value = value) };
}

/**
 * @param {Option} name
 * @param {boolean} value
 * @returns {Field}
 */
function check(name, value) {
  const input = h("input", { name, type: "checkbox", checked: value });
  const element = h("label", { class: "check" }, input, words.option[name]);
  return { name, element, values: () => (input.checked ? ["true"] : []), set: ([v]) => (input.checked = v === "true") };
}

/**
 * @param {Option} name
 * @param {string[]} values
 * @param {string} example
 * @returns {Field}
 */
function lines(name, values, example) {
  const input = h("textarea", { name, rows: 2, placeholder: example }, values.join("\n"));
  const given = () => input.value.split("\n").filter((l) => l.trim() !== "");
  const element = h("label", { class: "long" }, h("span", {}, words.option[name]), input);
  return { name, element, values: given, set: (all) => (input.value = all.join("\n")) };
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
