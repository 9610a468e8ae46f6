package migrate_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"sheetdrop/internal/devstack/devtest"
)

// seed writes a thing in each state that may be.
const seed = `
insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, idempotency_key, part_no)
values (gen_random_uuid(), 'owner', 'name', 'text/csv', 1, sha256(''), 'blob', 'key', 1);

insert into sheetdrop.task (id, source_file_id, options, status, attempt, locked_by, locked_until, started_at, finished_at, cancel_requested_at,
                            summary, error_code, error_detail)
select gen_random_uuid(), f.id, '{}', s.*
from sheetdrop.source_file f cross join (values
  ('PENDING',    0, null::uuid,        null::timestamptz, null::timestamptz, null::timestamptz, null::timestamptz, null::jsonb, null, null),
  ('PROCESSING', 1, gen_random_uuid(), now(),             now(),             null,              now(),             null,        null, null),
  ('COMPLETED',  1, null,              null,              now(),             now(),             now(),             '{}',        null, null),
  ('FAILED',     0, null,              null,              null,              now(),             null,              null,        'code', 'detail'),
  ('CANCELLED',  0, null,              null,              null,              now(),             now(),             null,        null, null)) s;

insert into sheetdrop.task_history (task_id, attempt, ended_at, outcome, retried_at)
select id, 1, now(), s.* from sheetdrop.task cross join (values ('RETURNED', null::timestamptz), ('FAILED', now())) s where status = 'PENDING';

insert into sheetdrop.outbox_message (id, event_type, payload, status, next_attempt_at, locked_by, locked_until) values
  (gen_random_uuid(), 'PARSE_TASK', '{}', 'PENDING',    now(),      null,              null),
  (gen_random_uuid(), 'PARSE_TASK', '{}', 'PROCESSING', now(),      gen_random_uuid(), now()),
  (gen_random_uuid(), 'PARSE_TASK', '{}', 'FAILED',     'infinity', null,              null);
insert into sheetdrop.outbox_history (day_slot, id, event_type, payload, attempts, created_at, processed_at)
select slot, gen_random_uuid(), 'PARSE_TASK', '{}', 1, now(), now() from generate_series(0, 31) slot;

insert into sheetdrop.sheet (id, task_id, number, name, visible, dialect, columns, rows_read, rows_loaded, rows_rejected, rows_skipped)
select 1, id, 1, 'sheet', true, '{}', '[]', 3, 1, 1, 1 from sheetdrop.task where status = 'COMPLETED';
insert into sheetdrop.sheet_row (sheet_id, row_no, cells) values (1, 1, '{cell}');
insert into sheetdrop.row_reject (sheet_id, row_no, error_no, code, message) values (1, 2, 1, 'code', 'message');
insert into sheetdrop.corrected_reject (sheet_id, row_no, error_no, task_id, target_sheet_id, target_row_no, target_error_no, loaded_row_no) values (3, 1, 0, gen_random_uuid(), 1, 1, 1, 1);
insert into sheetdrop.sheet_purge (sheet_id, last_row) values (2, 1);

insert into sheetdrop.upload (id, owner, name, media_type, size_bytes, block_bytes, options, blob_name, idempotency_key, task_id, status, expires_at, writable_until, completed_at, file_id)
select coalesce(f.id, gen_random_uuid()), 'owner', 'name', 'text/csv', 1, 1, '{}', status, status, gen_random_uuid(), status, now(), now(), case when f.id is not null then now() end, f.id
from (values ('OPEN'), ('COMPLETED'), ('ABANDONED')) s (status) left join sheetdrop.source_file f on status = 'COMPLETED';
insert into sheetdrop.recovery (restored_to, ended_at) values (now(), now()), (now(), null);
insert into sheetdrop.dead_letter (id, queue_message_id, text, dequeue_count) values (gen_random_uuid(), 'message', 'text', 1);
insert into sheetdrop.operator_action (id, caller, action, target, filter) values
  (gen_random_uuid(), 'caller', 'retry', gen_random_uuid(), null), (gen_random_uuid(), 'caller', 'redrive', null, '{}');
insert into sheetdrop.alert (kind, subject) values ('dead_letter', 'message');
insert into sheetdrop.upload_token (id, owner, secret_sha256, origin, options, max_files, max_bytes, expires_at)
values (gen_random_uuid(), 'owner', sha256('secret'), 'https://a.example', '{}', 1, 1, now() + interval '1 hour');
insert into sheetdrop.upload_token_task (token_id, file_id, task_id) select id, gen_random_uuid(), gen_random_uuid() from sheetdrop.upload_token;
insert into sheetdrop.sheet_view (id, owner, name, sheet_id) values (gen_random_uuid(), 'owner', 'name', 1);
insert into sheetdrop.owner_schema (owner, schema_name) values ('owner', 'data_owner');
insert into sheetdrop.target (id, owner, name, kind, schema_name, table_name, ordered) values (gen_random_uuid(), 'owner', 'name', 'MANAGED', 'data_owner', 'name', true);
insert into sheetdrop.target_version (target_id, version, definition, made_by) select id, 1, '{}', 'owner' from sheetdrop.target;
insert into sheetdrop.target_share (target_id, grantee, may) select id, 'role:other', 'load' from sheetdrop.target;
insert into sheetdrop.header_choice (owner, target_id, header) select 'owner', id, 'header' from sheetdrop.target;
insert into sheetdrop.target_load (id, target_id, task_id, file_id, file_name, sheet_number, version, mode, columns, mapping)
select 1, id, gen_random_uuid(), gen_random_uuid(), 'name', 1, 1, 'upsert', '{}', '{}' from sheetdrop.target;
insert into sheetdrop.webhook (id, owner, url, statuses, secret) values (gen_random_uuid(), 'owner', 'https://receiver.test/', '{FAILED}', sha256(''));
insert into sheetdrop.webhook_delivery (id, webhook_id, type, payload, status, ended_at)
select gen_random_uuid(), w.id, 'webhook.test', '{}', s.* from sheetdrop.webhook w
cross join (values ('PENDING', null::timestamptz), ('DELIVERED', now()), ('DEAD', now())) s;
insert into sheetdrop.owner_usage (owner, day, files, bytes, tasks) values ('owner', '2026-01-01', 0, 0, 0);
with bulk as (insert into sheetdrop.bulk_operation (id, owner) values (gen_random_uuid(), 'owner') returning id)
insert into sheetdrop.bulk_item (bulk_id, item_no, file_id, task_id, reason)
select bulk.id, i.* from bulk cross join (values (1, gen_random_uuid(), gen_random_uuid(), null), (2, gen_random_uuid(), null::uuid, 'gone')) i;`

