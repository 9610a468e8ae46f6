// What happened to a task, what it waits for, and when it goes on.

import { isAbort, read } from "./api.js";
import { openDialog } from "./dialog.js";
import { h, show } from "./element.js";
import { loading, problemTexts } from "./faults.js";
import { language } from "./format.js";
import { words } from "./words.js";

const moment = new Intl.DateTimeFormat(language, { dateStyle: "short", timeStyle: "medium" });

/** @param {string} iso */
const at = (iso) => h("time", { datetime: iso }, moment.format(new Date(iso)));

/** @param {string} task id */
export function lifeDialog(task) {
  const stop = new AbortController();
  const body = h("div", { class: "life", role: "status" }, loading());
  openDialog([words.life], [body]).addEventListener("close", () => stop.abort());
  read(`/tasks/${task}/history`, stop.signal).then(
    (/** @type {import("../shapes").TaskHistory} */ { items, now }) =>
      show(
        body,
        h("ol", { tabindex: "0", "aria-label": words.life }, ...items.map((item) => h("li", {}, at(item.at), h("span", {}, item.text)))),
        h("p", { class: "now" }, h("strong", {}, now.text)),
        h("p", {}, words.since, " ", at(now.since)),
        now.next_at && Date.parse(now.next_at) > Date.now() && h("p", {}, words.goesOn, " ", at(now.next_at)),
        now.next_step && h("p", {}, now.next_step.text, now.next_step.command && [" ", h("code", {}, now.next_step.command)]),
      ),
    (error) => isAbort(error) || show(body, h("div", { class: "problem", role: "alert" }, ...problemTexts(error))),
  );
}
