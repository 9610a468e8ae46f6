// The bytes of a rejected record as text, cut into its cells.

/**
 * Decodes base64 bytes by the encoding that is known, or by the first one that they are valid in.
 *
 * @param {string} base64
 * @param {unknown} known
 */
export function decodeRaw(base64, known) {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const labels = typeof known === "string" ? [known === "cp932" ? "shift_jis" : known] : ["utf-8", "shift_jis", "euc-jp"];
  for (const label of labels) {
    try {
      return new TextDecoder(label, { fatal: true }).decode(bytes);
    } catch {
      // not this one
    }
  }
  return new TextDecoder().decode(bytes);
}

/**
 * Cuts a record at its delimiters; delimiters are pieces of column 0.
 *
 * @param {string} text
 * @param {Record<string, unknown>} dialect
 * @returns {{ text: string, column: number }[]}
 */
export function splitRaw(text, dialect) {
  const delimiter = typeof dialect.delimiter === "string" ? dialect.delimiter : "\t"; // workbooks have tabs
  const quote = typeof dialect.quote === "string" ? dialect.quote : "";
  const record = text.replace(/[\r\n]+$/, "");
  const pieces = [];
  let column = 1;
  let begin = 0;
  let quoted = false;
  for (let i = 0; i < record.length; i++) {
    if (quote && record[i] === quote) quoted = quoted ? false : i === begin || record[i - 1] === quote;
    if (quoted || !record.startsWith(delimiter, i)) continue;
    pieces.push({ text: record.slice(begin, i), column }, { text: delimiter, column: 0 });
    column++;
    i += delimiter.length - 1;
    begin = i + 1;
  }
  pieces.push({ text: record.slice(begin), column });
  return pieces;
}

/**
 * The cells of a rejected record as they were told apart or, where they could not be, as its text is cut at delimiters.
 *
 * @param {import("../shapes").Reject} reject
 * @param {import("../shapes").Task} task
 * @param {import("../shapes").Sheet} sheet
 * @returns {(string | null)[]}
 */
export function cellsOf(reject, task, sheet) {
  if (!reject.cells && reject.raw !== null) {
    const text = decodeRaw(reject.raw, task.options?.encoding ?? sheet.dialect.encoding);
    reject.cells = splitRaw(text, sheet.dialect).flatMap((piece) => (piece.column > 0 ? [piece.text] : []));
  }
  return reject.cells ?? [];
}

/**
 * Reports whether one of the errors is about a column, from 1.
 *
 * @param {import("../shapes").Reject} reject
 * @param {number} column
 */
export function isMarked(reject, column) {
  return reject.errors.some((e) => e.column_no !== null && column >= e.column_no && column <= (e.last_column_no ?? e.column_no));
}