// violations says for each constraint how to write what it forbids, and nothing else that is forbidden.
var violations = map[string][]string{
	"source_file_pkey":                              {again("source_file", `{"blob_name": "other", "part_no": 2}`)},
	"source_file_owner_check":                       {`update sheetdrop.source_file set owner = ''`},
	"source_file_name_check":                        {`update sheetdrop.source_file set name = ''`},
	"source_file_size_bytes_check":                  {`update sheetdrop.source_file set size_bytes = 0`},
	"source_file_sha256_check":                      {`update sheetdrop.source_file set sha256 = '\x00'`},
	"source_file_part_no_check":                     {`update sheetdrop.source_file set part_no = 0`},
	"source_file_blob_name_key":                     {again("source_file", newID+`, "part_no": 2}`)},
	"source_file_owner_idempotency_key_part_no_key": {again("source_file", newID+`, "blob_name": "other"}`)},

	"source_file_bytes_are_known": {`update sheetdrop.source_file set sha256 = null`},

	"upload_pkey":                      {again("upload", `{"blob_name": "other", "idempotency_key": "other", "status": "OPEN", "file_id": null, "completed_at": null}`)},
	"upload_owner_check":               {`update sheetdrop.upload set owner = ''`},
	"upload_name_check":                {`update sheetdrop.upload set name = ''`},
	"upload_size_bytes_check":          {`update sheetdrop.upload set size_bytes = 0`},
	"upload_block_bytes_check":         {`update sheetdrop.upload set block_bytes = 0`},
	"upload_sha256_check":              {`update sheetdrop.upload set sha256 = '\x00'`},
	"upload_blob_name_key":             {again("upload", newID+`, "idempotency_key": "other", "status": "OPEN", "file_id": null, "completed_at": null}`)},
	"upload_owner_idempotency_key_key": {again("upload", newID+`, "blob_name": "other", "status": "OPEN", "file_id": null, "completed_at": null}`)},
	"upload_status_check":              {`update sheetdrop.upload set status = 'DONE' where status = 'OPEN'`},
	"upload_file_id_fkey":              {`update sheetdrop.upload set file_id = id, status = 'COMPLETED', completed_at = now() where status = 'OPEN'`},
	"upload_has_a_file_once_completed": {
		`update sheetdrop.upload set status = 'COMPLETED' where status = 'OPEN'`, `update sheetdrop.upload set status = 'OPEN' where status = 'COMPLETED'`,
		`update sheetdrop.upload set completed_at = now() where status = 'OPEN'`, `update sheetdrop.upload set completed_at = null where status = 'COMPLETED'`,
	},
	"upload_is_its_file": {`update sheetdrop.upload set id = gen_random_uuid() where status = 'COMPLETED'`},

	"task_pkey":                {again("task", `{}`)},
	"task_source_file_id_fkey": {`update sheetdrop.task set source_file_id = gen_random_uuid()`},
	"task_status_check":        {task("PENDING", `status = 'DONE'`)},
	"task_attempt_check":       {task("PENDING", `attempt = -1`)},
	"task_crashes_check":       {task("PENDING", `crashes = -1`)},
	"task_shared_deaths_check": {task("PENDING", `shared_deaths = -1`)},
	"task_faults_check":        {task("PENDING", `faults = -1`)},
	"task_enqueues_check":      {task("PENDING", `enqueues = -1`)},
	"task_lease_only_while_processing": {
		task("PENDING", `locked_by = gen_random_uuid(), locked_until = now()`),
		task("COMPLETED", `locked_by = gen_random_uuid(), locked_until = now()`),
		task("PROCESSING", `locked_by = null, locked_until = null`),
	},
	"task_lease_has_holder_and_end": {task("PROCESSING", `locked_until = null`), task("PENDING", `locked_until = now()`)},
	"task_started_before_processing": {
		task("PROCESSING", `started_at = null`), task("PROCESSING", `attempt = 0`), task("COMPLETED", `started_at = null`),
	},
	"task_finished_when_terminal": {
		task("PENDING", `finished_at = now()`), task("PROCESSING", `finished_at = now()`),
		task("COMPLETED", `finished_at = null`), task("FAILED", `finished_at = null`), task("CANCELLED", `finished_at = null`),
	},
	"task_error_only_when_failed": {
		task("FAILED", `error_code = null, error_detail = null`), task("FAILED", `error_code = null`),
		task("COMPLETED", `error_code = 'code'`), task("PENDING", `error_detail = 'detail'`),
	},
	"task_error_has_english": {task("COMPLETED", `error_detail_ja = 'ja'`), task("FAILED", `error_detail = null, error_detail_ja = 'ja'`)},
	"task_summary_only_when_completed": {
		task("COMPLETED", `summary = null`), task("FAILED", `summary = '{}'`), task("PENDING", `summary = '{}'`),
	},
	"task_cancel_ends_at_once": {task("PENDING", `cancel_requested_at = now()`)},

	"task_history_pkey":          {again("task_history", `{}`)},
	"task_history_task_id_fkey":  {`update sheetdrop.task_history set task_id = gen_random_uuid()`},
	"task_history_attempt_check": {`update sheetdrop.task_history set attempt = -1`},
	"task_history_outcome_check": {`update sheetdrop.task_history set outcome = 'COMPLETED'`},
	"task_history_retried_after_an_end": {
		`update sheetdrop.task_history set retried_at = now() where outcome = 'RETURNED'`,
		`update sheetdrop.task_history set retried_at = null where outcome = 'FAILED'`,
	},

	"outbox_message_pkey":             {again("outbox_message", `{}`)},
	"outbox_message_status_check":     {message("PENDING", `status = 'COMPLETED'`)},
	"outbox_message_attempts_check":   {message("PENDING", `attempts = -1`)},
	"outbox_message_rejections_check": {message("PENDING", `rejections = -1`)},
	"outbox_lease_only_while_processing": {
		message("PENDING", `locked_by = gen_random_uuid(), locked_until = now()`), message("PROCESSING", `locked_by = null, locked_until = null`),
	},
	"outbox_lease_has_holder_and_end": {message("PROCESSING", `locked_until = null`), message("PENDING", `locked_until = now()`)},
	"outbox_failed_is_never_due": {
		message("FAILED", `next_attempt_at = now()`), message("PENDING", `next_attempt_at = 'infinity'`),
	},

	"outbox_message_trace_context_is_short": {message("PENDING", `trace_context = repeat('0', 56)`)},
	"task_trace_context_is_short":           {task("PENDING", `trace_context = repeat('0', 56)`)},
	"outbox_history_pkey":                   {again("outbox_history_00", `{}`)},
	"outbox_history_day_slot_check": {
		again("outbox_history_00", `{"day_slot": 32}`),
	},

	"sheet_pkey":                {again("sheet", `{"number": 2}`)},
	"sheet_task_id_number_key":  {again("sheet", `{"id": 2}`)},
	"sheet_task_id_fkey":        {`update sheetdrop.sheet set task_id = gen_random_uuid()`},
	"sheet_number_check":        {`update sheetdrop.sheet set number = 0`},
	"sheet_rows_loaded_check":   {`update sheetdrop.sheet set rows_loaded = -1, rows_read = 1`},
	"sheet_rows_rejected_check": {`update sheetdrop.sheet set rows_rejected = -1, rows_read = 1`},
	"sheet_rows_skipped_check":  {`update sheetdrop.sheet set rows_skipped = -1, rows_read = 1`},
	"sheet_valid_rows_are_skipped": {
		`update sheetdrop.sheet set rows_valid = 2`, `update sheetdrop.sheet set rows_valid = -1`,
	},
	"sheet_counts_add_up":       {`update sheetdrop.sheet set rows_read = 4`},
	"sheet_row_pkey":            {again("sheet_row", `{}`)},
	"row_reject_pkey":           {again("row_reject", `{}`)},
	"row_reject_error_no_check": {`update sheetdrop.row_reject set error_no = 0`},

	"source_file_purged_after_deleted": {`update sheetdrop.source_file set purged_at = now()`},
	"task_rows_deleted_after_its_end": {
		task("PENDING", `rows_deleted_at = now()`), task("PROCESSING", `rows_deleted_at = now()`),
	},
	"corrected_reject_pkey":           {again("corrected_reject", `{"loaded_row_no": null}`)},
	"corrected_reject_error_no_check": {`update sheetdrop.corrected_reject set error_no = -1`},
	"sheet_purge_pkey":                {again("sheet_purge", `{}`)},
	"sheet_purge_position_check":      {`update sheetdrop.sheet_purge set position = -1`},

	"dead_letter_pkey":                     {again("dead_letter", `{"queue_message_id": "other"}`)},
	"dead_letter_queue_message_id_key":     {again("dead_letter", newID+`}`)},
	"dead_letter_dequeue_count_check":      {`update sheetdrop.dead_letter set dequeue_count = -1`},
	"operator_action_pkey":                 {again("operator_action", `{}`)},
	"operator_action_caller_check":         {`update sheetdrop.operator_action set caller = ''`},
	"operator_action_action_check":         {`update sheetdrop.operator_action set action = ''`},
	"operator_action_count_check":          {`update sheetdrop.operator_action set count = -1`},
	"operator_action_has_target_or_filter": {`update sheetdrop.operator_action set target = null, filter = null`},
	"bulk_operation_pkey":                  {again("bulk_operation", `{}`)},
	"bulk_operation_owner_check":           {`update sheetdrop.bulk_operation set owner = ''`},
	"bulk_item_pkey":                       {again("bulk_item", `{}`)},
	"bulk_item_bulk_id_fkey":               {`update sheetdrop.bulk_item set bulk_id = gen_random_uuid()`},
	"bulk_item_item_no_check":              {`update sheetdrop.bulk_item set item_no = 0 where item_no = 1`},
	"bulk_item_is_accepted_or_excluded":    {`update sheetdrop.bulk_item set task_id = null, reason = null`, `update sheetdrop.bulk_item set task_id = file_id, reason = 'gone'`},

	"upload_token_pkey":                {again("upload_token", `{"secret_sha256": "\\xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}`)},
	"upload_token_secret_sha256_key":   {again("upload_token", newID+`}`)},
	"upload_token_secret_sha256_check": {`update sheetdrop.upload_token set secret_sha256 = '\x00'`},
	"upload_token_owner_check":         {`update sheetdrop.upload_token set owner = ''`},
	"upload_token_origin_check":        {`update sheetdrop.upload_token set origin = ''`},
	"upload_token_max_files_check":     {`update sheetdrop.upload_token set max_files = 0`},
	"upload_token_max_bytes_check":     {`update sheetdrop.upload_token set max_bytes = 0`},
	"upload_token_has_files_left":      {`update sheetdrop.upload_token set files = 2`, `update sheetdrop.upload_token set files = -1`},
	"upload_token_has_bytes_left":      {`update sheetdrop.upload_token set bytes = 2`, `update sheetdrop.upload_token set bytes = -1`},
	"upload_token_lives_an_hour":       {`update sheetdrop.upload_token set expires_at = created_at + interval '61 minutes'`},
	"upload_token_task_pkey":           {again("upload_token_task", `{}`)},
	"upload_token_task_token_id_fkey":  {`update sheetdrop.upload_token_task set token_id = gen_random_uuid()`},

	"sheet_view_pkey":                {again("sheet_view", `{"name": "other"}`)},
	"sheet_view_owner_name_key":      {again("sheet_view", newID+`}`)},
	"sheet_view_name_check":          {`update sheetdrop.sheet_view set name = ''`, `update sheetdrop.sheet_view set name = repeat('x', 64)`},
	"owner_schema_pkey":              {again("owner_schema", `{"schema_name": "data"}`)},
	"owner_schema_schema_name_key":   {again("owner_schema", `{"owner": "other"}`)},
	"owner_schema_schema_name_check": {`update sheetdrop.owner_schema set schema_name = 'public'`},

	"target_pkey":          {again("target", `{"name": "other", "table_name": "other"}`)},
	"target_owner_check":   {`update sheetdrop.target set owner = ''`},
	"target_name_check":    {`update sheetdrop.target set name = ''`, `update sheetdrop.target set name = repeat('x', 58)`},
	"target_version_check": {`update sheetdrop.target set version = 0`},
	"target_kind_check":    {`update sheetdrop.target set kind = 'OTHER'`},
	"target_is_no_system_table": {
		`update sheetdrop.target set schema_name = 'sheetdrop'`, `update sheetdrop.target set schema_name = 'pg_catalog'`,
		`update sheetdrop.target set schema_name = 'information_schema'`,
	},
	"target_has_its_own_tables":     {`update sheetdrop.target set name = '_x'`, `update sheetdrop.target set name = 'x__was'`, `update sheetdrop.target set name = 'x__seen'`},
	"target_version_pkey":           {again("target_version", `{}`)},
	"target_version_target_id_fkey": {`update sheetdrop.target_version set target_id = gen_random_uuid()`},
	"target_version_version_check":  {`update sheetdrop.target_version set version = 0`},
	"webhook_pkey":                  {again("webhook", `{}`)},
	"webhook_owner_check":           {`update sheetdrop.webhook set owner = ''`},
	"webhook_url_check":             {`update sheetdrop.webhook set url = ''`, `update sheetdrop.webhook set url = repeat('x', 2049)`},
	"webhook_description_check":     {`update sheetdrop.webhook set description = repeat('x', 201)`},
	"webhook_statuses_check":        {`update sheetdrop.webhook set statuses = '{}'`, `update sheetdrop.webhook set statuses = '{PENDING}'`},
	"webhook_target_ids_check":      {`update sheetdrop.webhook set target_ids = '{}'`},
	"webhook_secret_check":          {`update sheetdrop.webhook set secret = '\x00'`},
	"webhook_old_secret_check":      {`update sheetdrop.webhook set old_secret = '\x00', old_secret_until = now()`},
	"webhook_secret_until_deleted":  {`update sheetdrop.webhook set secret = null`, `update sheetdrop.webhook set deleted_at = now()`},
	"webhook_old_secret_has_end":    {`update sheetdrop.webhook set old_secret = sha256('')`, `update sheetdrop.webhook set old_secret_until = now()`},
	"webhook_disabled_by_check":     {`update sheetdrop.webhook set disabled_at = now(), disabled_by = 'nobody'`},
	"webhook_disabled_has_somebody": {`update sheetdrop.webhook set disabled_at = now()`, `update sheetdrop.webhook set disabled_by = 'owner'`},

	"webhook_delivery_pkey":            {again("webhook_delivery", `{"seq": 100}`)},
	"webhook_delivery_webhook_id_fkey": {`update sheetdrop.webhook_delivery set webhook_id = gen_random_uuid()`},
	"webhook_delivery_status_check":    {`update sheetdrop.webhook_delivery set status = 'SENT' where status = 'DEAD'`},
	"webhook_delivery_attempts_check":  {`update sheetdrop.webhook_delivery set attempts = -1`},
	"webhook_delivery_took_ms_check":   {`update sheetdrop.webhook_delivery set took_ms = -1`},
	"webhook_delivery_lease_only_while_pending": {
		`update sheetdrop.webhook_delivery set locked_by = gen_random_uuid(), locked_until = now() where status = 'DELIVERED'`,
	},
	"webhook_delivery_lease_has_holder_and_end": {
		`update sheetdrop.webhook_delivery set locked_by = gen_random_uuid() where status = 'PENDING'`,
		`update sheetdrop.webhook_delivery set locked_until = now() where status = 'PENDING'`,
	},
	"webhook_delivery_ended_unless_pending": {
		`update sheetdrop.webhook_delivery set ended_at = now() where status = 'PENDING'`, `update sheetdrop.webhook_delivery set ended_at = null where status = 'DEAD'`,
	},

	"target_share_pkey":            {again("target_share", `{}`)},
	"target_share_target_id_fkey":  {`update sheetdrop.target_share set target_id = gen_random_uuid()`},
	"target_share_grantee_check":   {`update sheetdrop.target_share set grantee = ''`},
	"target_share_may_check":       {`update sheetdrop.target_share set may = 'own'`},
	"header_choice_pkey":           {again("header_choice", `{}`)},
	"header_choice_target_id_fkey": {`update sheetdrop.header_choice set target_id = gen_random_uuid()`},
	"target_load_pkey":             {again("target_load", `{}`)},
	"target_load_target_id_fkey":   {`update sheetdrop.target_load set target_id = gen_random_uuid()`},
	"target_load_mode_check":       {`update sheetdrop.target_load set mode = 'merge'`},

	"alert_pkey":              {again("alert", `{}`)},
	"alert_kind_check":        {`update sheetdrop.alert set kind = 'other'`},
	"owner_usage_pkey":        {again("owner_usage", `{}`)},
	"owner_usage_files_check": {`update sheetdrop.owner_usage set files = -1`},
	"owner_usage_bytes_check": {`update sheetdrop.owner_usage set bytes = -1`},
	"owner_usage_tasks_check": {`update sheetdrop.owner_usage set tasks = -1`},
	"recovery_pkey":           {again("recovery", `{}`)},
	"reconciler_pkey":         {`insert into sheetdrop.reconciler default values`},
	"reconciler_one_check":    {`update sheetdrop.reconciler set one = false`},
}

