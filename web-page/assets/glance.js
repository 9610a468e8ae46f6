// What a column's values are like at a glance: a histogram, or the most frequent ones.

import { bars } from "./chart.js";
import { h } from "./element.js";
import { about, count, oneLine } from "./format.js";
import { profileWords } from "./words_profile.js";

/** @typedef {import("../shapes").Column} Column */
/** @typedef {import("./distribution.js").Distribution} Distribution */

const worthNaming = 0.05; // of the rows have a value, beside a histogram
const mostExact = 192; // different values; more are an estimate

/**
 * A column's head with one line more.
 *
 * @param {import("./grid.js").GridColumn} made
 * @param {Column} column
 * @param {Distribution | undefined} known
 * @returns {import("./grid.js").GridColumn}
 */
export function withGlance(made, column, known) {
  return { ...made, head: [...made.head, h("span", { class: "glance" }, glance(column, known))] };
}

/**
 * @param {Column} column
 * @param {Distribution | undefined} known
 */
function glance(column, known) {
  if (known?.histogram) return chart(column, known.histogram);
  const first = known?.top?.[0];
  if (known && first) return [h("bdi", {}, oneLine(first.value, 30)), ` ${share(first.count, known.rows)}`];
  if (column.distinct === 0) return "";
  return profileWords.different((column.distinct > mostExact ? "≈ " : "") + about(column.distinct));
}

/**
 * @param {Column} column
 * @param {import("./distribution.js").Histogram} histogram
 */
function chart(column, { counts, edges }) {
  const label = profileWords.histogram(oneLine(column.label || column.name, 60), edges[0], edges[edges.length - 1]);
  return bars(counts, label, (i) => profileWords.bin(edges[i], edges[i + 1], count(counts[i])));
}

/**
 * The same with more room, for the profile of a column.
 *
 * @param {Column} column
 * @param {Distribution} known
 */
export function distribution(column, known) {
  const top = known.histogram && known.top && known.top[0].count < known.rows * worthNaming ? undefined : known.top;
  if (!known.histogram && !top) return undefined;
  return [
    h("h3", {}, profileWords.inFirst(count(known.rows))),
    known.histogram && h("div", { class: "histogram" }, chart(column, known.histogram), edgesOf(known.histogram.edges)),
    top &&
      h(
        "ul",
        { class: "values frequent" },
        ...top.map((t) =>
          h("li", {}, h("bdi", {}, oneLine(t.value, 80)), h("small", {}, `${count(t.count)} (${share(t.count, known.rows)})`)),
        ),
      ),
  ];
}

/** @param {string[]} edges */
function edgesOf(edges) {
  return h("p", { class: "edges" }, h("bdi", {}, edges[0]), h("bdi", {}, edges[edges.length - 1]));
}

/**
 * @param {number} part
 * @param {number} of
 */
const share = (part, of) => `${Math.round((100 * part) / of)} %`;
