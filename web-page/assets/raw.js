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
