// A table of any height and width, of which only what is seen is in the document. Rows are addressed by numbers from first to last.

import { h } from "./element.js";
import { oneLine } from "./format.js";

/** @typedef {{ label: string, width: number, numeric: boolean, head: Node[] }} GridColumn */
/** @typedef {{ row: number, column: number }} Spot the row before the first one is the header */

const rowHeight = 28;
const usualHead = 52;
const mostHeight = 6_000_000; // pixels; browsers end somewhere above 16 million

export class Grid {
  /**
   * @param {object} o
   * @param {string} o.label
   * @param {string} o.rowLabel
   * @param {number} o.first
   * @param {number} o.last
   * @param {(row: number, column: number) => { text: string, kind: string }} o.cell what a cell shows
   * @param {(row: number) => { text: string, kind: string, href?: string } | undefined} o.whole what a row without cells shows
   * @param {(from: number, to: number) => void} o.onSeen
   * @param {(spot: Spot) => void} o.onActive
   * @param {(spot: Spot) => void} o.onOpen Enter or a double click
   * @param {(from: Spot, to: Spot) => void} o.onCopy
   * @param {number} [o.headHeight] in pixels
   * @param {(row: number) => string | number} [o.nameOf] what stands in front of a row, if it is not its number
   */
  constructor(o) {
    this.o = o;
    /** @type {GridColumn[]} */
    this.columns = [];
    /** @type {number[]} where each column begins, in pixels */
    this.lefts = [];
    this.width = 0; // of all columns
    this.headHeight = o.headHeight ?? usualHead;
    this.top = 0; // rows above what is seen, with a fraction
    this.expected = 0; // the scrollTop that top stands for
    /** @type {Spot} */
    this.active = { row: o.first, column: 0 };
    /** @type {Spot} */
    this.anchor = this.active;
    this.version = 0; // of what cells show
    /** @type {Map<number, { element: HTMLElement, key: string }>} by row number */
    this.drawn = new Map();
    this.frame = 0;
    this.headWidth = Math.max(50, 24 + 8 * String(this.nameOf(o.last)).length);

    this.sizer = h("div", { class: "sizer", role: "presentation" });
    this.header = h("div", { class: "grid-row head", role: "row", "aria-rowindex": 1 });
    this.body = h("div", { class: "grid-body", role: "rowgroup" });
    this.pane = h("div", { class: "pane", role: "presentation" }, h("div", { role: "rowgroup" }, this.header), this.body);
    this.element = h(
      "div",
      { class: "grid", role: "grid", tabindex: "0", "aria-label": o.label, "aria-multiselectable": "true" },
      this.sizer,
      this.pane,
    );
    this.element.style.setProperty("--head", `${this.headHeight}px`);
    this.element.setAttribute("aria-rowcount", String(o.last - o.first + 2));
    this.element.addEventListener("scroll", () => this.onScroll());
    this.element.addEventListener("wheel", (e) => this.onWheel(e), { passive: false });
    this.element.addEventListener("keydown", (e) => this.onKey(e));
    this.element.addEventListener("pointerdown", (e) => this.onPointer(e));
    this.element.addEventListener("dblclick", () => o.onOpen(this.active));
    this.element.addEventListener("focus", () => this.redraw());
    this.sized = new ResizeObserver(() => this.redraw());
    this.sized.observe(this.element);
  }

  /** @param {number} row */
  nameOf(row) {
    return this.o.nameOf?.(row) ?? row;
  }

  close() {
    this.sized.disconnect();
    cancelAnimationFrame(this.frame);
  }

  /** @param {GridColumn[]} columns */
  setColumns(columns) {
    this.columns = columns;
    let x = 0;
    this.lefts = columns.map((column) => (x += column.width) - column.width);
    this.width = x;
    // Before anything scrolls: a place beyond the height would be cut to it.
    this.sizer.style.height = `${Math.min(this.rows * rowHeight, mostHeight) + this.headHeight}px`;
    this.sizer.style.width = `${this.headWidth + this.width}px`;
    this.element.setAttribute("aria-colcount", String(columns.length + 1));
    this.active = { ...this.active, column: Math.min(this.active.column, Math.max(0, columns.length - 1)) };
    this.anchor = this.active;
    this.changed();
  }

