// The part for operators: what waits, what will not go on without people, and what people have done.

import { isAbort, Problem, read, send } from "./api.js";
import { bars } from "./chart.js";
import { h, icon, show } from "./element.js";
import { fault, headline, loading } from "./faults.js";
import { about, ago, count, language, size, time } from "./format.js";
import { loadFiles } from "./library.js";
import { notify } from "./notices.js";
import { actionsTable, lettersTable, messagesTable, tasksTable } from "./operate_tables.js";
import { address } from "./route.js";
import { words } from "./words.js";
import { operateWords } from "./words_operate.js";

/** @typedef {import("../shapes").Overview} Overview */
/** @typedef {import("../shapes").Hour} Hour */
/** @typedef {import("./route.js").Place} Place */
/** @typedef {keyof typeof operateWords.tabs} Tab */

const refreshTime = 30_000; // each look is logged as an operator's
const pageSize = 50;

/** @param {Place} start */
export function operateView(start) {
  const stop = new AbortController();
  let tab = start.operate ?? "tasks";
  let code = "";
  const figures = h("div", { class: "figures" });
  const charts = h("div", { class: "charts" });
  const asOf = h("span", { class: "quiet" });
  const nav = h("nav", { class: "parts", "aria-label": operateWords.title });
  const body = h("div", { class: "operate-list" });
  const element = h(
    "section",
    { class: "operate" },
    h(
      "div",
      { class: "head" },
      h("a", { class: "back", href: "/", "aria-label": words.back }, icon("back")),
      h("h1", {}, operateWords.title),
      asOf,
      h("span", { class: "gap" }),
      h("button", { type: "button", onclick: () => (look(), list()) }, icon("retry"), operateWords.refresh),
    ),
    figures,
    charts,
    h("div", { class: "tabs" }, nav),
    body,
  );
  const timer = window.setInterval(() => document.visibilityState === "visible" && look(), refreshTime);

  async function look() {
    try {
      const found = /** @type {Overview} */ (await read("/overview", stop.signal));
      show(figures, ...figuresOf(found));
      show(charts, ...chartsOf(found.hours));
      asOf.textContent = operateWords.asOf(new Date().toLocaleTimeString(language));
    } catch (error) {
      fail(error);
    }
  }

  /** @param {unknown} error */
  function fail(error) {
    if (isAbort(error) || stop.signal.aborted) return;
    const refused = error instanceof Problem && error.code === "not_operator";
    clearInterval(timer);
    show(element, refused ? refusal() : fault(error, () => location.reload()));
  }

  function tabs() {
    const names = /** @type {Tab[]} */ (Object.keys(operateWords.tabs));
    show(
      nav,
      names.map((name) =>
        h("a", { href: address({ operate: name }), "aria-current": name === tab ? "page" : undefined }, operateWords.tabs[name]),
      ),
    );
  }

  /** Shows the first page of what the tab has. */
  async function list() {
    const shown = tab;
    show(body, loading());
    try {
      const { path, table } = lists(code, (chosen) => ((code = chosen), list()), after)[shown];
      const page = await read(`${path}limit=${pageSize}`, stop.signal);
      if (shown === tab) show(body, ...table(page.items), page.next && moreButton(path, page.next, table));
    } catch (error) {
      fail(error);
    }
  }

  /**
   * @param {string} path
   * @param {string} cursor
   * @param {(items: any[]) => HTMLElement[]} table
   */
  function moreButton(path, cursor, table) {
    const button = h("button", { type: "button", class: "link more", onclick: load }, words.loadMore);
    async function load() {
      button.disabled = true;
      try {
        const page = await read(`${path}limit=${pageSize}&cursor=${encodeURIComponent(cursor)}`, stop.signal);
        const rows = table(page.items).at(-1)?.querySelectorAll("tbody tr") ?? [];
        body.querySelector("tbody")?.append(...rows);
        button.replaceWith(...(page.next ? [moreButton(path, page.next, table)] : []));
      } catch (error) {
        fail(error);
      }
    }
    return button;
  }

  /**
   * Does something and shows what there is then.
   *
   * @param {() => Promise<string>} act returns what to tell
   */
  async function after(act) {
    try {
      notify(await act());
    } catch (error) {
      notify(headline(error));
    }
    look();
    list();
    loadFiles(); // some of them may be the operator's own
  }

  tabs();
  look();
  list();
  return {
    element,
    /** @param {Place} now */
    update(now) {
      if (!now.operate) return false;
      if (now.operate !== tab) {
        tab = now.operate;
        tabs();
        list();
      }
      return true;
    },
    close() {
      clearInterval(timer);
      stop.abort();
    },
  };
}

