// Files that people drop or choose, those of folders among them.

/** @typedef {{ file: File, name: string }} Chosen */

const clutter = /^(\.|~\$|Thumbs\.db$|desktop\.ini$)/i; // what systems and Excel put into folders

/**
 * @param {DataTransfer} dropped
 * @returns {Promise<Chosen[]>}
 */
export async function droppedFiles(dropped) {
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry?.()).filter((e) => e !== null && e !== undefined);
  if (entries.length === 0) return chosenFiles(dropped.files);
  const found = await Promise.all(entries.map((entry) => inEntry(entry, "", true)));
  return found.flat();
}

/**
 * @param {FileList} files
 * @returns {Chosen[]}
 */
export function chosenFiles(files) {
  return [...files]
    .map((file) => ({ file, name: file.webkitRelativePath || file.name }))
    .filter(({ file, name }) => name === file.name || !clutter.test(file.name));
}

/**
 * @param {FileSystemEntry} entry
 * @param {string} folder
 * @param {boolean} top dropped by itself, and so meant
 * @returns {Promise<Chosen[]>}
 */
async function inEntry(entry, folder, top) {
  if (entry.isFile) {
    if (!top && clutter.test(entry.name)) return [];
    const file = await new Promise((resolve, reject) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject));
    return [{ file, name: folder + entry.name }];
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  const found = [];
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject)); // at most 100
    if (some.length === 0) return found;
    for (const inner of some) found.push(...(await inEntry(inner, folder + entry.name + "/", false)));
  }
}
