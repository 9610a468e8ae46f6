// How the values of a column are distributed, by a sample of its rows.

import { read } from "./api.js";

/** @typedef {import("../shapes").Cell} Cell */
/** @typedef {import("../shapes").Column} Column */
/** @typedef {import("../shapes").Sheet} Sheet */
/** @typedef {{ counts: number[], edges: string[] }} Histogram a count for each pair of neighbouring edges */
/** @typedef {{ rows: number, histogram?: Histogram, top?: { value: string, count: number }[] }} Distribution */

const mostRows = 1000;
const mostCells = 60_000;
const mostBytes = 2e6;
const mostColumns = 300; // of a sheet that is sampled
const bins = 14;
const topValues = 5;

/**
 * The first rows of a sheet; none of one that is very wide.
 *
 * @param {string} task id
 * @param {Sheet} sheet
 * @param {AbortSignal} signal
 * @returns {Promise<Cell[][]>}
 */
export async function sampleOf(task, sheet, signal) {
  const { columns } = sheet;
  if (columns.length === 0 || columns.length > mostColumns) return [];
  const longest = columns.reduce((sum, column) => sum + column.longest, 1);
  const limit = Math.max(1, Math.floor(Math.min(mostRows, mostCells / columns.length, mostBytes / longest)));
  return (await read(`/tasks/${task}/sheets/${sheet.number}/rows?values=typed&limit=${limit}`, signal)).rows;
}

/**
 * @param {Column} column
 * @param {Cell[]} cells
 * @returns {Distribution}
 */
export function distributionOf(column, cells) {
  const values = cells.filter((cell) => cell !== null && cell !== undefined && cell !== "");
  return { rows: cells.length, histogram: histogramOf(column, values), top: topOf(values) };
}

/**
 * @param {Column} column
 * @param {Cell[]} values
 * @returns {Histogram | undefined} none of texts, and of a few different values
 */
function histogramOf(column, values) {
  const day = column.type === "date" || column.type === "timestamp";
  if (!day && column.type !== "integer" && column.type !== "decimal") return undefined;
  const numbers = values
    .map((value) => (day ? Date.parse(value + (column.type === "date" ? "" : "Z")) : Number(value)))
    .filter(Number.isFinite);
  const least = Math.min(...numbers);
  const greatest = Math.max(...numbers);
  if (new Set(numbers).size < bins / 2 || !(greatest > least)) return undefined;
  const counts = new Array(bins).fill(0);
  for (const n of numbers) counts[Math.min(bins - 1, Math.floor(((n - least) / (greatest - least)) * bins))]++;
  const edges = Array.from({ length: bins + 1 }, (_, i) => edge(least + ((greatest - least) * i) / bins, day));
  return { counts, edges };
}

/**
 * @param {number} at
 * @param {boolean} day
 */
const edge = (at, day) => (day ? new Date(at).toISOString().slice(0, 10) : String(Number(at.toPrecision(4))));

/**
 * The most frequent values; none if each occurs once.
 *
 * @param {Cell[]} values
 */
function topOf(values) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const value of values) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
  const top = [...counts].sort((a, b) => b[1] - a[1]).slice(0, topValues);
  return top.length > 0 && top[0][1] > 1 ? top.map(([value, count]) => ({ value, count })) : undefined;
}
