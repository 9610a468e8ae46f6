// With whom a table is shared, and for what.

import { isAbort, read, send } from "./api.js";
import { h, icon, show } from "./element.js";
import { fault, loading, problemTexts } from "./faults.js";
import { faultAt } from "./fieldfault.js";
import { oneLine } from "./format.js";
import { copyText } from "./notices.js";
import { tableBox } from "./tablebox.js";
import { defineWords } from "./words_define.js";
import { tableWords } from "./words_tables.js";

/** @typedef {import("../shapes").Share} Share */

const rights = /** @type {const} */ (["load", "read", "define"]);
const role = "role:";

/**
 * @param {import("../shapes").Target} target
 * @param {AbortSignal} signal
 */
export function sharingView(target, signal) {
  const path = `/targets/${target.id}/shares`;
  const list = h("tbody");
  const table = tableBox("shares", [defineWords.grantee, ...rights.map((r) => defineWords.right[r]), ""], list);
  const state = h("div", { class: "more" });
  const problem = h("div", { class: "problem", role: "alert" });
  const me = h("p", { class: "quiet me" });

  async function load() {
    show(state, loading());
    try {
      draw(await current());
    } catch (error) {
      if (!isAbort(error)) show(state, fault(error, load));
    }
  }

  /** @returns {Promise<Share[]>} */
  const current = async () => /** @type {{ shares: Share[] }} */ (await read(path, signal)).shares;

  /**
   * Changes what there is by now, and shows what has come of it.
   *
   * @param {(now: Share[]) => Share[]} how
   */
  async function change(how) {
    show(problem);
    try {
      const changed = await send(path, { method: "PUT", json: { shares: how(await current()) }, signal });
      draw(/** @type {{ shares: Share[] }} */ (await changed.json()).shares);
    } catch (error) {
      if (isAbort(error)) return;
      show(problem, ...problemTexts(error));
      draw(await current().catch(() => []));
    }
  }

  /** @param {Share[]} shares */
  function draw(shares) {
    const grantees = [...new Set(shares.map((s) => s.grantee))];
    const focused = document.activeElement?.getAttribute("data-focus");
    show(list, ...grantees.map((grantee) => row(grantee, new Set(shares.filter((s) => s.grantee === grantee).map((s) => s.may)))));
    table.hidden = grantees.length === 0;
    show(state, grantees.length === 0 && h("p", { class: "quiet" }, defineWords.notShared));
    if (focused) /** @type {HTMLElement | null} */ (list.querySelector(`[data-focus="${CSS.escape(focused)}"]`))?.focus();
  }

  /**
   * @param {string} grantee
   * @param {Set<string>} may
   */
  function row(grantee, may) {
    const label = granteeName(grantee);
    const tick = (/** @type {Share["may"]} */ right) => {
      const set = () =>
        change((now) => {
          const others = now.filter((s) => s.grantee !== grantee || s.may !== right);
          return box.checked ? [...others, { grantee, may: right }] : others;
        });
      const box = h("input", {
        type: "checkbox",
        checked: may.has(right),
        onchange: set,
        "aria-label": `${defineWords.right[right]}: ${label}`,
        "data-focus": grantee + " " + right,
      });
      return h("td", { class: "tick", "data-label": defineWords.right[right] }, box);
    };
    const remove = () => change((now) => now.filter((s) => s.grantee !== grantee));
    return h(
      "tr",
      {},
      h("td", { class: "grantee" }, h("bdi", {}, label)),
      ...rights.map(tick),
      h(
        "td",
        { class: "tick" },
        h("button", { type: "button", class: "bare", onclick: remove, "aria-label": defineWords.unshare(label) }, icon("close")),
      ),
    );
  }

  /** Whom others name when they share with the reader. */
  async function showMe() {
    const known = await read("/me", signal).catch(() => undefined);
    if (!known?.owner) return;
    const copy = h("button", { type: "button", class: "link", onclick: () => copyText(known.owner) }, icon("copy"), tableWords.copy);
    show(me, defineWords.yourName, " ", h("code", {}, h("bdi", {}, oneLine(known.owner, 200))), " ", copy);
  }

  load();
  showMe();
  return h(
    "section",
    { class: "sharing" },
    h("p", { class: "quiet" }, defineWords.sharingHint),
    table,
    state,
    granteeForm((grantee, may) => change((now) => [...now.filter((s) => s.grantee !== grantee || s.may !== may), { grantee, may }])),
    problem,
    me,
  );
}

/** @param {string} grantee */
const granteeName = (grantee) =>
  grantee.startsWith(role) ? defineWords.roleNamed(oneLine(grantee.slice(role.length), 80)) : oneLine(grantee, 120);

/** @param {(grantee: string, may: Share["may"]) => Promise<void>} add */
function granteeForm(add) {
  const kind = h(
    "select",
    { "aria-label": defineWords.who, onchange: named },
    h("option", { value: role }, defineWords.role),
    h("option", { value: "" }, defineWords.person),
  );
  const name = h("input", { id: "grantee", autocomplete: "off", maxlength: 990, "aria-label": defineWords.granteeName });
  const may = h("select", { "aria-label": defineWords.mayDo }, ...rights.map((r) => h("option", { value: r }, defineWords.rightLong[r])));
  const submit = h("button", { type: "submit", id: "share" }, defineWords.share);
  /** @type {() => void} */
  let clear = () => {};
  function named() {
    name.placeholder = kind.value ? defineWords.roleExample : defineWords.personExample;
  }
  /** @param {Event} event */
  async function start(event) {
    event.preventDefault();
    clear();
    if (!name.value.trim()) {
      clear = faultAt(name, defineWords.nameNeeded);
      return name.focus();
    }
    submit.disabled = true;
    await add(kind.value + name.value.trim(), /** @type {Share["may"]} */ (may.value));
    submit.disabled = false;
    name.value = "";
    name.focus();
  }
  named();
  return h("form", { class: "grant", novalidate: true, onsubmit: start }, kind, h("span", {}, name), may, submit);
}
