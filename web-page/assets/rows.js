// The rows of a sheet by their numbers, a block at a time, from any place of it.

import { isAbort, read } from "./api.js";

/** @typedef {import("../shapes").Cell} Cell */
/** @typedef {import("../shapes").Row} Row */
/** @typedef {import("../shapes").Rows} Rows */
/** @typedef {import("../shapes").Sheet} Sheet */

const blockBytes = 8e6;
const mostBlocks = 60;
const still = 50; // milliseconds after which rows that rush past are fetched

export class RowSource {
  /**
   * @param {string} task id
   * @param {Sheet} sheet
   * @param {"typed" | "raw"} values
   * @param {() => void} onChange is called when rows have come
   * @param {(error: unknown) => void} onError
   */
  constructor(task, sheet, values, onChange, onError) {
    this.path = `/tasks/${task}/sheets/${sheet.number}/rows?shape=numbered&values=${values}`;
    this.onChange = onChange;
    this.onError = onError;
    const longest = sheet.columns.reduce((sum, column) => sum + column.longest, 1);
    this.block = Math.max(10, Math.min(200, Math.floor(blockBytes / longest))); // row numbers
    /** @type {Map<number, Map<number, Row> | "coming">} in the order of their last use */
    this.blocks = new Map();
    this.stop = new AbortController();
    /** @type {number[]} the blocks that are wanted now */
    this.wanted = [];
    this.reading = 0;
    this.seen = NaN; // the block that was seen first
    this.later = 0;
  }

  /**
   * The numbers of the first and the last record that can be shown; none if there is no row. The first rows come along: usually they are seen.
   *
   * @returns {Promise<{ first: number, last: number } | undefined>}
   */
  async extent() {
    const page = /** @type {Rows} */ (await read(`${this.path}&limit=${this.block}`, this.stop.signal));
    if (page.rows.length === 0) return undefined;
    const first = page.rows[0].row_no;
    const b = Math.floor((first - 1) / this.block);
    this.blocks.set(b, this.blockOf(b, page)); // which has no more rows than were asked for, from its first one on
    return { first, last: page.last_row_no ?? first };
  }

  /**
   * @param {number} number of a row
   * @returns {Row | "coming" | "gap"}
   */
  at(number) {
    const block = this.blocks.get(Math.floor((number - 1) / this.block));
    if (!(block instanceof Map)) return "coming";
    return block.get(number) ?? "gap";
  }

  /**
   * Says which rows are seen; those that are not there are fetched, and what was wanted before no longer is.
   *
   * @param {number} from
   * @param {number} to
   */
  want(from, to) {
    const first = Math.floor((from - 1) / this.block);
    const last = Math.floor((to - 1) / this.block);
    const isFar = Math.abs(first - this.seen) > 1;
    this.seen = first;
    this.wanted = [];
    for (let b = first; b <= last; b++) {
      const known = this.blocks.get(b);
      if (known instanceof Map) {
        this.blocks.delete(b); // to the end: used last
        this.blocks.set(b, known);
      } else if (!known) this.wanted.push(b);
    }
    clearTimeout(this.later);
    if (isFar) this.later = window.setTimeout(() => this.readNext(), still);
    else this.readNext();
  }

  async readNext() {
    if (this.reading >= 2) return;
    const b = this.wanted.shift();
    if (b === undefined) return;
    this.reading++;
    this.blocks.set(b, "coming");
    try {
      this.blocks.set(b, await this.readBlock(b));
      this.forget();
      this.onChange();
    } catch (error) {
      this.blocks.delete(b);
      if (!isAbort(error)) this.onError(error);
    }
    this.reading--;
    this.readNext();
  }

  /** @param {number} b */
  async readBlock(b) {
    const page = /** @type {Rows} */ (await read(`${this.path}&after=${b * this.block}&limit=${this.block}`, this.stop.signal));
    return this.blockOf(b, page);
  }

  /**
   * @param {number} b
   * @param {Rows} page
   */
  blockOf(b, page) {
    return new Map(page.rows.filter((row) => row.row_no <= (b + 1) * this.block).map((row) => [row.row_no, row]));
  }

  forget() {
    for (const [b, block] of this.blocks) {
      if (this.blocks.size <= mostBlocks) return;
      if (block instanceof Map) this.blocks.delete(b);
    }
  }

  /**
   * All rows of a range, which is read anew.
   *
   * @param {number} from
   * @param {number} to
   * @returns {Promise<Row[]>}
   */
  async range(from, to) {
    const rows = [];
    for (let after = from - 1; after < to;) {
      const page = /** @type {Rows} */ (await read(`${this.path}&after=${after}&limit=${Math.min(5000, to - after)}`, this.stop.signal));
      rows.push(...page.rows.filter((row) => row.row_no <= to));
      if (!page.next || page.rows.length === 0) break;
      after = page.rows[page.rows.length - 1].row_no;
    }
    return rows;
  }

  close() {
    clearTimeout(this.later);
    this.stop.abort();
  }
}
