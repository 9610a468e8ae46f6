// Search, and links to headings. Without this the documentation can be read as well.

/**
 * @typedef {{url: string, page: string, title: string, text: string}} Entry
 * A section of a page. What is compared is folded: lower case, and full width as half width.
 */

const most = 20; // results
const input = /** @type {HTMLInputElement} */ (document.getElementById("search"));
const list = /** @type {HTMLElement} */ (document.getElementById("found"));
const count = /** @type {HTMLElement} */ (document.getElementById("count"));

/** @param {string} text */
const fold = (text) => text.normalize("NFKC").toLowerCase();

/** @type {Promise<{entry: Entry, title: string, text: string}[]> | undefined} */
let loading;

/** The sections, asked for when somebody begins to search. */
function sections() {
  loading ??= fetch("/api/docs/index.json")
    .then((answer) => {
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.json();
    })
    .then((/** @type {Entry[]} */ entries) => entries.map((entry) => ({ entry, title: fold(entry.title), text: fold(entry.text) })))
    .catch((error) => {
      loading = undefined; // the next key tries again
      throw error;
    });
  return loading;
}

/**
 * The sections that have all words, those first whose titles have them.
 * @param {string[]} words
 */
async function search(words) {
  const scored = [];
  for (const { entry, title, text } of await sections()) {
    let score = 0;
    for (const word of words) {
      const inTitle = title === word ? 8 : title.startsWith(word) ? 4 : title.includes(word) ? 2 : 0;
      if (!inTitle && !text.includes(word)) {
        score = -1;
        break;
      }
      score += inTitle || 1;
    }
    if (score > 0) scored.push({ entry, score });
  }
  return scored.sort((a, b) => b.score - a.score).map((s) => s.entry);
}

/**
 * A text with its words marked, cut around the first of them.
 * @param {string} text
 * @param {string[]} words
 * @param {number} length
 */
function marked(text, words, length) {
  const folded = fold(text);
  const same = folded.length === text.length; // else positions do not fit, and nothing is marked
  const first = Math.max(
    0,
    Math.min(...words.map((w) => (folded.includes(w) ? folded.indexOf(w) : Infinity)).filter(Number.isFinite), text.length) - 40,
  );
  const start = text.length > length ? first : 0;
  const part = text.slice(start, start + length);
  /** @type {(Node | string)[]} */
  const out = start > 0 ? ["…"] : [];
  let at = 0;
  while (same && at < part.length) {
    const next = words
      .map((word) => ({ word, i: folded.slice(start, start + length).indexOf(word, at) }))
      .filter((hit) => hit.i >= 0)
      .sort((a, b) => a.i - b.i)[0];
    if (!next) break;
    const mark = document.createElement("mark");
    mark.textContent = part.slice(next.i, next.i + next.word.length);
    out.push(part.slice(at, next.i), mark);
    at = next.i + next.word.length;
  }
  out.push(part.slice(at));
  if (start + length < text.length) out.push("…");
  return out;
}

/**
 * @param {Entry} entry
 * @param {number} i
 * @param {string[]} words
 */
function option(entry, i, words) {
  const item = document.createElement("li");
  item.id = `found-${i}`;
  item.role = "option";
  item.dataset.url = entry.url;
  const title = document.createElement("b");
  const page = document.createElement("span");
  page.textContent = entry.page === entry.title ? "" : ` ${entry.page}`;
  title.append(...marked(entry.title, words, 120), page);
  const text = document.createElement("p");
  text.append(...marked(entry.text, words, 160));
  item.append(title, text);
  return item;
}

let asked = 0;

async function show() {
  const number = ++asked;
  const words = fold(input.value).split(/\s+/).filter(Boolean);
  if (words.length === 0) return close();
  let found;
  try {
    found = await search(words);
  } catch {
    if (number === asked) count.textContent = "The search cannot be loaded.";
    return;
  }
  if (number !== asked) return; // there is more to ask for by now
  list.replaceChildren(...found.slice(0, most).map((entry, i) => option(entry, i, words)));
  if (found.length === 0) {
    const none = document.createElement("li");
    none.textContent = "Nothing was found.";
    none.className = "quiet";
    list.append(none);
  }
  list.hidden = false;
  input.setAttribute("aria-expanded", "true");
  count.textContent = found.length === 0 ? "Nothing was found." : `${Math.min(found.length, most)} of ${found.length} results`;
  select(0);
}

function close() {
  list.hidden = true;
  list.replaceChildren();
  count.textContent = "";
  input.setAttribute("aria-expanded", "false");
  input.removeAttribute("aria-activedescendant");
}

const selected = () => list.querySelector('[aria-selected="true"]');

/** @param {number} i */
function select(i) {
  const all = list.querySelectorAll('[role="option"]');
  selected()?.removeAttribute("aria-selected");
  const item = all[(i + all.length) % all.length];
  if (!item) return input.removeAttribute("aria-activedescendant");
  item.setAttribute("aria-selected", "true");
  item.scrollIntoView({ block: "nearest" });
  input.setAttribute("aria-activedescendant", item.id);
}

/** @param {Element | null} item */
function open(item) {
  const url = item instanceof HTMLElement ? item.dataset.url : undefined;
  if (!url) return;
  close();
  input.value = "";
  input.blur();
  location.assign(url);
}

input.addEventListener("input", show);
input.addEventListener("focus", () => sections().catch(() => {})); // what failed is said when something is searched for
input.addEventListener("keydown", (event) => {
  const at = [...list.querySelectorAll('[role="option"]')].indexOf(/** @type {Element} */ (selected()));
  if (event.isComposing) return;
  if (event.key === "ArrowDown") select(at + 1);
  else if (event.key === "ArrowUp") select(at - 1);
  else if (event.key === "Enter") open(selected());
  else if (event.key === "Escape") close();
  else return;
  event.preventDefault();
});
list.addEventListener("mousedown", (event) => {
  event.preventDefault(); // the field keeps the focus
  open(/** @type {Element} */ (event.target).closest('[role="option"]'));
});
input.addEventListener("blur", close);
document.addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey;
  if (event.key !== "/" || typing) return;
  event.preventDefault();
  input.focus();
});

/** @type {HTMLElement} */ (input.parentElement).hidden = false;
for (const heading of document.querySelectorAll("main :is(h2, h3)[id]")) {
  const link = document.createElement("a");
  link.className = "anchor";
  link.href = `#${heading.id}`;
  link.textContent = "#";
  link.ariaLabel = `Link to ${heading.textContent}`;
  heading.append(link);
}
const contents = document.querySelector("nav details");
if (contents && matchMedia("(max-width: 800px)").matches) contents.removeAttribute("open");