/**
 * @param {string} code
 * @param {(code: string) => void} onCode
 * @param {(act: () => Promise<string>) => void} after
 * @returns {Record<Tab, { path: string, table: (items: any[]) => HTMLElement[] }>}
 */
function lists(code, onCode, after) {
  return {
    tasks: {
      path: "/tasks?all=true&status=FAILED&",
      table: (items) => tasksTable(items, code, onCode, (filter) => after(() => retry(filter))),
    },
    outbox: { path: "/outbox?", table: (items) => messagesTable(items, (id) => after(() => sendAgain(id))) },
    letters: { path: "/dead-letters?", table: lettersTable },
    actions: { path: "/actions?", table: actionsTable },
  };
}

/** @param {{ ids?: string[], error_code?: string }} filter */
async function retry(filter) {
  const done = await (await send("/tasks/retry", { method: "POST", json: filter })).json();
  return operateWords.retried(count(done.count)) + (done.more ? operateWords.more : "");
}

/** @param {string | undefined} id of one message; without it all that FAILED */
async function sendAgain(id) {
  const path = id ? `/outbox/${id}/redrive` : "/outbox/redrive";
  const done = await (await send(path, id ? { method: "POST" } : { method: "POST", json: {} })).json();
  return operateWords.sent(count(done.count)) + (done.more ? operateWords.more : "");
}

function refusal() {
  return h(
    "div",
    { class: "state" },
    h("p", { class: "headline" }, operateWords.refused),
    h("p", {}, operateWords.refusedHint),
    h("a", { href: "/", class: "button" }, words.toList),
  );
}

/** @param {Overview} o */
function figuresOf(o) {
  const since = o.tasks.oldest_pending;
  const due = o.outbox.oldest_due;
  return [
    figure(operateWords.pending, o.tasks.pending, since ? operateWords.longest(ago(since)) : ""),
    figure(operateWords.processing, o.tasks.processing, ""),
    figure(operateWords.failed, o.tasks.failed, "", "tasks", o.tasks.failed > 0),
    figure(operateWords.outbox, o.outbox.pending, due ? operateWords.due(ago(due)) : operateWords.nothingDue, "outbox"),
    figure(operateWords.outboxFailed, o.outbox.failed, "", "outbox", o.outbox.failed > 0),
    figure(operateWords.deadLetters, o.dead_letters, "", "letters", o.dead_letters > 0),
  ];
}

/**
 * @param {string} name
 * @param {number} value
 * @param {string} more
 * @param {Tab} [to]
 * @param {boolean} [bad]
 */
function figure(name, value, more, to, bad = false) {
  return h(
    to ? "a" : "div",
    { class: "figure" + (bad ? " bad" : ""), href: to ? address({ operate: to }) : undefined },
    h("span", { class: "what" }, name),
    h("strong", {}, about(value)),
    h("small", {}, more),
  );
}

/** @param {Hour[]} hours */
function chartsOf(hours) {
  return [
    chart(operateWords.accepted, hours, (hour) => hour.accepted, about),
    chart(operateWords.completed, hours, (hour) => hour.completed, about),
    chart(operateWords.failedTasks, hours, (hour) => hour.failed, about),
    chart(operateWords.rows, hours, (hour) => hour.rows, about),
    chart(operateWords.bytes, hours, (hour) => hour.bytes, size),
  ];
}

/**
 * @param {string} name
 * @param {Hour[]} hours
 * @param {(hour: Hour) => number} valueOf
 * @param {(value: number) => string} written
 */
function chart(name, hours, valueOf, written) {
  const values = hours.map(valueOf);
  const sum = written(values.reduce((all, value) => all + value, 0));
  const most = written(Math.max(0, ...values));
  return h(
    "figure",
    {},
    h("figcaption", {}, h("span", {}, name), h("strong", {}, sum)),
    bars(values, operateWords.chart(name, sum, most), (i) => `${time(hours[i].begin)}: ${written(values[i])}`),
    h("small", {}, operateWords.mostInHour(most)),
  );
}
