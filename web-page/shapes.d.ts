// What the API answers, as far as the page uses it. openapi.json is the whole description.

export type Status = "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "CANCELLED";

export interface Progress {
  bytes_total: number;
  bytes_read: number;
  rows_read: number;
  rows_loaded: number;
  rows_rejected: number;
}

export interface Task {
  id: string;
  file_id: string;
  status: Status;
  attempt: number;
  options?: Record<string, unknown>;
  progress: Progress;
  summary?: { rows_read: number; rows_loaded: number; rows_rejected: number; rows_skipped: number; rows_valid?: number };
  error?: { code: string; message: string; message_ja: string | null };
  created_at: string;
  started_at?: string;
  finished_at?: string;
  rows_deleted_at?: string;
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
  error?: { code: string; message: string; message_ja: string };
}
