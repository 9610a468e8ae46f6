// The tables that files go into, as the API lists them.

import { read } from "./api.js";
import { words } from "./words.js";
import { tableWords } from "./words_tables.js";

/** @typedef {import("../shapes").Target} Target */

/** @param {Target} target */
export const mayLoad = (target) => isOwn(target) || target.may.includes("load");

/** @param {Target} target */
export const isOwn = (target) => target.may.includes("own");

/** @param {Target} target */
export const tableName = (target) => `${target.table.schema}.${target.table.name}`;

/**
 * Lists all tables that the caller may see, page by page.
 *
 * @param {AbortSignal} signal
 */
export async function readTables(signal) {
  /** @type {Target[]} */
  const all = [];
  for (let cursor = ""; ;) {
    const page = /** @type {import("../shapes").List<Target>} */ (await read(`/targets?limit=1000${cursor}`, signal));
    all.push(...page.items);
    if (!page.next) return all;
    cursor = "&cursor=" + encodeURIComponent(page.next);
  }
}

/** @param {string} type */
export const typeName = (type) =>
  type === "instant" ? tableWords.instant : (words.type[/** @type {keyof typeof words.type} */ (type)] ?? type);

export const modes = /** @type {import("../shapes").Mode[]} */ (["insert", "upsert", "replace"]);

/**
 * What a mode does with a table that has a key, or has none.
 *
 * @param {import("../shapes").Mode} mode
 * @param {boolean} hasKey
 */
export function modeHint(mode, hasKey) {
  if (hasKey || mode === "replace") return tableWords.modeHint[mode];
  return mode === "insert" ? tableWords.insertAll : tableWords.noKey;
}
