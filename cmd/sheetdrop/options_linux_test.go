package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sheetdrop/internal/sheet"
)

// The options by which a file was read can be saved and used again: an upload with the options of a sniff, a preview or an upload has the
// same rows as one without. All options can be given to an upload as flags, which win over a file of them.
func TestSavedOptionsReadAnUploadAlike(t *testing.T) {
	t.Parallel()
	running, query := runLocal(t)
	folder := t.TempDir()
	upload := func(args ...string) (task string) {
		t.Helper()
		if status, _ := run(t, append([]string{"upload", "--again", "--url", running.APIURL}, args...)...); status != 0 {
			t.Fatalf("%q: exit status %d", args, status)
		}
		return query(`select id::text from sheetdrop.task order by created_at desc limit 1`)
	}
	found := func(task string) string {
		t.Helper()
		return query(`select concat(string_agg(concat(s.number, s.columns, s.rows_loaded, s.rows_rejected, s.rows_skipped,
  (select string_agg(r::jsonb - 'sheet_id' #>> '{}', ' ') from (select to_jsonb(r) as r from sheetdrop.sheet_row r where r.sheet_id = s.id order by row_no) r)), ' '))
from sheetdrop.sheet s where s.task_id = $1`, task)
	}
	drawn := filepath.Join(folder, "drawn.csv")
	write(t, drawn, "Prices\n\nid | name | price\n---+------+------\n1 | a | 2\n2 | b | 3\n3,c,4\n\nTotal | | 9\n")
	for i, path := range []string{"samples/orders.csv", "samples/prices.csv", drawn} {
		want := found(upload(path))
		for _, args := range [][]string{{"sniff", path}, {"sniff", "--rows=5", path}, {"upload", "--again", "--url", running.APIURL, path}} {
			options := filepath.Join(folder, args[0]+string(rune('a'+i))+".json")
			if status, _ := run(t, append(args, "--save-options", options)...); status != 0 {
				t.Errorf("%q: exit status %d", args, status)
			}
			task := upload("--options", options, path)
			if got := found(task); got != want || got == "" {
				t.Errorf("%s with the options of %s has\n%s\nwant\n%s", path, args[0], got, want)
			}
			if sent := query(`select (options <> '{}')::text from sheetdrop.task where id::text = $1`, task); sent != "true" {
				t.Error("the task has no options")
			}
		}
	}
	kept := filepath.Join(folder, "kept.json")
	write(t, kept, `{"delimiter":";","header":1,"columns":[{"name":"a","type":"integer"}]}`)
	prices := filepath.Join("samples", "prices.csv")
	upload("--options", kept, "--header=0", "--column=column_1:text", "--encoding=cp932", "--skip=2", "--footer=none", "--quote=none", "--policy=limit:100",
		"--skip-space=true", "--mixed-delimiters=true", "--header-rule=true", "--row-names=false", "--fill-down=true", "--hidden=true", "--dry-run=true", prices)
	const want = `{"skip": 2, "quote": "none", "footer": "none", "header": 0, "hidden": true, "policy": "limit:100", "columns": [{"name": "column_1", "type": "text"}], "dry_run": true, "encoding": "cp932", "delimiter": ";", "fill_down": true, "skip_space": true, "header_rule": true, "mixed_delimiters": true}`
	if got := query(`select options::text from sheetdrop.task order by created_at desc limit 1`); got != want {
		t.Errorf("the task has %s", got)
	}
	for args, message := range map[string]string{
		"upload --delimiter=x " + prices:                                     "delimiter",
		"upload --options=" + prices + " " + prices:                          "JSON object",
		"upload --save-options=" + kept + " " + prices + " " + prices:        "--save-options goes with one file",
		"sniff --save-options=" + kept + " " + "samples/stock.xlsx":          "2 sheets were read",
		"sniff --rows=5 --save-options=" + kept + " " + "samples/stock.xlsx": "2 sheets were read",
		"sniff --rows=1001 " + prices:                                        "--rows: 1 to 1000",
	} {
		if status, p := run(t, strings.Fields(args)...); status != 2 || !strings.Contains(p.progress.String(), message) {
			t.Errorf("%s: exit status %d", args, status)
		}
	}
}

// What sniff --rows prints is a preview: the same JSON as over HTTP, of the beginning of the file alone.
func TestSniffRows(t *testing.T) {
	t.Parallel()
	status, p := run(t, "sniff", "--rows=2", "--json", "samples/prices.csv")
	var found sheet.Preview
	if err := json.Unmarshal([]byte(p.out.String()), &found); err != nil || status != 0 {
		t.Fatalf("exit status %d, %v", status, err)
	}
	if s := found.Sheets[0]; !found.Complete || len(s.Rows) != 2 || s.RowsAccepted != 40 || s.Options.Delimiter != ";" {
		t.Errorf("%+v", found)
	}
	long := filepath.Join(t.TempDir(), "long.csv")
	write(t, long, "id,note\n"+strings.Repeat("1,\"two\nlines\"\n", 1<<20))
	status, p = run(t, "sniff", "--rows=2", long)
	if status != 0 {
		t.Errorf("exit status %d", status)
	}
	want(t, p.out.String(), ", of which the beginning was read\n", "9999 rows read: 9999 accepted, 0 rejected, 0 skipped", "  rows:\n  id       note\n  integer  text\n  1        two↵lines\n")
	bad := filepath.Join(t.TempDir(), "bad.csv")
	if err := os.WriteFile(bad, []byte("%PDF-1.7"), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, p := run(t, "sniff", "--rows=2", bad); status != 1 {
		t.Errorf("exit status %d", status)
	} else {
		want(t, p.progress.String(), "a PDF document")
	}
}
