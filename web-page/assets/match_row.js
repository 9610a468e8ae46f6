// One column of the file, and what becomes of it.

import { fillBar, h, show } from "./element.js";
import { oneLine, percent } from "./format.js";
import { typeName } from "./target.js";
import { tableWords } from "./words_tables.js";

/** @typedef {import("../shapes").HeaderMatch} HeaderMatch */
/** @typedef {import("../shapes").TargetColumn} TargetColumn */

const leaveOut = "-"; // values of the choice beside columns, whose numbers have a # in front
const byRules = "?";

/**
 * @param {import("../shapes").Column} column of the file
 * @param {TargetColumn[]} columns of the table
 * @param {(header: string, column: string | null | undefined, format?: string) => void} choose
 */
export function matchRow(column, columns, choose) {
  const label = oneLine(column.label || column.name, 60);
  const select = h("select", { "aria-label": tableWords.goesTo(label), onchange: chosen });
  const grip = h("span", { class: "grip", draggable: "true", "aria-hidden": "true", title: tableWords.drag }, "⠿");
  const why = h("td", { class: "why" });
  const format = h("td", { class: "format" });
  const element = h(
    "tr",
    {},
    h(
      "td",
      { class: "header" },
      h("bdi", {}, label),
      h("small", {}, h("bdi", {}, oneLine((column.examples ?? []).slice(0, 3).join(" · "), 60))),
    ),
    h("td", { class: "goes" }, h("div", {}, grip, select)),
    why,
    format,
  );
  /** @type {HeaderMatch | undefined} */
  let match;
  /** @type {string[]} */
  let missing = [];
  let filled = false;

  /** The columns become options when somebody is about to choose: a thousand of them in each of a thousand rows would be a million. */
  function fill() {
    if (filled) return;
    filled = true;
    const value = select.value;
    const option = (/** @type {TargetColumn} */ c) => {
      const hint = c.label && c.label !== c.name ? ` (${oneLine(c.label, 40)})` : "";
      return h("option", { value: "#" + c.name }, oneLine(c.name, 60) + hint);
    };
    const open = columns.filter((c) => missing.includes(c.name));
    const used = columns.filter((c) => !missing.includes(c.name));
    show(
      select,
      h("option", { value: leaveOut }, tableWords.leaveOut),
      match?.rule === "request" && h("option", { value: byRules }, tableWords.byRules),
      open.length > 0 && h("optgroup", { label: tableWords.open }, ...open.map(option)),
      used.length > 0 && h("optgroup", { label: tableWords.used }, ...used.map(option)),
    );
    select.value = value;
  }
  select.addEventListener("focus", fill);
  select.addEventListener("pointerdown", fill);

  function chosen() {
    const value = select.value;
    choose(column.name, value === leaveOut ? null : value === byRules ? undefined : value.slice(1));
  }

  grip.addEventListener("dragstart", (event) => match?.column && event.dataTransfer?.setData("text/x-column", match.column));
  element.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("text/x-column")) return;
    event.preventDefault();
    element.classList.add("over");
  });
  element.addEventListener("dragleave", () => element.classList.remove("over"));
  element.addEventListener("drop", (event) => {
    element.classList.remove("over");
    const dropped = event.dataTransfer?.getData("text/x-column");
    if (!columns.some((c) => c.name === dropped)) return;
    event.preventDefault();
    choose(column.name, dropped ?? null);
  });

  /**
   * Shows one choice without the others, which fill adds.
   *
   * @param {HeaderMatch} now
   */
  function showChoice(now) {
    const value = now.column !== null ? "#" + now.column : leaveOut;
    const text = now.column !== null ? oneLine(now.column, 60) : now.rule ? tableWords.leaveOut : tableWords.notMatched;
    if (document.activeElement !== select) {
      filled = false;
      show(select, h("option", { value }, text));
    }
    select.value = value;
  }

  /** @param {HeaderMatch} now */
  function showFormat(now) {
    const into = columns.find((c) => c.name === now.column);
    if (!into) return show(format);
    const badge = h("span", { class: "badge " + into.type }, typeName(into.type));
    if (!now.formats) return show(format, badge, now.format && h("code", {}, h("bdi", {}, now.format)));
    const pick = h(
      "select",
      { "aria-label": tableWords.formatOf(label), class: "ask", onchange: () => choose(column.name, now.column, pick.value) },
      !now.format && h("option", { value: "" }, tableWords.howWritten),
      ...now.formats.map((f) => h("option", { value: f }, formatName(f))),
    );
    pick.value = now.format ?? "";
    const hadFocus = format.contains(document.activeElement);
    show(format, badge, pick);
    if (hadFocus) pick.focus();
  }

  /** @param {{ column: string, confidence: number }} candidate */
  function suggestion(candidate) {
    return h(
      "button",
      { type: "button", class: "suggestion", onclick: () => choose(column.name, candidate.column) },
      tableWords.suggest,
      h("bdi", {}, oneLine(candidate.column, 40)),
      sureness(candidate.confidence),
    );
  }

  /**
   * What the rules have found, and the values speak against: a person decides.
   *
   * @param {HeaderMatch} now
   */
  function doubt(now) {
    const type = columns.find((c) => c.name === now.column)?.type ?? "";
    const confirm = () => choose(column.name, now.column, now.formats ? undefined : now.format);
    return [
      h("small", { class: "warn" }, tableWords.misfit(typeName(type))),
      h("button", { type: "button", class: "suggestion confirm", onclick: confirm }, tableWords.useAnyway),
    ];
  }

  return {
    element,
    /**
     * @param {HeaderMatch} now
     * @param {string[]} open columns that get nothing
     */
    refresh(now, open) {
      match = now;
      missing = open;
      element.classList.toggle("left-out", now.column === null);
      grip.hidden = now.column === null;
      showChoice(now);
      showFormat(now);
      show(why, now.rule && reason(now), ...(now.candidates ?? []).map(suggestion), isDoubtful(now) && doubt(now));
    },
  };
}

const enough = 0.75; // of confidence to go on without a question

/** @param {HeaderMatch} match */
export const isDoubtful = (match) => match.column !== null && (match.confidence ?? 1) < enough;

/** @param {HeaderMatch} match */
function reason({ rule, column, confidence = 1 }) {
  const told = h("span", { class: "rule " + rule }, tableWords.rule[/** @type {NonNullable<typeof rule>} */ (rule)]);
  if (column !== null && confidence < 1) told.append(sureness(confidence));
  return told;
}

/** @param {number} confidence */
function sureness(confidence) {
  const told = percent(confidence);
  return h("span", { class: "sure" + (confidence < enough ? " low" : "") }, fillBar(confidence), h("small", {}, told));
}

/** @type {[RegExp, string, "decimalMark" | "thousands"][]} how numbers are written, with an example and what is told by it */
const numberFormats = [
  [/#,##0\.0/, "1,234.5", "decimalMark"],
  [/#\.##0,0/, "1.234,5", "decimalMark"],
  [/#,##0/, "1,234", "thousands"],
  [/#\.##0/, "1.234", "thousands"],
  [/0,0/, "1,5", "decimalMark"],
  [/0\.0/, "1.5", "decimalMark"],
];

/**
 * A format as people write it: those of dates speak for themselves, those of numbers are shown by an example.
 *
 * @param {string} format
 */
function formatName(format) {
  const found = numberFormats.find(([pattern]) => pattern.test(format));
  return found ? tableWords[found[2]](found[1]) : format;
}
