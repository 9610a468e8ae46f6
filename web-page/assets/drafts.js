// What people have typed and not sent yet: a reload, a link or the back button does not lose it. It ends with the tab.

/**
 * @param {string} name
 * @returns {any} undefined if there is nothing
 */
export function draft(name) {
  try {
    return JSON.parse(sessionStorage.getItem("sheetdrop." + name) ?? "null") ?? undefined;
  } catch {
    return undefined; // it is not ours, or the browser keeps nothing
  }
}

/**
 * @param {string} name
 * @param {unknown} value undefined ends it
 * @returns {boolean} whether it will outlive a reload
 */
export function keepDraft(name, value) {
  try {
    if (value === undefined) sessionStorage.removeItem("sheetdrop." + name);
    else sessionStorage.setItem("sheetdrop." + name, JSON.stringify(value));
    return true;
  } catch {
    return false; // the browser keeps nothing, or not as much
  }
}
