// Sentences of the list of files: what is chosen, what is done with it, and how it goes.

import { language } from "./format.js";

const english = {
  /** @param {string} name */
  choose: (name) => `Select ${name}`,
  /** @param {string} n */
  chosen: (n) => `${n} selected`,
  chooseAll: "All listed",
  chooseNone: "Clear the selection",
  readAgain: "Read again",
  delete: "Delete",
  /** @param {string} n */
  readingAgain: (n) => (n === "1" ? "The file is read again." : `${n} files are read again.`),
  excludedTitle: "Some files were not read again",
  /** @param {string} n */
  excludedOf: (n) => (n === "1" ? "The other one is." : `${n} others are.`),
  reasons: {
    not_yours: "It is not there any more, or not yours.",
    gone: "It has been deleted.",
    already_running: "It is being read.",
    changed: "It has been read again meanwhile: look at that first.",
  },
  /** @param {string} n */
  deleted: (n) => `${n} files are deleted.`,
  /** @param {string} name @param {string} same */
  sameAs: (name, same) => `${name} has the same content as ${same}.`,
  /** @param {string} n */
  manySame: (n) => `${n} of the files were there already, with the same content.`,
  sameContent: "Same content as",
  showIt: "Show that one",
  /** @param {string} name */
  sheet: (name) => `Sheet ${name}`,
  moreExist: "Look further back",
};

/** @type {typeof english} */
const japanese = {
  choose: (name) => `${name} を選択`,
  chosen: (n) => `${n} 件を選択中`,
  chooseAll: "一覧をすべて選択",
  chooseNone: "選択を解除",
  readAgain: "読み直す",
  delete: "削除",
  readingAgain: (n) => `${n} 件のファイルを読み直します。`,
  excludedTitle: "読み直せなかったファイルがあります",
  excludedOf: (n) => `ほかの ${n} 件は読み直します。`,
  reasons: {
    not_yours: "存在しないか、他の方のファイルです。",
    gone: "削除されています。",
    already_running: "読み取り中です。",
    changed: "その後に読み直されています。先に結果を確認してください。",
  },
  deleted: (n) => `${n} 件のファイルを削除しました。`,
  sameAs: (name, same) => `${name} は ${same} と同じ内容です。`,
  manySame: (n) => `${n} 件のファイルは、同じ内容のものが既にあります。`,
  sameContent: "同じ内容のファイル",
  showIt: "そのファイルを表示",
  sheet: (name) => `シート ${name}`,
  moreExist: "さらに前を検索",
};

export const listWords = language === "ja" ? japanese : english;
