// What outlives a reload of the page: uploads that were not completed. Addresses of the store are secrets and not among it.

/** @typedef {{ id: string, name: string, size: number }} Remembered */

const key = "sheetdrop.uploads";
const most = 100;

/** @returns {Remembered[]} */
export function interruptedUploads() {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept.filter((u) => typeof u?.id === "string" && typeof u.name === "string") : [];
  } catch {
    return []; // it is not ours, or the browser keeps nothing
  }
}

/** @param {Remembered[]} uploads */
function keep(uploads) {
  try {
    localStorage.setItem(key, JSON.stringify(uploads.slice(-most)));
  } catch {
    // Without storage a reload forgets them; they expire.
  }
}

/** @param {Remembered} upload */
export function rememberUpload(upload) {
  keep([...interruptedUploads().filter((u) => u.id !== upload.id), upload]);
}

/** @param {string} id */
export function forgetUpload(id) {
  keep(interruptedUploads().filter((u) => u.id !== id));
}
