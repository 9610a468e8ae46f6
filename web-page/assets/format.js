// Numbers, sizes and times in the way of the browser's language.

export const language =
  navigator.languages
    ?.find((l) => /^(en|ja)\b/i.test(l))
    ?.slice(0, 2)
    .toLowerCase() === "ja"
    ? "ja"
    : "en";

const whole = new Intl.NumberFormat(language);
const compact = new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 });
const tenth = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
const moment = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

const share = new Intl.NumberFormat(language, { style: "percent" });

/** @param {number} part of 1 */
export const percent = (part) => share.format(part);

/** @param {number} n */
export const count = (n) => whole.format(n);

/** @param {number} n */
export const about = (n) => (n < 100000 ? whole.format(n) : compact.format(n));

/** @param {number} bytes */
export function size(bytes) {
  const units = ["B", "kB", "MB", "GB"];
  let unit = 0;
  let n = bytes;
  while (n >= 1000 && unit < units.length - 1) {
    n /= 1000;
    unit++;
  }
  return `${unit === 0 ? whole.format(n) : tenth.format(n)}\u00a0${units[unit]}`;
}

/** @param {string} iso */
export const time = (iso) => moment.format(new Date(iso));

/** @param {string} iso */
export function ago(iso) {
  const seconds = (Date.parse(iso) - Date.now()) / 1000;
  /** @type {[number, Intl.RelativeTimeFormatUnit][]} */
  const steps = [
    [60, "second"],
    [60, "minute"],
    [24, "hour"],
    [30, "day"],
  ];
  let n = Math.min(seconds, 0);
  for (const [most, unit] of steps) {
    if (Math.abs(n) < most) return relative.format(Math.round(n), unit);
    n /= most;
  }
  return time(iso);
}

const [minutes, secs] = language === "ja" ? ["分", "秒"] : ["min", "s"];

/** @param {number} seconds */
export function duration(seconds) {
  const s = Math.max(1, Math.round(seconds));
  if (s < 60) return `${s} ${secs}`;
  return `${Math.floor(s / 60)} ${minutes} ${s % 60 ? `${s % 60} ${secs}` : ""}`.trim();
}

/**
 * Text for one line: control characters and marks that turn the direction of writing as visible pictures, and no more than is read.
 *
 * @param {string} text
 * @param {number} [most] characters
 */
export function oneLine(text, most = 300) {
  const cut = text.length > most ? text.slice(0, most) + "…" : text;
  return cut.replace(/[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, picture);
}

/** @param {string} c */
function picture(c) {
  const code = c.charCodeAt(0);
  if (c === "\n" || c === "\r") return c === "\n" ? "↵" : "";
  if (c === "\t") return "⇥";
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : "�";
}
