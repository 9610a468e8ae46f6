// The tables of the part for operators.

import { h, icon } from "./element.js";
import { ago, count, oneLine, time } from "./format.js";
import { said } from "./words.js";
import { operateWords } from "./words_operate.js";

/** @typedef {import("../shapes").Task} Task */
/** @typedef {import("../shapes").Message} Message */
/** @typedef {import("../shapes").DeadLetter} DeadLetter */
/** @typedef {import("../shapes").Action} Action */
/** @typedef {import("./element.js").Child} Child */

/**
 * @param {Task[]} tasks
 * @param {string} wanted the code of those that are run again together, "" for all
 * @param {(code: string) => void} onCode
 * @param {(filter: { ids?: string[], error_code?: string }) => void} retry
 */
export function tasksTable(tasks, wanted, onCode, retry) {
  const codes = [...new Set(tasks.map((t) => t.error?.code ?? ""))].sort();
  const code = codes.includes(wanted) ? wanted : "";
  const shown = tasks.filter((t) => code === "" || t.error?.code === code);
  const choice = h(
    "select",
    { "aria-label": operateWords.code, onchange: () => onCode(choice.value) },
    h("option", { value: "" }, operateWords.anyCode),
    ...codes.map((c) => h("option", { value: c, selected: c === code }, c)),
  );
  const all = h(
    "button",
    { type: "button", class: "retry-all", onclick: () => retry(code ? { error_code: code } : {}) },
    icon("retry"),
    operateWords.retryAll(code),
  );
  if (tasks.length === 0) return [nothing(operateWords.noTasks)];
  return [
    h("div", { class: "tools" }, choice, all),
    table(
      [operateWords.when, operateWords.code, operateWords.attempts, operateWords.task, ""],
      shown.map((t) => [
        when(t.finished_at ?? t.created_at),
        h(
          "div",
          {},
          h("code", {}, t.error?.code ?? ""),
          h("p", { class: "quiet", dir: "auto" }, t.error ? oneLine(said(t.error), 300) : ""),
        ),
        count(t.attempt),
        id(t.id),
        h("button", { type: "button", onclick: () => retry({ ids: [t.id] }) }, operateWords.retry),
      ]),
    ),
  ];
}

/**
 * @param {Message[]} messages
 * @param {(id: string | undefined) => void} send
 */
export function messagesTable(messages, send) {
  if (messages.length === 0) return [nothing(operateWords.noMessages)];
  const failed = messages.some((m) => m.status === "FAILED");
  return [
    h(
      "div",
      { class: "tools" },
      failed && h("button", { type: "button", class: "send-all", onclick: () => send(undefined) }, icon("retry"), operateWords.sendAll),
    ),
    table(
      [
        operateWords.when,
        operateWords.event,
        operateWords.status,
        operateWords.next,
        operateWords.attempts,
        operateWords.error,
        operateWords.task,
        "",
      ],
      messages.map((m) => [
        when(m.created_at),
        h("code", {}, m.event_type),
        m.status === "FAILED" ? h("b", { class: "bad" }, m.status) : m.status,
        m.next_attempt_at ? when(m.next_attempt_at) : operateWords.never,
        count(m.attempts),
        m.last_error && h("p", { class: "quiet", dir: "auto" }, oneLine(m.last_error, 300)),
        m.task_id ? id(m.task_id) : operateWords.unknown,
        m.status === "FAILED" && h("button", { type: "button", onclick: () => send(m.id) }, operateWords.send),
      ]),
    ),
  ];
}

/** @param {DeadLetter[]} letters */
export function lettersTable(letters) {
  if (letters.length === 0) return [nothing(operateWords.noLetters)];
  return [
    table(
      [operateWords.when, operateWords.text, operateWords.task],
      letters.map((l) => [
        when(l.seen_at),
        h("code", { dir: "auto" }, oneLine(l.text, 200)),
        l.task_id ? id(l.task_id) : operateWords.unknown,
      ]),
    ),
  ];
}

/** @param {Action[]} actions */
export function actionsTable(actions) {
  if (actions.length === 0) return [nothing(operateWords.noActions)];
  return [
    table(
      [operateWords.when, operateWords.who, operateWords.what, operateWords.to, operateWords.changed],
      actions.map((a) => [
        when(a.at),
        h("bdi", {}, oneLine(a.caller, 100)),
        h("code", {}, a.action),
        a.target ? id(a.target) : h("code", {}, oneLine(JSON.stringify(a.filter ?? {}), 120)),
        count(a.count),
      ]),
    ),
  ];
}

/**
 * @param {string[]} heads
 * @param {(Child)[][]} rows
 */
function table(heads, rows) {
  return h(
    "div",
    { class: "wide-table", tabindex: "0" },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, ...rows.map((cells) => h("tr", {}, ...cells.map((cell) => h("td", {}, cell))))),
    ),
  );
}

/** @param {string} text */
const nothing = (text) => h("p", { class: "quiet nothing" }, text);

/** @param {string} iso */
const when = (iso) => h("time", { datetime: iso, title: time(iso) }, Date.parse(iso) > Date.now() ? time(iso) : ago(iso));

/** @param {string} text */
const id = (text) => h("code", { class: "id" }, text);
