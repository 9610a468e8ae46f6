// What the API answers, as far as the page uses it. openapi.json is the whole description.

export type Status = "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "CANCELLED";

export interface Progress {
  bytes_total: number;
  bytes_read: number;
  rows_read: number;
  rows_loaded: number;
  rows_rejected: number;
  sheet?: string;
}

export interface TaskNews {
  id: string;
  file_id: string;
  status: Status;
  attempt: number;
  progress: Progress;
  started_at?: string;
  finished_at?: string;
}

export interface SameFile {
  id: string;
  name: string;
  created_at: string;
}

export interface FileError {
  code: string;
  message: string;
  message_ja: string | null;
  advice?: string;
  advice_ja?: string;
}

export interface Task {
  id: string;
  file_id: string;
  status: Status;
  attempt: number;
  options?: Record<string, unknown>;
  progress: Progress;
  summary?: {
    rows_read: number;
    rows_loaded: number;
    rows_rejected: number;
    rows_skipped: number;
    rows_valid?: number;
    sheets: { number: number; name: string; rows_loaded: number; sql?: string }[];
    target?: TargetSummary;
    undo?: UndoSummary;
  };
  error?: FileError;
  mapping?: { columns: HeaderMatch[]; missing: string[] };
  created_at: string;
  started_at?: string;
  finished_at?: string;
  rows_deleted_at?: string;
  waiting_for?: string;
}

export interface SourceFile {
  id: string;
  name: string;
  media_type: string;
  size_bytes: number;
  sha256?: string;
  created_at: string;
}

export interface FileDetail extends SourceFile {
  task: Task;
  same_as?: SameFile;
}

export interface List<T> {
  items: T[];
  next: string | null;
}

export interface Column {
  name: string;
  label: string;
  type: string;
  format?: string;
  ambiguous?: string[];
  nulls: number;
  empty: number;
  distinct: number;
  min?: string;
  max?: string;
  longest: number;
  examples?: string[];
  nearly?: { type: string; format?: string; count: number; misfits: { row: number; value: string }[] };
}

export interface Sheet {
  number: number;
  name: string;
  visible: boolean;
  dialect: Record<string, string | number | boolean>;
  columns: Column[];
  warnings: { code: string; count: number; refs: string[] | null }[];
  rows_read: number;
  rows_loaded: number;
  rows_rejected: number;
  rows_skipped: number;
  rows_valid?: number;
}

export type Cell = string | number | boolean | null;

export interface Row {
  row_no: number;
  line: number | null;
  cells: Cell[];
}

export interface Rows {
  columns: { name: string; label: string; type: string; format?: string }[];
  rows: Row[];
  next: string | null;
  last_row_no?: number;
}

export interface RejectError {
  column_no: number | null;
  last_column_no: number | null;
  column_name: string | null;
  code: string;
  message: string;
  message_ja: string | null;
}

export interface Reject extends RejectError {
  row_no: number;
  error_no: number;
  line: number | null;
  byte_offset: number | null;
  cell_ref: string | null;
  errors: RejectError[];
  raw: string | null;
  key?: string;
  cells?: (string | null)[];
}

export interface Upload {
  id: string;
  status: "OPEN" | "COMPLETED";
  name: string;
  size_bytes: number;
  block_bytes: number;
  blocks: number;
  file_id?: string;
  task_id?: string;
  address?: Address;
}

export interface StoredUpload extends Upload {
  stored: { first: number; last: number }[];
  stored_bytes: number;
}

export interface Address {
  url: string;
  expires_at: string;
}

export interface FileAndTask {
  file: SourceFile;
  task: Task;
  same_as?: SameFile;
}

export interface Bulk {
  created_at: string;
  accepted: { file_id: string; task_id: string }[];
  excluded: { file_id: string; reason: "not_yours" | "gone" | "already_running" | "changed" }[];
}

export interface Hour {
  begin: string;
  accepted: number;
  completed: number;
  failed: number;
  rows: number;
  bytes: number;
}

export interface Overview {
  tasks: { pending: number; processing: number; failed: number; oldest_pending: string | null };
  outbox: { pending: number; failed: number; oldest_due: string | null };
  dead_letters: number;
  hours: Hour[];
}

export interface Message {
  id: string;
  event_type: string;
  task_id: string | null;
  status: "PENDING" | "PROCESSING" | "FAILED";
  attempts: number;
  next_attempt_at: string | null;
  last_error: string | null;
  created_at: string;
}

export interface DeadLetter {
  id: string;
  task_id: string | null;
  text: string;
  dequeue_count: number;
  seen_at: string;
}

export interface Action {
  id: string;
  at: string;
  caller: string;
  action: string;
  target?: string;
  filter?: unknown;
  count: number;
}