  /**
   * There are more rows, or fewer, than was said.
   *
   * @param {number} last
   */
  setLast(last) {
    this.o.last = last;
    this.element.setAttribute("aria-rowcount", String(last - this.o.first + 2));
    this.setColumns(this.columns);
  }

  /** What cells show has changed. */
  changed() {
    this.version++;
    this.redraw();
  }

  redraw() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  get rows() {
    return this.o.last - this.o.first + 1;
  }

  get viewport() {
    return Math.max(0, this.element.clientHeight - this.headHeight);
  }

  /** Rows that can be above what is seen. */
  get mostTop() {
    return Math.max(0, this.rows - this.viewport / rowHeight);
  }

  get scaled() {
    return this.rows * rowHeight > mostHeight;
  }

  onScroll() {
    const { scrollTop, scrollHeight, clientHeight } = this.element;
    const delta = scrollTop - this.expected;
    if (Math.abs(delta) >= 1) {
      const most = scrollHeight - clientHeight;
      if (!this.scaled) this.top = scrollTop / rowHeight;
      else if (scrollTop <= 0) this.top = 0;
      else if (scrollTop >= most - 1) this.top = this.mostTop;
      else if (Math.abs(delta) < 2 * clientHeight)
        this.top += delta / rowHeight; // a finger, a key: as far as it moved
      else this.top = (scrollTop / most) * this.mostTop; // the scroll bar
      this.top = Math.max(0, Math.min(this.top, this.mostTop));
      this.expected = scrollTop;
    }
    this.redraw();
  }

