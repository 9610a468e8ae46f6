// How a refusal or a failure looks: what happened in the words of the API, and what to do next.

import { Problem, SignedOut } from "./api.js";
import { h } from "./element.js";
import { oneLine } from "./format.js";
import { advised, nextStep, said, words } from "./words.js";

/**
 * @param {unknown} error
 * @param {() => void} [again]
 */
export function fault(error, again) {
  if (error instanceof Problem && (error.status === 404 || error.status === 410)) return nothingHere();
  return h(
    "div",
    { class: "state failed", role: "alert" },
    h("p", { class: "headline" }, headline(error)),
    h("p", {}, step(error)),
    again && h("button", { type: "button", onclick: again }, words.tryAgain),
  );
}

/** @param {unknown} error */
export function headline(error) {
  if (error instanceof SignedOut) return words.signedOut;
  if (error instanceof Problem) return error.message;
  if (error instanceof TypeError) return words.offline;
  return `${words.unexpected} ${error instanceof Error ? error.message : ""}`;
}

/** @param {unknown} error */
export const step = (error) => (error instanceof Problem ? nextStep(error.code) : "");

/**
 * The same for who goes on where they are: beside a form, or in a dialogue.
 *
 * @param {unknown} error
 * @param {Problem["faults"]} [faults] those that are not shown elsewhere
 */
export const problemTexts = (error, faults = error instanceof Problem ? error.faults : []) =>
  [headline(error), step(error), ...faults.map(said)].filter(Boolean).map((text) => h("p", {}, h("bdi", {}, text)));

export const loading = () => h("p", { class: "quiet", role: "status" }, words.loading);

export function nothingHere() {
  return h(
    "div",
    { class: "state" },
    h("p", { class: "headline" }, words.nothingHere),
    h("p", {}, words.nothingHereHint),
    h("a", { href: "/", class: "button" }, words.toList),
  );
}

/**
 * Why a task is FAILED.
 *
 * @param {import("../shapes").Task} task
 * @param {string} [told]
 */
export function failure(task, told = words.failed) {
  const error = task.error;
  if (!error) return undefined;
  return h(
    "div",
    { class: "state failed" },
    h("p", { class: "headline" }, told),
    h("p", { dir: "auto" }, oneLine(said(error), 1000)),
    h("p", {}, nextStep(error.code) || advised(error)),
    h("code", {}, error.code),
  );
}
