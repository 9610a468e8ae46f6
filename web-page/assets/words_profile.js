// Sentences about the values of a column.

import { language } from "./format.js";

const english = {
  /** @param {string} n */
  inFirst: (n) => `In the first ${n} rows`,
  /** @param {string} column @param {string} least @param {string} greatest */
  histogram: (column, least, greatest) => `How often values of ${column} occur, from ${least} to ${greatest}`,
  /** @param {string} n */
  different: (n) => `${n} values`,
  /** @param {string} from @param {string} to @param {string} n */
  bin: (from, to, n) => `${from} to ${to}: ${n}`,
};

/** @type {typeof english} */
const japanese = {
  inFirst: (n) => `先頭の ${n} 行`,
  histogram: (column, least, greatest) => `${column} の値の分布(${least} から ${greatest})`,
  different: (n) => `${n} 種類`,
  bin: (from, to, n) => `${from} ～ ${to}: ${n} 件`,
};

export const profileWords = language === "ja" ? japanese : english;
