// A program as a developer writes it with nothing but the document: no cast, and no type of its own.
import type { components, paths } from "./openapi";

declare const process: { argv: string[]; exitCode: number };

type Schemas = components["schemas"];
type Uploaded = paths["/files"]["post"]["responses"]["202"]["content"]["application/json"];
type Task = paths["/tasks/{id}"]["get"]["responses"]["200"]["content"]["application/json"];
type Rows = paths["/tasks/{id}/sheets/{number}/rows"]["get"]["responses"]["200"]["content"]["application/json"];
type Rejects = paths["/tasks/{id}/sheets/{number}/rejects"]["get"]["responses"]["200"]["content"]["application/json"];

const [, , server] = process.argv;

async function call<T>(path: string, init?: RequestInit): Promise<{ body: T; response: Response }> {
  const response = await fetch(server + path, init);
  const body = await response.json();
  if (!response.ok) {
    const problem: Schemas["Problem"] = body;
    throw new Error(`${problem.code}: ${problem.detail} (${problem.type})`);
  }
  return { body, response };
}

async function upload(): Promise<Uploaded> {
  const form = new FormData();
  form.append("file", new Blob(["sku;price\nA;1.5\nB;x;y\nC;2.5\n"]), "prices.csv");
  form.append("header", "1"); // generated forms have their fields in the order of their names
  form.append("options", JSON.stringify({ delimiter: ";" }));
  return (await call<Uploaded>("/api/files", { method: "POST", body: form })).body;
}

async function finished(id: string): Promise<Task> {
  for (;;) {
    const task = (await call<Task>(`/api/tasks/${id}?wait=20s`)).body;
    if (task.status === "COMPLETED" || task.status === "FAILED" || task.status === "CANCELLED") {
      return task;
    }
  }
}

/** All rows, by the links of their pages. */
async function rows(id: string): Promise<Rows["rows"]> {
  const all: Rows["rows"] = [];
  for (let next: string | undefined = `/api/tasks/${id}/sheets/1/rows?limit=1`; next; ) {
    const page: { body: Rows; response: Response } = await call<Rows>(next);
    all.push(...page.body.rows);
    next = /<([^>]*)>; rel="next"/.exec(page.response.headers.get("Link") ?? "")?.[1];
  }
  return all;
}

/** The first cell of a row, in whichever shape it comes. */
function firstCell(row: Rows["rows"][number]): Schemas["Cell"] | undefined {
  if (Array.isArray(row)) {
    return row[0];
  }
  return "cells" in row && Array.isArray(row.cells) ? row.cells[0] : undefined;
}

async function unchanged(path: string): Promise<number> {
  const etag = (await call(path)).response.headers.get("ETag") ?? "";
  return (await fetch(server + path, { headers: { "If-None-Match": etag } })).status;
}

async function problem(): Promise<Schemas["Problem"]> {
  const response = await fetch(server + "/api/files?name=empty.csv", {
    method: "POST",
    body: new Blob([""]),
    headers: { "Accept-Language": "ja", "Content-Type": "text/csv" },
  });
  return await response.json();
}

async function main(): Promise<void> {
  const { items } = await upload();
  const first = items[0];
  if (!first) {
    throw new Error("nothing was uploaded");
  }
  const task = await finished(first.task.id);
  const rejects = (await call<Rejects>(`/api/tasks/${task.id}/sheets/1/rejects`)).body;
  const read = await rows(task.id);
  const { code, type, detail } = await problem();
  console.log(
    JSON.stringify({
      status: task.status,
      file: task.file_name,
      loaded: task.summary?.rows_loaded,
      rows: read,
      first: read.map(firstCell),
      rejects: rejects.items.map((r) => [r.line, r.code]),
      unchanged: await unchanged(`/api/tasks/${task.id}`),
      problem: [code, type, detail],
    }),
  );
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
