package crash

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres/pgtest"
	engine "sheetdrop/internal/sheet"
)

const correctedSheet = 1_000_000 // the id of the sheet that is corrected

// byCorrections is what happens to rejects that a person has corrected.
var byCorrections = map[string]scenario{
	"corrected rejects are sent back": {prepare: completedSheet, act: sendCorrections, after: func(t *testing.T, s *scene) {
		s.Database.Await(t, `select (rows_loaded, rows_rejected) = (6, 0) and (select count(*) = 1 from sheetdrop.corrected_reject)
from sheetdrop.sheet where id = $1`, correctedSheet)
	}},
	"corrected rejects of a target are sent back": {prepare: completedLoad, act: sendCorrections, after: func(t *testing.T, s *scene) {
		s.Database.Await(t, `select (count(*), sum(id), count(distinct _load)) = (6, 15, 2) and (select count(corrects) = 1 from sheetdrop.target_load)
  and (select summary->'target'->>'corrected' = '1' from sheetdrop.task where id = $1) and (select count(*) = 1 from sheetdrop.corrected_reject)
from data.list`, s.files[0].task)
	}},
	"a load with corrections is undone": {prepare: completedCorrection, act: func(t *testing.T, s *scene) {
		s.files[0].again, s.files[0].corrected = 1, false
		s.insist(t, http.MethodPost, pgtest.Query[string](t, s.Database,
			`select concat('/api/targets/', target_id, '/loads/', id, '/undo') from sheetdrop.target_load where corrects is null`),
			nil, nil, http.StatusConflict) // an answer that was lost
	}, after: func(t *testing.T, s *scene) {
		s.Database.Await(t, `select count(*) = 0 and (select count(undone_at) = 2 from sheetdrop.target_load)
  and (select rows_loaded = 5 and rows_rejected = 1 from sheetdrop.sheet where id = $1) and (select count(*) = 0 from sheetdrop.corrected_reject)
from data.list`, correctedSheet)
	}},
}

// completedLoad leaves a file that was loaded into a target, with a reject.
func completedLoad(t *testing.T, s *scene) {
	t.Helper()
	filesFor(upserted)(t, s)
	completedSheet(t, s)
	s.files[0].elsewhere = true
	s.Exec(t, `delete from sheetdrop.sheet_row`)
	s.Exec(t, `with load as (
  insert into sheetdrop.target_load (id, target_id, task_id, file_id, file_name, sheet_number, version, mode, columns, mapping, inserted)
  select nextval('sheetdrop.load_id'), g.id, t.id, t.source_file_id, 'first.csv', 1, 1, 'upsert', '{id,text}',
    '{"columns":[{"header":"id","column_no":1,"column":"id","format":"0"},{"header":"text","column_no":2,"column":"text"}]}', 5
  from sheetdrop.task t cross join sheetdrop.target g returning id, target_id
), of as (
  update sheetdrop.task t set options = jsonb_build_object('target', jsonb_build_object('id', l.target_id, 'name', 'list')), target_id = l.target_id, ordered = true,
    turn = nextval('sheetdrop.turn'), summary = summary || jsonb_build_object('target', jsonb_build_object('name', 'list', 'load', l.id, 'inserted', 5))
  from load l returning l.id
)
insert into data.list (id, text, _load, _row) select i, 'x', of.id, i + 2 from of cross join generate_series(0, 4) i`)
}

