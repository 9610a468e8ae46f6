// A drop zone for pages of other origins: <sheetdrop-upload token="sdu_…">. docs/embedding.md describes it. It is a classic script without
// dependencies, makes nodes and never HTML, and has its style in a shadow tree: a strict Content-Security-Policy has nothing to stop.
(() => {
  "use strict";
  if (customElements.get("sheetdrop-upload")) return;

  const script = /** @type {HTMLScriptElement | null} */ (document.currentScript);
  const home = new URL(script?.src || location.href).origin;
  const smallBytes = 4 << 20; // a larger file goes straight to the store, in blocks
  const blocksAtOnce = 3;
  const tries = 8;
  const rejectsShown = 5;
  const faultsOfFile = ["empty_file", "too_large"]; // for which the same file is refused again

  const words = {
    en: {
      drop: "Drop CSV or Excel files here",
      choose: "Choose files",
      files: "Files",
      waiting: "Waiting",
      sending: (/** @type {number} */ percent) => `Uploading, ${percent} %`,
      paused: "The connection is interrupted. Trying again …",
      reading: "Reading the file …",
      rows: (/** @type {number} */ n) => (n === 1 ? "1 row loaded" : `${n.toLocaleString("en")} rows loaded`),
      rejected: (/** @type {number} */ n) => (n === 1 ? "1 record rejected" : `${n.toLocaleString("en")} records rejected`),
      more: (/** @type {number} */ n) => `… and ${n.toLocaleString("en")} more`,
      line: (/** @type {number} */ n) => `line ${n}`,
      row: (/** @type {number} */ n) => `row ${n}`,
      failed: "The file could not be read.",
      cancelled: "Reading was cancelled.",
      token: "This page may not upload any more. Reload it, and try again.",
      broken: "The upload did not succeed. Try again later.",
      another: "Choose another file.",
      again: "Try again",
      cancel: "Cancel",
      of: (/** @type {string} */ what, /** @type {string} */ name) => `${what}: ${name}`,
    },
    ja: {
      drop: "CSV・Excelファイルをここにドロップ",
      choose: "ファイルを選択",
      files: "ファイル",
      waiting: "待機中",
      sending: (/** @type {number} */ percent) => `アップロード中 ${percent}%`,
      paused: "接続が切れました。再試行しています…",
      reading: "読み取り中…",
      rows: (/** @type {number} */ n) => `${n.toLocaleString("ja")}行を取り込みました`,
      rejected: (/** @type {number} */ n) => `${n.toLocaleString("ja")}件は取り込めませんでした`,
      more: (/** @type {number} */ n) => `…ほか${n.toLocaleString("ja")}件`,
      line: (/** @type {number} */ n) => `${n}行目`,
      row: (/** @type {number} */ n) => `${n}行目`,
      failed: "ファイルを取り込めませんでした。",
      cancelled: "取り込みはキャンセルされました。",
      token: "このページからはアップロードできなくなりました。再読み込みしてからやり直してください。",
      broken: "アップロードできませんでした。後でもう一度お試しください。",
      another: "別のファイルを選んでください。",
      again: "もう一度",
      cancel: "キャンセル",
      of: (/** @type {string} */ what, /** @type {string} */ name) => `${what}：${name}`,
    },
  };

  const style = `
    :host { display: block; color-scheme: inherit; font: inherit; --sheetdrop-accent: light-dark(#0f6b64, #5cc8bd); --sheetdrop-line: light-dark(#8b8f8c, #71787b);
      --sheetdrop-text: light-dark(#1d1f1e, #e8eae9); --sheetdrop-quiet: light-dark(#5d625f, #a2a9a7); --sheetdrop-bad: light-dark(#b3261e, #ff9a91);
      --sheetdrop-panel: light-dark(#ffffff, #1b1d1e); color: var(--sheetdrop-text); background: var(--sheetdrop-panel); border-radius: 10px; }
    :host([hidden]) { display: none; }
    .zone { display: flex; flex-wrap: wrap; gap: 12px; align-items: center; justify-content: center; padding: 24px; text-align: center;
      border: 2px dashed var(--sheetdrop-line); border-radius: 10px; }
    .zone.over { border-color: var(--sheetdrop-accent); border-style: solid; }
    button { font: inherit; color: var(--sheetdrop-accent); background: none; border: 1px solid currentColor; border-radius: 6px; padding: 4px 14px; cursor: pointer; }
    button:focus-visible, pre:focus-visible { outline: 2px solid var(--sheetdrop-accent); outline-offset: 2px; }
    ul { list-style: none; margin: 0; padding: 0; }
    .files > li { padding: 12px 16px; border-bottom: 1px solid color-mix(in srgb, var(--sheetdrop-line) 40%, transparent); }
    .files > li:last-child { border-bottom: 0; }
    .head { display: flex; gap: 12px; align-items: baseline; }
    .name { font-weight: 600; overflow-wrap: anywhere; flex: 1; unicode-bidi: isolate; }
    .state { color: var(--sheetdrop-quiet); }
    .bad, .rejects { color: var(--sheetdrop-bad); }
    .rejects li { margin: 4px 0 0 16px; overflow-wrap: anywhere; unicode-bidi: isolate; }
    progress { width: 100%; height: 6px; accent-color: var(--sheetdrop-accent); }
    .said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  `;

  /** A refusal, in the words of the API. */
  class Refused extends Error {
    /**
     * @param {number} status
     * @param {string} code
     * @param {string} detail
     * @param {number} retryAfter in seconds
     */
    constructor(status, code, detail, retryAfter) {
      super(detail);
      this.status = status;
      this.code = code;
      this.retryAfter = retryAfter;
    }
  }

  /**
   * Makes an element.
   * @template {keyof HTMLElementTagNameMap} K
   * @param {K} name
   * @param {Record<string, string>} attributes
   * @param {(Node | string)[]} children
   */
  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  /** Text without marks that turn the direction of writing. @param {string} text */
  const plain = (text) => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, "\ufffd");

  /**
   * Waits; an abort ends it with its reason.
   * @param {number} ms
   * @param {AbortSignal} signal
   */
  const pause = (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)), { once: true });
    });

  /**
   * Sends one request, with the progress of its body, which fetch does not tell.
   * @param {string} method
   * @param {string} url
   * @param {{ headers?: Record<string, string>, body?: Blob | string, signal: AbortSignal, progress?: (bytes: number) => void }} options
   * @returns {Promise<{ status: number, text: string, retryAfter: number }>}
   */
  function send(method, url, { headers = {}, body, signal, progress }) {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const abort = () => request.abort();
      request.open(method, url);
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
      if (progress) request.upload.onprogress = (event) => progress(event.loaded);
      request.onload = () =>
        resolve({
          status: request.status,
          text: request.responseText,
          retryAfter: url.startsWith(home) ? Number(request.getResponseHeader("Retry-After")) || 0 : 0, // the store does not let it be read
        });
      request.onerror = () => reject(new TypeError("network"));
      request.onabort = () => reject(signal.reason);
      request.onloadend = () => signal.removeEventListener("abort", abort);
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener("abort", abort);
      request.send(body);
    });
  }

  /**
   * Calls again what may succeed later: a broken connection, a server that is busy or restarts. Requests that make something have a key, so
   * that they make it once.
   * @template T
   * @param {() => Promise<T>} call
   * @param {AbortSignal} signal
   * @param {() => void} paused
   * @returns {Promise<T>}
   */
  async function retrying(call, signal, paused) {
    for (let n = 1; ; n++) {
      try {
        return await call();
      } catch (error) {
        const later =
          error instanceof TypeError || (error instanceof Refused && (error.status >= 500 || error.status === 429 || error.status === 408));
        if (!later || n === tries || signal.aborted) throw error;
        paused();
        const asked = error instanceof Refused ? error.retryAfter * 1000 : 0;
        await pause(Math.max(asked, Math.min(500 * 2 ** n, 15_000) * (0.5 + Math.random() / 2)), signal);
      }
    }
  }

  /** One file on its way. */
  class Upload {
    /**
     * @param {SheetdropUpload} zone
     * @param {File} file
     */
    constructor(zone, file) {
      this.zone = zone;
      this.file = file;
      this.key = crypto.randomUUID();
      this.stop = new AbortController();
      this.state = element("span", { class: "state" });
      this.bar = element("progress", { max: String(file.size) });
      this.actions = element("span");
      this.rest = element("div");
      const name = plain(file.name);
      this.item = element(
        "li",
        {},
        element("div", { class: "head" }, element("span", { class: "name" }, name), this.state, this.actions),
        this.bar,
        this.rest,
      );
      this.bar.setAttribute("aria-label", name);
    }

    get words() {
      return this.zone.words;
    }

    /** Uploads the file, and waits until it has been read. */
    async run() {
      this.stop = new AbortController();
      this.bar.hidden = false;
      this.bar.value = 0;
      this.rest.replaceChildren();
      this.show(this.words.waiting);
      this.action(this.words.cancel, () => this.cancel());
      try {
        const { file, task } = this.file.size > smallBytes ? await this.sendBlocks() : await this.sendWhole();
        this.zone.emit("uploaded", { file, task });
        this.bar.removeAttribute("value"); // how long reading takes is not known
        this.show(this.words.reading);
        await this.showEnd(await this.end(task.id));
      } catch (error) {
        if (this.stop.signal.aborted) return;
        this.fail(error instanceof Refused ? error : new Refused(0, "network", this.words.broken, 0));
      }
    }

    /** The file in one request. */
    sendWhole() {
      return this.call("POST", "/files?name=" + encodeURIComponent(this.file.name), {
        headers: { "Content-Type": "application/octet-stream", "Idempotency-Key": this.key },
        body: this.file,
        progress: (bytes) => this.progress(bytes),
      });
    }

    /** The file in blocks, which go to the store. */
    async sendBlocks() {
      const upload = await this.call("POST", "/uploads", {
        headers: { "Content-Type": "application/json", "Idempotency-Key": this.key },
        body: JSON.stringify({ name: this.file.name, size_bytes: this.file.size }),
      });
      this.upload = upload.id;
      let address = upload.address.url;
      let sent = 0;
      let next = 0;
      /** @type {Map<number, number>} */
      const inFlight = new Map();
      const told = () => this.progress(sent + [...inFlight.values()].reduce((sum, n) => sum + n, 0));
      const sendBlock = async (/** @type {number} */ n, /** @type {Blob} */ block) => {
        const used = address;
        const answer = await send("PUT", `${used}&comp=block&blockid=${btoa(String(n).padStart(12, "0"))}`, {
          body: block,
          signal: this.stop.signal,
          progress: (bytes) => (inFlight.set(n, bytes), told()),
        });
        if (answer.status === 403 && used === address) address = (await this.call("POST", `/uploads/${upload.id}/sas`)).url; // it has expired
        if (answer.status !== 201) throw new Refused(answer.status === 403 ? 503 : answer.status, "store", this.words.broken, 0);
      };
      const sendNext = async () => {
        while (next < upload.blocks) {
          const n = next++;
          const block = this.file.slice(n * upload.block_bytes, (n + 1) * upload.block_bytes);
          await retrying(
            () => sendBlock(n, block),
            this.stop.signal,
            () => this.show(this.words.paused),
          );
          inFlight.delete(n);
          sent += block.size;
          told();
        }
      };
      await Promise.all(Array.from({ length: blocksAtOnce }, sendNext));
      const taken = await this.call("POST", `/uploads/${upload.id}/complete`);
      this.upload = undefined;
      return taken;
    }

    /**
     * Waits for the end of a task.
     * @param {string} id
     */
    async end(id) {
      for (;;) {
        const task = await this.call("GET", `/tasks/${id}?wait=20s`);
        if (["COMPLETED", "FAILED", "CANCELLED"].includes(task.status)) return task;
      }
    }

    /**
     * Calls the API with the page's token, and with a new one where it has expired.
     * @param {string} method
     * @param {string} path
     * @param {{ headers?: Record<string, string>, body?: Blob | string, progress?: (bytes: number) => void }} [options]
     */
    async call(method, path, options = {}) {
      const signal = this.stop.signal;
      const once = async (/** @type {boolean} */ renew) => {
        const language = { "Accept-Language": this.zone.language };
        const headers = { ...options.headers, ...language, "Upload-Token": await this.zone.tokenFor(renew) };
        const answer = await send(method, home + "/api/embed" + path, { ...options, headers, signal });
        if (answer.status < 300) return JSON.parse(answer.text || "null");
        let problem;
        try {
          problem = JSON.parse(answer.text);
        } catch {
          problem = {}; // something in front of the API has answered
        }
        throw new Refused(answer.status, problem.code ?? "http_" + answer.status, problem.detail ?? this.words.broken, answer.retryAfter);
      };
      return retrying(
        () =>
          once(false).catch((error) =>
            error instanceof Refused && error.status === 401 && this.zone.getToken ? once(true) : Promise.reject(error),
          ),
        signal,
        () => this.show(this.words.paused),
      );
    }

    /** @param {number} bytes */
    progress(bytes) {
      const sent = Math.min(bytes, this.file.size);
      this.bar.value = sent;
      this.show(this.words.sending(Math.floor((100 * sent) / this.file.size)));
      this.zone.emit("progress", { name: this.file.name, sent, size: this.file.size });
    }

    /** @param {any} task */
    async showEnd(task) {
      this.bar.hidden = true;
      this.actions.replaceChildren();
      if (task.status !== "COMPLETED") {
        const error = task.error ?? { code: "cancelled", message: this.words.cancelled, message_ja: this.words.cancelled };
        this.show(this.words.failed, true);
        const japanese = this.zone.language === "ja";
        const texts = [(japanese && error.message_ja) || error.message, (japanese && error.advice_ja) || error.advice];
        this.rest.replaceChildren(...texts.filter(Boolean).map((text) => element("p", { class: "bad" }, plain(text))));
        this.zone.emit("failed", { name: this.file.name, code: error.code, message: error.message, task });
        return;
      }
      const { rows_loaded, rows_rejected, sheets } = task.summary;
      this.show(this.words.rows(rows_loaded));
      if (rows_rejected > 0) this.rest.replaceChildren(await this.rejects(task.id, rows_rejected, sheets));
      this.zone.emit("completed", { name: this.file.name, task, rowsLoaded: rows_loaded, rowsRejected: rows_rejected });
    }

    /**
     * The first rejected records with their reasons.
     * @param {string} id
     * @param {number} count
     * @param {{ number: number, rows_rejected: number }[]} sheets
     */
    async rejects(id, count, sheets) {
      const list = element("ul");
      for (const sheet of sheets.filter((s) => s.rows_rejected > 0)) {
        if (list.childElementCount >= rejectsShown) break;
        const found = await this.call("GET", `/tasks/${id}/sheets/${sheet.number}/rejects?limit=${rejectsShown - list.childElementCount}`);
        for (const reject of found.items) list.append(element("li", {}, this.reason(reject)));
      }
      if (count > list.childElementCount) list.append(element("li", {}, this.words.more(count - list.childElementCount)));
      return element("div", { class: "rejects" }, this.words.rejected(count), list);
    }

    /** @param {any} reject */
    reason(reject) {
      const [first] = reject.errors;
      const place = reject.line ? this.words.line(reject.line) : this.words.row(reject.row_no);
      const text = this.zone.language === "ja" ? (first.message_ja ?? first.message) : first.message;
      return plain([place, first.column_name, text].filter(Boolean).join(" · "));
    }

    /** @param {Refused} refused */
    fail(refused) {
      const spent = refused.status === 401 || refused.code === "upload_token_used_up" || refused.code === "origin_not_allowed";
      const ofFile = faultsOfFile.includes(refused.code);
      this.bar.hidden = true;
      this.show(
        spent ? this.words.token : refused.status === 0 || refused.status >= 500 ? this.words.broken : plain(refused.message),
        true,
      );
      if (ofFile) {
        this.actions.replaceChildren();
        this.rest.replaceChildren(element("p", { class: "bad" }, this.words.another));
      } else this.action(this.words.again, () => this.run());
      this.zone.emit("failed", { name: this.file.name, code: refused.code, message: refused.message });
    }

    cancel() {
      this.stop.abort(new DOMException("cancelled", "AbortError"));
      if (this.upload) {
        const { upload } = this;
        this.stop = new AbortController();
        this.call("DELETE", "/uploads/" + upload).catch(() => {}); // it expires by itself
      }
      this.item.remove();
      this.zone.emit("cancelled", { name: this.file.name });
    }

    /**
     * @param {string} text
     * @param {boolean} [bad]
     */
    show(text, bad = false) {
      if (this.state.textContent === text) return;
      this.state.textContent = text;
      this.state.className = bad ? "bad" : "state";
      if (!text.includes("%")) this.zone.say(this.words.of(text, plain(this.file.name))); // a reader is not told each step
    }

    /**
     * @param {string} label
     * @param {() => void} act
     */
    action(label, act) {
      const button = element("button", { type: "button", "aria-label": this.words.of(label, plain(this.file.name)) }, label);
      button.addEventListener("click", act);
      this.actions.replaceChildren(button);
    }
  }

  /** The element. A host page may set getToken, which is asked for a token when there is none or it has expired. */
  class SheetdropUpload extends HTMLElement {
    constructor() {
      super();
      /** @type {(() => string | Promise<string>) | undefined} */
      this.getToken = /** @type {any} */ (this).getToken; // a page may have set it before this script came
      /** @type {Upload[]} */
      this.waiting = [];
      this.busy = false;
      const root = this.attachShadow({ mode: "open" });
      const sheet = new CSSStyleSheet(); // a style element would need style-src 'unsafe-inline'
      sheet.replaceSync(style);
      root.adoptedStyleSheets = [sheet];
      this.hint = element("span");
      this.button = element("button", { type: "button" });
      this.input = element("input", { type: "file", multiple: "", hidden: "" });
      this.zone = element("div", { class: "zone", part: "zone" }, this.hint, this.button, this.input);
      this.list = element("ul", { class: "files", part: "files" });
      this.said = element("p", { class: "said", role: "status" });
      root.append(this.zone, this.list, this.said);
      this.button.addEventListener("click", () => this.input.click());
      this.input.addEventListener("change", () => {
        this.add([...(this.input.files ?? [])]);
        this.input.value = ""; // the same file can be chosen again
      });
      for (const name of ["dragenter", "dragover", "dragleave", "drop"])
        this.zone.addEventListener(name, (event) => this.drag(/** @type {DragEvent} */ (event)));
    }

    connectedCallback() {
      const text = this.words;
      this.hint.textContent = text.drop;
      this.button.textContent = text.choose;
      this.list.setAttribute("aria-label", text.files);
      this.input.toggleAttribute("multiple", this.getAttribute("multiple") !== "false");
    }

    /** en or ja: of the element, of what is around it, or of the browser. @returns {"en" | "ja"} */
    get language() {
      const wanted = this.closest("[lang]")?.getAttribute("lang") || navigator.language;
      return wanted.toLowerCase().startsWith("ja") ? "ja" : "en";
    }

    get words() {
      return words[this.language];
    }

    /** @param {DragEvent} event */
    drag(event) {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      this.zone.classList.toggle("over", event.type === "dragenter" || event.type === "dragover");
      if (event.type === "drop") this.add([...event.dataTransfer.files]);
    }

    /** Uploads files, one after the other. @param {File[]} files */
    async add(files) {
      const allowed = this.input.multiple ? files : files.slice(0, 1);
      for (const file of allowed) {
        const upload = new Upload(this, file);
        this.list.append(upload.item);
        this.waiting.push(upload);
      }
      if (this.busy) return;
      this.busy = true;
      for (let next = this.waiting.shift(); next; next = this.waiting.shift()) await next.run();
      this.busy = false;
    }

    /** @param {boolean} renew */
    async tokenFor(renew) {
      if (this.getToken && (renew || !this.getAttribute("token"))) this.setAttribute("token", await this.getToken());
      return this.getAttribute("token") ?? "";
    }

    /**
     * @param {string} name
     * @param {object} detail
     */
    emit(name, detail) {
      this.dispatchEvent(new CustomEvent("sheetdrop-" + name, { detail, bubbles: true, composed: true }));
    }

    /** Tells who hears the page read out. @param {string} text */
    say(text) {
      this.said.textContent = text;
    }
  }

  customElements.define("sheetdrop-upload", SheetdropUpload);
})();
