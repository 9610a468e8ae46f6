// Webhooks: the URLs that are called when files are done, what was sent to them, and what they answered.

import { isAbort, pause, read, send } from "./api.js";
import { openDialog } from "./dialog.js";
import { h, icon, show } from "./element.js";
import { fault, loading, problemTexts } from "./faults.js";
import { formFaults } from "./fieldfault.js";
import { ago, count, oneLine, time } from "./format.js";
import { copyText } from "./notices.js";
import { tableBox } from "./tablebox.js";
import { readTables } from "./target.js";
import { words } from "./words.js";
import { operateWords } from "./words_operate.js";
import { tableWords } from "./words_tables.js";
import { hookWords } from "./words_webhooks.js";

/** @typedef {import("../shapes").Webhook} Webhook */
/** @typedef {import("../shapes").Delivery} Delivery */

const pageSize = 20;
const ends = /** @type {const} */ (["COMPLETED", "FAILED", "CANCELLED"]);

export function webhooksView() {
  const stop = new AbortController();
  const list = h("div", { class: "fields" });
  const secret = h("div", { role: "status" });
  const body = h(
    "div",
    { class: "body scroll" },
    h("section", { class: "panel hooks" }, h("p", { class: "quiet" }, hookWords.hint), secret, list, createForm(stop.signal, created)),
  );
  const head = h(
    "div",
    { class: "head" },
    h("a", { class: "back", href: "/tables", "aria-label": words.back }, icon("back")),
    h("div", { class: "title" }, h("h1", { tabindex: "-1" }, hookWords.title)),
  );
  document.title = `${hookWords.title} – ${words.title}`;

  async function load() {
    show(list, loading());
    try {
      const page = /** @type {import("../shapes").List<Webhook>} */ (await read("/webhooks", stop.signal));
      show(list, page.items.length === 0 && h("p", {}, hookWords.none), ...page.items.map(box));
    } catch (error) {
      if (!isAbort(error)) show(list, fault(error, load));
    }
  }

  /** @param {Webhook} hook */
  const box = (hook) => hookBox(hook, stop.signal, showSecret, load);

  /** @param {string} text */
  function showSecret(text) {
    const copy = h("button", { type: "button", onclick: () => copyText(text) }, icon("copy"), tableWords.copy);
    show(secret, h("div", { class: "secret" }, h("p", {}, hookWords.secret), h("code", {}, text), copy));
    copy.focus();
  }

  /** @param {Webhook & { secret: string }} hook */
  function created(hook) {
    showSecret(hook.secret);
    load();
  }

  load();
  return {
    element: h("section", { class: "file tables" }, head, body),
    /** @param {import("./route.js").Place} now */
    update: (now) => Boolean(now.webhooks),
    close: () => stop.abort(),
  };
}

/**
 * @param {Webhook} hook
 * @param {AbortSignal} signal
 * @param {(secret: string) => void} showSecret
 * @param {() => void} gone
 */