const newID = `{"id": "00000000-0000-7000-8000-000000000000"`

// again inserts each row of a table a second time, with some columns changed.
func again(table, changes string) string {
	return fmt.Sprintf(`insert into sheetdrop.%[1]s select (jsonb_populate_record(r, '%[2]s')).* from sheetdrop.%[1]s r`, table, changes)
}

func task(status, set string) string {
	return fmt.Sprintf(`update sheetdrop.task set %s where status = '%s'`, set, status)
}

func message(status, set string) string {
	return fmt.Sprintf(`update sheetdrop.outbox_message set %s where status = '%s'`, set, status)
}

// States that cannot be are refused by the database itself, whatever a program's mistake is.
func TestConstraintsRefuseImpossibleStates(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), devtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), seed); err != nil {
		t.Fatalf("a state that may be is refused: %v", err)
	}
	for _, constraint := range slices.Sorted(maps.Keys(violations)) {
		for _, sql := range violations[constraint] {
			_, err := conn.Exec(t.Context(), sql)
			pgErr, ok := errors.AsType[*pgconn.PgError](err)
			if !ok || strings.Replace(pgErr.ConstraintName, "outbox_history_00", "outbox_history", 1) != constraint { // a partition has a copy
				t.Errorf("%s\nended with %v, want %s", sql, err, constraint)
			}
		}
	}

	rows, err := conn.Query(t.Context(), `select conname from pg_constraint
where connamespace = 'sheetdrop'::regnamespace and contype <> 'n' and conislocal and conrelid <> 'sheetdrop.schema_version'::regclass`)
	if err != nil {
		t.Fatal(err)
	}
	constraints, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(constraints)
	if tested := slices.Sorted(maps.Keys(violations)); !slices.Equal(constraints, tested) {
		t.Errorf("the schema has the constraints\n%v\ntested are\n%v", constraints, tested)
	}
}