// completedCorrection leaves such a file whose reject was corrected.
func completedCorrection(t *testing.T, s *scene) {
	t.Helper()
	completedLoad(t, s)
	s.store(t, sheet(5, 10))
	g := s.files[1]
	g.emptied = true
	s.Exec(t, `update sheetdrop.task set status = 'COMPLETED', attempt = 1, started_at = now(), finished_at = now(), summary =
'{"rows_read":1,"rows_loaded":1,"rows_rejected":0,"rows_skipped":0,"sheets":[]}' where id = $1`, g.task)
	s.Exec(t, `insert into sheetdrop.target_load (id, target_id, task_id, file_id, file_name, sheet_number, version, mode, columns, mapping, inserted, corrects)
select nextval('sheetdrop.load_id'), target_id, $1, $2, 'fixed.csv', 1, 1, 'upsert', columns, mapping, 1, id from sheetdrop.target_load`, g.task, g.id)
	s.Exec(t, `insert into data.list (id, text, _load, _row) select 5, 'one', id, 2 from sheetdrop.target_load where corrects is not null`)
	s.Exec(t, `with gone as (delete from sheetdrop.row_reject r returning r.*)
insert into sheetdrop.corrected_reject (sheet_id, row_no, error_no, task_id, target_sheet_id, target_row_no, target_error_no, loaded_row_no, raw, reject)
select $1, 2, 0, $2, sheet_id, row_no, error_no, 2, raw, to_jsonb(gone) - 'raw' from gone`, correctedSheet+1, g.task)
	s.Exec(t, `update sheetdrop.sheet set rows_loaded = 6, rows_rejected = 0`)
	s.Exec(t, `update sheetdrop.task set summary = jsonb_set(summary || '{"rows_loaded":6,"rows_rejected":0}', '{target,corrected}', '1') where id = $1`, s.files[0].task)
}

// completedSheet leaves a file that was loaded, with a reject.
func completedSheet(t *testing.T, s *scene) {
	t.Helper()
	s.store(t, sheet(5, 10))
	s.files[0].corrected = true
	s.Exec(t, `insert into sheetdrop.sheet (id, task_id, number, name, visible, dialect, columns, rows_read, rows_loaded, rows_rejected, rows_skipped)
select $1, id, 1, '', true, '{"delimiter":","}', '[{"name":"id","label":"id","type":"integer","format":"0"},{"name":"text","label":"text","type":"text"}]', 6, 5, 1, 0
from sheetdrop.task`, correctedSheet)
	s.Exec(t, `insert into sheetdrop.sheet_row (sheet_id, row_no, cells) select $1, i + 2, array[i::text, 'x'] from generate_series(0, 4) i`, correctedSheet)
	s.Exec(t, `insert into sheetdrop.row_reject (sheet_id, row_no, error_no, code, message, raw) values ($1, 7, 1, 'extra_cell', 'One cell too many.', 'one,cell,too many')`,
		correctedSheet)
	s.Exec(t, `update sheetdrop.task set status = 'COMPLETED', attempt = 1, started_at = now(), finished_at = now(), summary =
'{"rows_read":6,"rows_loaded":5,"rows_rejected":1,"rows_skipped":0,"sheets":[{"number":1,"name":"","rows_loaded":5,"rows_rejected":1}]}'`)
}

// sendCorrections sends the reject as a row, and a record that corrects none.
func sendCorrections(t *testing.T, s *scene) {
	t.Helper()
	key := engine.RejectKey{SheetID: correctedSheet, RowNo: 7, ErrorNo: 1}.String()
	number := "0"
	if s.files[0].elsewhere { // where no two rows have one
		number = "5"
	}
	f := &file{key: uuid.NewString(), content: []byte("id,text,sheetdrop_key\n" + number + ",one," + key + "\n1,two,another\n"), want: "COMPLETED"}
	f.elsewhere = s.files[0].elsewhere
	header := http.Header{"Content-Type": {"application/octet-stream"}, "Idempotency-Key": {f.key}}
	text := s.insist(t, http.MethodPost, "/api/files?name=fixed.csv&corrects="+s.files[0].task.String()+"/1", header, f.content)
	var answer struct{ File, Task struct{ ID uuid.UUID } }
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("the answer to an upload: %v in %s", err, text)
	}
	f.id, f.task = answer.File.ID, answer.Task.ID
	s.files = append(s.files, f)
}