export type Mode = "insert" | "upsert" | "replace";

export interface TargetSummary {
  name: string;
  load?: number;
  inserted: number;
  updated: number;
  unchanged: number;
  deleted: number;
  corrected?: number;
  sql?: string;
}

export interface UndoSummary {
  name: string;
  load: number;
  removed: number;
  restored: number;
  kept: number;
  kept_keys?: Record<string, unknown>[];
}

export interface TargetColumn {
  name: string;
  type: string;
  label?: string;
  required?: boolean;
  max_length?: number;
  digits?: number;
  scale?: number;
  min?: string;
  max?: string;
  pattern?: string;
  allowed?: string[];
  default?: string;
  format?: string;
  zone?: string;
  synonyms?: string[];
}

export interface TargetDefinition {
  name: string;
  columns: TargetColumn[];
  key?: string[];
  mode?: Mode;
  partition?: string[];
  duplicates?: "first" | "last";
  missing?: "keep" | "default";
  extra?: "leave_out" | "refuse";
}

export interface Share {
  grantee: string;
  may: "load" | "read" | "define";
}

export interface HeaderChoice {
  header: string;
  column: string | null;
  format?: string;
  used_at: string;
}

export interface Target {
  id: string;
  name: string;
  owner: string;
  kind: "MANAGED" | "ADOPTED";
  table: { schema: string; name: string };
  version: number;
  may: string[];
  created_at: string;
  definition?: TargetDefinition;
}

/** What a load asks of a target, as the options of its task have it. */
export interface TargetRequest {
  id: string;
  name: string;
  mode?: Mode;
  mapping?: Record<string, { column: string; format?: string }>;
  undo?: number;
}

export interface HeaderMatch {
  header: string;
  column_no: number;
  column: string | null;
  format?: string;
  rule?: "request" | "remembered" | "name" | "folded" | "synonym";
  suggestions?: string[];
  formats?: string[];
  confidence?: number;
  candidates?: { column: string; confidence: number }[];
}

export interface Matching {
  columns: HeaderMatch[];
  missing: string[];
  problems: { code: string; message: string; message_ja: string }[];
}

export interface TargetLoad {
  id: number;
  file_id: string;
  task_id: string;
  file_name: string;
  sheet: number;
  mode: Mode;
  newer_loads: number;
  inserted: number;
  updated: number;
  unchanged: number;
  deleted: number;
  rejected: number;
  applied_at: string;
  undone_at?: string;
  superseded_by?: number;
  corrects?: number;
  settled_at?: string;
  series?: string;
}

export interface TargetRows {
  columns: { name: string; label?: string; type: string }[];
  rows: Cell[][];
  next: string | null;
}

export interface View {
  id: string;
  name: string;
  sql: string;
}

/** Where a record is. */
export interface RecordPlace {
  row_no: number;
  line?: number;
  cell_ref?: string;
}

export interface PreviewedSheet {
  number: number;
  name: string;
  visible: boolean;
  read: boolean;
  options?: Record<string, unknown>;
  header_candidates: (RecordPlace & { skip: number; header: number; chosen: boolean; cells: (string | null)[] })[];
  columns: Column[];
  rows_read: number;
  rows_accepted: number;
  rows_rejected: number;
  rows_skipped: number;
  rows: (RecordPlace & { values: Cell[]; text: (string | null)[] })[];
  rejects: (RecordPlace & {
    cells: (string | null)[];
    errors: { column_name?: string; code: string; message: string; message_ja: string }[];
  })[];
  skipped: (RecordPlace & { reason: string; cells: (string | null)[] })[];
}

export interface Preview {
  complete: boolean;
  sheets: PreviewedSheet[];
  error?: FileError;
}

export interface Webhook {
  id: string;
  url: string;
  description: string;
  states: ("COMPLETED" | "FAILED" | "CANCELLED")[];
  enabled: boolean;
  disabled_by?: "owner" | "receiver";
  old_secret_until?: string;
  waiting: number;
  dead: number;
}

export interface Delivery {
  id: string;
  task_id?: string;
  status: "PENDING" | "DELIVERED" | "DEAD";
  attempts: number;
  created_at: string;
  next_attempt_at?: string;
  attempted_at?: string;
  took_ms?: number;
  response_status?: number;
  response?: string;
  error?: string;
  payload: { data: { file_id?: string; status?: "COMPLETED" | "FAILED" | "CANCELLED" } };
}

export interface TaskHistory {
  items: { at: string; kind: string; text: string }[];
  now: { code: string; text: string; since: string; next_at?: string; next_step?: { text: string; command?: string } };
}
