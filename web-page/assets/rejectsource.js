// The rejected records of a sheet with the keys and cells by which they are sent back, read page by page.

import { read } from "./api.js";

/** @typedef {import("../shapes").Reject} Reject */

const pageSize = 100;

/** How many records are corrected at a time: then these are sent. */
export const mostRejects = 10_000;

/** @param {Reject} reject */
export const idOf = (reject) => `${reject.row_no}.${reject.error_no}`;

export class RejectSource {
  /**
   * @param {string} path of the rejects, below /api
   * @param {AbortSignal} signal
   * @param {() => void} onRead is called when there are more
   */
  constructor(path, signal, onRead) {
    this.path = path;
    this.signal = signal;
    this.onRead = onRead;
    /** @type {Reject[]} */
    this.items = [];
    /** @type {string | null | undefined} undefined before the first page */
    this.next = undefined;
    /** @type {Promise<void> | undefined} */
    this.reading = undefined;
  }

  /** All records have been read, or as many as are corrected at a time. */
  get complete() {
    return this.next === null || this.items.length >= mostRejects;
  }

  /** Reads the next page. Callers at the same time wait for the same page. */
  more() {
    if (this.complete) return Promise.resolve();
    this.reading ??= this.readPage().finally(() => (this.reading = undefined));
    return this.reading;
  }

  async readPage() {
    const cursor = this.next ? "&cursor=" + encodeURIComponent(this.next) : "";
    const path = `${this.path}?layout=records&limit=${pageSize}${cursor}`;
    const page = /** @type {import("../shapes").List<Reject>} */ (await read(path, this.signal));
    this.next = page.next;
    this.items.push(...page.items.filter((reject) => reject.key));
    this.onRead();
  }

  /** Reads all. */
  async readAll() {
    while (!this.complete) await this.more();
  }

  /** @param {string[]} ids of records that are to be read, as far as they are there */
  async readThese(ids) {
    const missing = () => {
      const known = new Set(this.items.map(idOf));
      return ids.some((id) => !known.has(id));
    };
    while (!this.complete && missing()) await this.more();
  }
}
