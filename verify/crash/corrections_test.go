package crash

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/uuid"

	engine "sheetdrop/internal/sheet"
)

const correctedSheet = 1_000_000 // the id of the sheet that is corrected

// byCorrections is what happens to rejects that a person has corrected.
var byCorrections = map[string]scenario{
	"corrected rejects are sent back": {prepare: completedSheet, act: sendCorrections, after: func(t *testing.T, s *scene) {
		s.Database.Await(t, `select (rows_loaded, rows_rejected) = (6, 0) and (select count(*) = 1 from sheetdrop.corrected_reject)
from sheetdrop.sheet where id = $1`, correctedSheet)
	}},
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
	f := &file{key: uuid.NewString(), content: []byte("id,text,sheetdrop_key\n0,one," + key + "\n1,two,another\n"), want: "COMPLETED"}
	header := http.Header{"Content-Type": {"application/octet-stream"}, "Idempotency-Key": {f.key}}
	text := s.insist(t, http.MethodPost, "/api/files?name=fixed.csv&corrects="+s.files[0].task.String()+"/1", header, f.content)
	var answer struct{ File, Task struct{ ID uuid.UUID } }
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("the answer to an upload: %v in %s", err, text)
	}
	f.id, f.task = answer.File.ID, answer.Task.ID
	s.files = append(s.files, f)
}