  /** @param {WheelEvent} event */
  onWheel(event) {
    if (!this.scaled || event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * rowHeight : event.deltaY;
    const before = this.top;
    this.scrollTo(this.top + pixels / rowHeight);
    if (this.top !== before) event.preventDefault();
  }

  /** @param {number} top */
  scrollTo(top) {
    this.top = Math.max(0, Math.min(top, this.mostTop));
    const most = this.element.scrollHeight - this.element.clientHeight;
    this.element.scrollTop = this.scaled ? (this.top / (this.mostTop || 1)) * most : this.top * rowHeight;
    this.expected = this.element.scrollTop;
    this.redraw();
  }

  draw() {
    const { clientWidth, clientHeight, scrollLeft } = this.element;
    if (clientHeight === 0 || this.columns.length === 0) return;
    this.pane.style.width = `${clientWidth}px`;
    this.pane.style.height = `${clientHeight}px`;
    const [from, to] = this.seenColumns(scrollLeft, clientWidth - this.headWidth);
    this.drawHead(from, to, scrollLeft);
    const top = Math.max(0, Math.min(this.top, this.mostTop));
    const firstRow = this.o.first + Math.floor(top);
    const lastRow = Math.min(this.o.last, firstRow + Math.ceil(this.viewport / rowHeight) + 1);
    this.o.onSeen(firstRow, lastRow);
    for (const [row, { element }] of this.drawn) {
      if (row >= firstRow && row <= lastRow) continue;
      element.remove();
      this.drawn.delete(row);
    }
    for (let row = firstRow; row <= lastRow; row++) this.drawRow(row, from, to, scrollLeft, (row - this.o.first - top) * rowHeight);
    this.element.setAttribute("aria-activedescendant", this.idOf(this.active));
  }

  /**
   * @param {number} scrollLeft
   * @param {number} width
   * @returns {[number, number]} the first column that is seen, and the one behind the last
   */
  seenColumns(scrollLeft, width) {
    const { lefts } = this;
    let low = 0;
    let high = lefts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lefts[middle] + this.columns[middle].width <= scrollLeft) low = middle + 1;
      else high = middle;
    }
    let end = low;
    while (end < lefts.length && lefts[end] < scrollLeft + width) end++;
    return [low, end];
  }

  /** @param {Spot} spot */
  idOf(spot) {
    return `cell-${spot.row < this.o.first ? "head" : spot.row}-${spot.column}`;
  }

  /**
   * @param {number} from
   * @param {number} to
   * @param {number} scrollLeft
   */
  drawHead(from, to, scrollLeft) {
    const inHead = this.active.row < this.o.first;
    const key = [from, to, this.version, inHead && this.active.column].join();
    if (this.header.dataset.key !== key) {
      this.header.dataset.key = key;
      const corner = h("div", { class: "row-no", role: "columnheader", "aria-colindex": 1 }, this.o.rowLabel);
      corner.style.width = `${this.headWidth}px`;
      const cells = this.place(from, to, (c) => {
        const column = this.columns[c];
        const active = inHead && c === this.active.column;
        return h(
          "div",
          {
            class: `cell${active ? " active" : ""}${column.numeric ? " number" : ""}`,
            role: "columnheader",
            id: `cell-head-${c}`,
            "aria-colindex": c + 2,
            "data-column": c,
            title: column.label,
          },
          ...column.head,
        );
      });
      this.header.replaceChildren(corner, cells);
    }
    const cells = /** @type {HTMLElement} */ (this.header.lastElementChild);
    cells.style.transform = `translateX(${this.headWidth - scrollLeft}px)`;
  }

  /**
   * @param {number} from
   * @param {number} to
   * @param {(column: number) => HTMLElement} make
   */
  place(from, to, make) {
    const cells = h("div", { class: "cells", role: "presentation" });
    for (let c = from; c < to; c++) {
      const cell = make(c);
      cell.style.left = `${this.lefts[c]}px`;
      cell.style.width = `${this.columns[c].width}px`;
      cells.append(cell);
    }
    return cells;
  }

  /**
   * @param {number} row
   * @param {number} from
   * @param {number} to
   * @param {number} scrollLeft
   * @param {number} y
   */
  drawRow(row, from, to, scrollLeft, y) {
    const range = this.selected();
    const marked = row >= range.from.row && row <= range.to.row ? `${range.from.column}-${range.to.column}` : "";
    const key = [from, to, this.version, marked, row === this.active.row && this.active.column].join();
    let known = this.drawn.get(row);
    if (!known || known.key !== key) {
      const element = this.makeRow(row, from, to, marked !== "" ? range : undefined);
      if (known) known.element.replaceWith(element);
      else this.body.append(element);
      known = { element, key };
      this.drawn.set(row, known);
    }
    known.element.style.transform = `translateY(${y}px)`;
    const cells = /** @type {HTMLElement} */ (known.element.lastElementChild);
    if (cells.classList.contains("cells")) cells.style.transform = `translateX(${this.headWidth - scrollLeft}px)`;
    else cells.style.left = `${this.headWidth}px`;
  }

  /**
   * @param {number} row
   * @param {number} from
   * @param {number} to
   * @param {{ from: Spot, to: Spot } | undefined} range
   */
  makeRow(row, from, to, range) {
    const number = h("div", { class: "row-no", role: "rowheader", "aria-colindex": 1 }, this.nameOf(row));
    number.style.width = `${this.headWidth}px`;
    const whole = this.o.whole(row);
    const attributes = { class: `grid-row${whole ? " " + whole.kind : ""}`, role: "row", "aria-rowindex": row - this.o.first + 2 };
    if (whole) {
      const text = whole.href ? h("a", { href: whole.href, tabindex: "-1" }, whole.text) : whole.text;
      const active = row === this.active.row;
      const id = active ? this.idOf(this.active) : undefined;
      return h(
        "div",
        attributes,
        number,
        h(
          "div",
          {
            class: `whole${active ? " active" : ""}`,
            role: "gridcell",
            "aria-colindex": 2,
            id,
            "data-row": row,
            "data-column": this.active.column,
          },
          text,
        ),
      );
    }
    const cells = this.place(from, to, (c) => {
      const { text, kind } = this.o.cell(row, c);
      const within = range && c >= range.from.column && c <= range.to.column;
      const active = row === this.active.row && c === this.active.column;
      const classes = ["cell", kind, this.columns[c].numeric && "number", within && "selected", active && "active"]
        .filter(Boolean)
        .join(" ");
      return h(
        "div",
        {
          class: classes,
          role: "gridcell",
          id: `cell-${row}-${c}`,
          "aria-colindex": c + 2,
          "aria-selected": Boolean(within),
          "aria-invalid": kind === "wrong" && "true",
          "data-row": row,
          "data-column": c,
        },
        oneLine(text, 200),
      );
    });
    return h("div", attributes, number, cells);
  }

  selected() {
    const { anchor: a, active: b } = this;
    return {
      from: { row: Math.min(a.row, b.row), column: Math.min(a.column, b.column) },
      to: { row: Math.max(a.row, b.row), column: Math.max(a.column, b.column) },
    };
  }

  /**
   * @param {Spot} spot
   * @param {boolean} [extend] the selection
   */
  select(spot, extend = false) {
    const row = Math.max(extend ? this.o.first : this.o.first - 1, Math.min(spot.row, this.o.last));
    const column = Math.max(0, Math.min(spot.column, this.columns.length - 1));
    this.active = { row, column };
    if (!extend) this.anchor = this.active;
    this.reveal();
    this.o.onActive(this.active);
    this.redraw();
  }

  reveal() {
    const index = this.active.row - this.o.first;
    const seen = this.viewport / rowHeight;
    if (index >= 0 && index < this.top) this.scrollTo(index);
    else if (index > this.top + seen - 1) this.scrollTo(index - seen + 1.2);
    const left = this.lefts[this.active.column] ?? 0;
    const width = this.columns[this.active.column]?.width ?? 0;
    const room = this.element.clientWidth - this.headWidth;
    if (left < this.element.scrollLeft) this.element.scrollLeft = left;
    else if (left + width > this.element.scrollLeft + room) this.element.scrollLeft = Math.min(left, left + width - room);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const ctrl = event.ctrlKey || event.metaKey;
    const page = Math.max(1, Math.floor(this.viewport / rowHeight) - 1);
    const { row, column } = this.active;
    /** @type {Record<string, () => Spot>} */
    const moves = {
      ArrowUp: () => ({ row: ctrl ? this.o.first : row - 1, column }),
      ArrowDown: () => ({ row: ctrl ? this.o.last : row + 1, column }),
      ArrowLeft: () => ({ row, column: ctrl ? 0 : column - 1 }),
      ArrowRight: () => ({ row, column: ctrl ? this.columns.length - 1 : column + 1 }),
      PageUp: () => ({ row: Math.max(this.o.first, row - page), column }),
      PageDown: () => ({ row: row + page, column }),
      Home: () => ({ row: ctrl ? this.o.first : row, column: 0 }),
      End: () => ({ row: ctrl ? this.o.last : row, column: this.columns.length - 1 }),
    };
    const move = moves[event.key];
    if (move) this.select(move(), event.shiftKey);
    else if (ctrl && event.key.toLowerCase() === "c" && !String(getSelection())) {
      const { from, to } = this.selected();
      this.o.onCopy(from, to);
    } else if (event.key === "Enter") this.o.onOpen(this.active);
    else if (event.key === "Escape" && this.anchor !== this.active) this.select(this.active);
    else return;
    event.preventDefault();
  }

  /** @param {PointerEvent} event */
  onPointer(event) {
    const at = this.spotOf(event.target);
    if (!at || event.button !== 0) return;
    this.select(at, event.shiftKey);
    if (at.row < this.o.first) return this.o.onOpen(at);
    if (event.pointerType !== "mouse") return;
    const extend = (/** @type {PointerEvent} */ e) => {
      const to = this.spotOf(e.target);
      if (to && to.row >= this.o.first) this.select(to, true);
    };
    addEventListener("pointermove", extend);
    addEventListener("pointerup", () => removeEventListener("pointermove", extend), { once: true });
  }

  /**
   * @param {EventTarget | null} target
   * @returns {Spot | undefined}
   */
  spotOf(target) {
    const cell = target instanceof Element ? target.closest("[data-column]") : null;
    if (!(cell instanceof HTMLElement) || !this.element.contains(cell)) return undefined;
    return { row: cell.dataset.row ? Number(cell.dataset.row) : this.o.first - 1, column: Number(cell.dataset.column) };
  }
}
