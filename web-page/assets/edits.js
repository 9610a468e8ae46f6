// What somebody has changed in the cells of rejected records and not sent yet, with the way back. It outlives a reload.

import { draft, keepDraft } from "./drafts.js";

/** @typedef {{ id: string, column: number, text: string, before: string | null }} Change of a cell; columns count from 0, null is unchanged */

export class Edits {
  /** @param {string} name of the draft */
  constructor(name) {
    this.name = name;
    /** @type {Change[][]} what was done at once is undone at once */
    this.steps = [];
    /** @type {Map<string, Map<number, string>>} texts by record and column */
    this.records = new Map();
    this.kept = true; // a reload does not lose it
    const steps = draft(name);
    if (Array.isArray(steps)) for (const step of steps.filter(Array.isArray)) this.play(step);
  }

  /**
   * @param {string} id of a record
   * @param {number} column
   */
  textOf(id, column) {
    return this.records.get(id)?.get(column);
  }

  get count() {
    return this.records.size;
  }

  /** @param {Omit<Change, "before">[]} changes made at once */
  apply(changes) {
    const step = changes.map((c) => ({ ...c, before: this.textOf(c.id, c.column) ?? null })).filter(({ text, before }) => text !== before);
    if (step.length === 0) return;
    this.play(step);
    this.keep();
  }

  /** @param {Change[]} step */
  play(step) {
    this.steps.push(step);
    for (const { id, column, text } of step) this.set(id, column, text);
  }

  /**
   * @param {string} id
   * @param {number} column
   * @param {string | null} text
   */
  set(id, column, text) {
    const cells = this.records.get(id) ?? new Map();
    if (text === null) cells.delete(column);
    else cells.set(column, text);
    if (cells.size === 0) this.records.delete(id);
    else this.records.set(id, cells);
  }

  /** @returns {Change | undefined} the first cell that is as it was before */
  undo() {
    const step = this.steps.pop();
    for (const { id, column, before } of [...(step ?? [])].reverse()) this.set(id, column, before);
    this.keep();
    return step?.[0];
  }

  /** @param {string[]} ids of records that were sent, and need no way back */
  forget(ids) {
    const gone = new Set(ids);
    this.steps = this.steps.map((step) => step.filter(({ id }) => !gone.has(id))).filter((step) => step.length > 0);
    for (const id of gone) this.records.delete(id);
    this.keep();
  }

  keep() {
    this.kept = keepDraft(this.name, this.steps.length > 0 ? this.steps : undefined);
  }
}