function hookBox(hook, signal, showSecret, gone) {
  const path = "/webhooks/" + hook.id;
  const summary = h("summary", {});
  const old = h("p", { class: "quiet" });
  const problem = h("div", { class: "problem", role: "alert" });
  const rows = h("tbody");
  const table = tableBox("shares deliveries", [operateWords.when, operateWords.event, operateWords.status, hookWords.answer, ""], rows);
  const end = h("div", { class: "more" });
  const toggle = button("", async () => {
    await send(path, { method: "PATCH", json: { enabled: !hook.enabled } });
  });
  const buttons = [
    button(hookWords.test, async () => attempted(await (await send(path + "/test", { method: "POST" })).json())),
    button(operateWords.refresh, async () => {}),
    button(hookWords.rotate, async () => showSecret((await (await send(path + "/rotate-secret", { method: "POST" })).json()).secret)),
    toggle,
    h("button", { type: "button", onclick: removeDialog }, icon("trash"), hookWords.remove),
  ];
  const element = h(
    "details",
    { class: "field", ontoggle: () => element.open && !rows.childElementCount && list("") },
    summary,
    h("div", { class: "hook" }, h("div", { class: "buttons" }, ...buttons), old, problem, table, end),
  );

  /**
   * A button that does something to the webhook, and shows what it is like then.
   *
   * @param {string} label
   * @param {() => Promise<void>} run
   */
  function button(label, run) {
    const made = h("button", { type: "button", onclick: start }, label);
    async function start() {
      made.disabled = true;
      show(problem);
      try {
        await run();
        hook = /** @type {Webhook} */ (await read(path, signal));
        draw();
        await list("");
      } catch (error) {
        if (!isAbort(error)) show(problem, ...problemTexts(error));
      }
      made.disabled = false;
    }
    return made;
  }

  function draw() {
    const state = hook.enabled ? hookWords.enabled : hook.disabled_by === "receiver" ? hookWords.byReceiver : hookWords.disabled;
    const facts = [
      state,
      hook.states.map((s) => words.status[s]).join(", "),
      hook.waiting > 0 && `${count(hook.waiting)} ${hookWords.waiting}`,
      hook.dead > 0 && `${count(hook.dead)} ${hookWords.dead}`,
    ];
    const name = h("strong", {}, h("bdi", {}, oneLine(hook.description || hook.url, 120)));
    const url = hook.description && h("bdi", { class: "quiet" }, oneLine(hook.url, 120));
    show(summary, name, url, h("small", { class: "label" + (hook.dead > 0 ? " bad" : "") }, facts.filter(Boolean).join(" · ")));
    toggle.textContent = hook.enabled ? hookWords.disable : hookWords.enable;
    show(old, hook.old_secret_until && `${hookWords.oldSecret}: ${time(hook.old_secret_until)}`);
  }

  /**
   * Waits until an event was attempted, for as long as a receiver may take.
   *
   * @param {Delivery} event
   */
  async function attempted(event) {
    for (let tries = 0; tries < 40; tries++) {
      await pause(500, signal);
      const d = /** @type {Delivery} */ (await read(`${path}/deliveries/${event.id}`, signal));
      if (d.status !== "PENDING" || (d.attempts > 0 && Date.parse(d.next_attempt_at ?? "") > Date.parse(d.attempted_at ?? ""))) return;
    }
  }

  /** @param {string} cursor */
  async function list(cursor) {
    if (!cursor) show(end, loading());
    const query = `/deliveries?limit=${pageSize}` + (cursor && "&cursor=" + encodeURIComponent(cursor));
    try {
      const page = /** @type {import("../shapes").List<Delivery>} */ (await read(path + query, signal));
      if (!cursor) show(rows);
      rows.append(...page.items.map(row));
      table.hidden = !rows.childElementCount;
      const more = () => list(page.next ?? "");
      show(
        end,
        table.hidden && h("p", { class: "quiet" }, hookWords.noEvents),
        page.next && h("button", { type: "button", onclick: more }, words.loadMore),
      );
    } catch (error) {
      if (!isAbort(error))
        show(
          end,
          fault(error, () => list(cursor)),
        );
    }
  }

  /** @param {Delivery} d */
  function row(d) {
    const again = button(operateWords.send, async () =>
      attempted(await (await send(`${path}/deliveries/${d.id}/redeliver`, { method: "POST" })).json()),
    );
    const { status, file_id } = d.payload.data;
    const name = status ? words.status[status] : hookWords.isTest;
    return h(
      "tr",
      {},
      h("td", {}, h("time", { datetime: d.created_at, title: time(d.created_at) }, ago(d.created_at))),
      h("td", {}, d.task_id ? h("a", { href: `/files/${file_id}/tasks/${d.task_id}` }, name) : name),
      h(
        "td",
        { class: d.status === "DEAD" ? "bad" : "" },
        { PENDING: hookWords.waiting, DELIVERED: hookWords.delivered, DEAD: hookWords.dead }[d.status],
      ),
      h("td", { class: "answer", dir: "auto" }, answerOf(d)),
      h("td", {}, again),
    );
  }

  function removeDialog() {
    const told = h("div", { class: "problem", role: "alert" });
    const remove = h("button", { type: "button", class: "primary danger", onclick: start }, hookWords.remove);
    const dialog = openDialog(
      [hookWords.removeTitle],
      [h("p", {}, h("bdi", {}, oneLine(hook.url))), h("p", {}, hookWords.removeHint), told],
      [remove],
    );
    async function start() {
      try {
        await send(path, { method: "DELETE" });
      } catch (error) {
        return show(told, ...problemTexts(error));
      }
      dialog.close();
      gone();
    }
  }

  draw();
  return element;
}

/** @param {Delivery} d */
function answerOf(d) {
  const parts = [
    d.response_status,
    d.took_ms !== undefined && `${count(d.took_ms)} ms`,
    !d.response_status && d.error,
    d.response && oneLine(d.response, 200),
  ];
  return parts.filter(Boolean).join(" · ");
}

/**
 * @param {AbortSignal} signal
 * @param {(hook: Webhook & { secret: string }) => void} created
 */
function createForm(signal, created) {
  const url = h("input", { type: "url", name: "url", autocomplete: "off", placeholder: "https://", maxlength: 2048 });
  const description = h("input", { name: "description", autocomplete: "off", maxlength: 200 });
  const states = ends.map((value) => h("input", { type: "checkbox", name: "states", value, checked: true }));
  const target = h("select", { name: "target" }, h("option", { value: "" }, hookWords.allFiles));
  const submit = h("button", { type: "submit", class: "primary" }, hookWords.createNow);
  const problem = h("div", { class: "problem", role: "alert" });
  const faults = formFaults(problem, (pointer) => (pointer === "body.url" ? url : undefined));
  const labelled = (/** @type {string} */ text, /** @type {HTMLElement} */ field) => h("label", {}, h("span", {}, text), field);
  const tick = (/** @type {HTMLInputElement} */ box, /** @type {number} */ i) => h("label", { class: "check" }, box, words.status[ends[i]]);
  readTables(signal)
    .then((all) => target.append(...all.map((t) => h("option", { value: t.id }, oneLine(t.name, 80)))))
    .catch(() => {}); // then it is for all files

  /** @param {Event} event */
  async function start(event) {
    event.preventDefault();
    faults.clear();
    submit.disabled = true;
    const json = {
      url: url.value.trim(),
      description: description.value.trim(),
      states: states.filter((box) => box.checked).map((box) => box.value),
      targets: target.value ? [target.value] : [],
    };
    try {
      created(await (await send("/webhooks", { method: "POST", json, signal })).json());
      form.reset();
    } catch (error) {
      if (!isAbort(error)) faults.show(error);
    }
    submit.disabled = false;
  }

  const form = h(
    "form",
    { class: "grid-form define", novalidate: true, onsubmit: start },
    labelled("URL", url),
    labelled(hookWords.description, description),
    labelled(hookWords.of, target),
    h("fieldset", { class: "ends" }, h("legend", {}, hookWords.states), ...states.map(tick)),
    problem,
    submit,
  );
  return h("section", {}, h("h2", {}, hookWords.create), form);
}
