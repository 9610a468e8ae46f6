package upload

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"sheetdrop/upload-api/internal/problem"
)

// P8: rejects are corrected by their owner alone, and nothing is kept of a file that could correct none.
func TestCorrectionsNeedASheetOfOnesOwn(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n1\n")
	path := "/api/files?name=b.csv&corrects=" + url.QueryEscape(taken.Task.ID.String()+"/1")
	send := func(path string) answer {
		return d.send(http.MethodPost, path, strings.NewReader("a\n1\n"), "Content-Type: text/csv")
	}
	send(path).problem(problem.NotFound) // not COMPLETED yet
	sheetID := sheetOf(d, taken.Task.ID, "a")
	send(strings.Replace(path, "%2F1", "%2F2", 1)).problem(problem.NotFound)
	send("/api/files?name=b.csv&corrects=1").problem(problem.InvalidOption)
	send(path + "&column=a:text").problem(problem.InvalidOption)
	d.exec(`update sheetdrop.source_file set owner = 'another'`)
	send(path).problem(problem.NotFound)
	d.send(http.MethodPost, strings.Replace(path, "/files?name=b.csv&", "/uploads?", 1), strings.NewReader(`{"name":"b.csv","size_bytes":5}`),
		"Content-Type: application/json").problem(problem.NotFound)
	d.exec(`update sheetdrop.source_file set owner = 'local'`)
	d.exec(`update sheetdrop.task set options = '{"dry_run":true}'`)
	send(path).problem(problem.NotFound)
	d.exec(`update sheetdrop.task set options = '{"corrects":"x/1"}'`) // the rejects of corrections are those of the sheet that they correct
	send(path).problem(problem.NotFound)
	var files, blobs int
	d.query(&files, `select count(*) from sheetdrop.source_file`)
	if d.query(&blobs, `select count(*) from sheetdrop.upload`); files != 1 || blobs != 0 || sheetID == 0 {
		t.Errorf("%d files and %d uploads are left", files, blobs)
	}
	d.exec(`update sheetdrop.task set options = '{}'`)
	send(path).into(http.StatusAccepted, &FileAndTask{})
}

// Corrected rejects of a load go into the target into which it went, as it did; and the next step is said where they cannot any more. The
// bytes of what is refused are not kept.
func TestCorrectionsGoIntoTheTargetOfTheirLoad(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n1\n")
	sheetOf(d, taken.Task.ID, "a")
	into := d.target(pricesTarget)
	d.exec(`update sheetdrop.task set options = jsonb_build_object('target', jsonb_build_object('id', $1::uuid, 'name', 'prices')), target_id = $1`, into.ID)
	d.exec(`insert into sheetdrop.target_load (id, target_id, task_id, file_id, file_name, sheet_number, version, mode, columns, mapping, series)
values (7, $1, $2, $3, 'a.csv', 1, 1, 'replace', '{a}', '{"columns":[]}', 'tokyo')`, into.ID, taken.Task.ID, taken.File.ID)
	path := "/api/files?name=b.csv&corrects=" + url.QueryEscape(taken.Task.ID.String()+"/1")
	send := func(path string, headers ...string) answer {
		return d.send(http.MethodPost, path, strings.NewReader("a\n1\n"), append(headers, "Content-Type: text/csv")...)
	}
	if p := send(path + "&target=prices").problem(problem.InvalidOption); !strings.Contains(p.Detail, "name no target") {
		t.Error(p.Detail)
	}
	for _, c := range []struct{ change, back, words string }{
		{`update sheetdrop.target_load set undone_at = now()`, `update sheetdrop.target_load set undone_at = null`, "has been undone. Parse its file again"},
		{`update sheetdrop.target_load set undone_at = now(), superseded_by = 8`, `update sheetdrop.target_load set undone_at = null, superseded_by = null`,
			"Load 8 has taken the place"},
		{`insert into sheetdrop.target_load (id, target_id, task_id, file_id, file_name, sheet_number, version, mode, columns, mapping, scope)
select 9, target_id, gen_random_uuid(), gen_random_uuid(), 'c.csv', 1, 1, 'replace', '{a}', '{"columns":[]}', '{"columns":[]}' from sheetdrop.target_load`,
			`delete from sheetdrop.target_load where id = 9`, "Load 9 has replaced all rows"},
	} {
		d.exec(c.change)
		if p := send(path).problem(problem.CannotCorrect); !strings.Contains(p.Detail, c.words) {
			t.Errorf("%s: %s", c.words, p.Detail)
		}
		if p := send(path, "Accept-Language: ja").problem(problem.CannotCorrect); !strings.HasPrefix(p.Detail, "corrects: ") || strings.Contains(p.Detail, c.words) {
			t.Errorf("%s in Japanese: %s", c.words, p.Detail)
		}
		d.exec(c.back)
	}
	d.exec(`update sheetdrop.target set owner = 'another'`)
	send(path).problem(problem.NoSuchTarget)
	d.exec(`update sheetdrop.target set owner = 'local'`)
	var blobs int
	d.query(&blobs, `select count(*) from sheetdrop.source_file`)
	if names := d.blobNames(); blobs != 1 || len(names) != 1 {
		t.Errorf("%d files and the blobs %q are left of what was refused", blobs, names)
	}

	var made FileAndTask
	send(path).into(http.StatusAccepted, &made)
	wanted := func(task any) {
		t.Helper()
		var got string
		d.query(&got, `select concat_ws(' ', ordered, target_id = $2, options->'target'->>'name', options->'target'->>'mode', options->'target'->>'series', options->'target'->>'corrects')
from sheetdrop.task where id = $1`, task, into.ID)
		if got != "t t prices upsert tokyo 7" {
			t.Errorf("the task of the corrections: %s", got)
		}
	}
	wanted(made.Task.ID)
	d.exec(`update sheetdrop.task set status = 'CANCELLED', finished_at = now() where id = $1`, made.Task.ID)
	for _, query := range []string{"", "?corrects=" + url.QueryEscape(taken.Task.ID.String()+"/1")} {
		var again Task
		d.post("/api/files/"+made.File.ID.String()+"/tasks"+query, "").into(http.StatusAccepted, &again)
		wanted(again.ID)
		d.exec(`update sheetdrop.task set status = 'CANCELLED', finished_at = now() where id = $1`, again.ID)
	}
}
