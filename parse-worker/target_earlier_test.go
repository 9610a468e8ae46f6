package parse_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/chaos/pgproxy"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/target"
	"sheetdrop/internal/task"
)

func inSeries(name string) func(*target.Request) {
	return func(r *target.Request) { r.Series = name }
}

// again parses a file into the target once more.
func (f *fixture) again(t *testing.T, u postgres.Upload, into table, options string, change ...func(*target.Request)) postgres.Upload {
	t.Helper()
	request := target.Request{ID: into.id, Name: into.name}
	for _, c := range change {
		c(&request)
	}
	text, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	u.TaskID, u.MessageID = task.NewID(), task.NewID()
	made := postgres.NewTask{FileID: u.File.ID, Options: []byte(options), Target: text, Message: postgres.NewParseMessage(u.MessageID, u.TaskID)}
	err = f.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error { return tx.InsertTasks(ctx, []postgres.NewTask{made}) })
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// wantReplaced compares what a task's summary says of the loads whose place its own took: how many, and rows removed, restored and kept.
func (f *fixture) wantReplaced(t *testing.T, id uuid.UUID, want string) {
	t.Helper()
	got := pgtest.Query[string](t, f.Database, `select concat_ws(' ', status, jsonb_array_length(r->'loads'), r->'removed', r->'restored', r->'kept')
from (select status, coalesce(summary->'target'->'replaced', '{}') from sheetdrop.task where id = $1) as t (status, r)`, id)
	if got != want {
		t.Errorf("replaced: %s, want %s", got, want)
	}
}

// Each branch sends its file and replaces its own rows alone. An undo brings back what the file has replaced, whatever was loaded since.
func TestSeriesReplacesItsOwnRows(t *testing.T) {
	t.Parallel()
	for kind, def := range map[string]target.Definition{"upsert": prices(), "insert": prices(inserting), "keyless": prices(keyless)} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			w, into := f.worker(t, usual, ""), f.target(t, def)
			send := func(content string, change ...func(*target.Request)) postgres.Upload {
				t.Helper()
				u := f.send(t, into, content, change...)
				handle(t, w, u)
				return u
			}
			send("article,net\nT1,1\nT2,2\n", inSeries("東京"))
			send("article,net\nO1,1\n", inSeries("大阪"))
			second := send("article,net\nT2,2\nT3,3\n", inSeries("東京"))
			f.wantReplaced(t, second.TaskID, "COMPLETED 1 2 0 0")
			f.wantLoad(t, second.TaskID, "2 2 0 0: 2 0 0 0")
			f.wantTable(t, into, "O1|1.00|-", "T2|2.00|-", "T3|3.00|-")
			third := send("article,net\nT4,4\n", inSeries("東京"))
			send("article,net\nO2,2\n", inSeries("大阪"))
			f.wantTable(t, into, "O2|2.00|-", "T4|4.00|-")

			undone := send("-", undoes(f.loadOf(t, third)))
			f.wantUndo(t, undone.TaskID, "COMPLETED 1 2 0")
			f.wantTable(t, into, "O2|2.00|-", "T2|2.00|-", "T3|3.00|-")
			send("-", undoes(f.loadOf(t, second)))
			f.wantTable(t, into, "O2|2.00|-", "T1|1.00|-", "T2|2.00|-")
		})
	}
}

// A load that was replaced can be taken back, too: undoing its successor then brings back what was before both.
func TestUndoOfAReplacedLoad(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, prices())
	var sent []postgres.Upload
	for n := range 3 {
		u := f.send(t, into, fmt.Sprintf("article,net\nA%d,1\n", n), inSeries("tokyo"))
		handle(t, w, u)
		sent = append(sent, u)
	}
	undo := f.send(t, into, "-", undoes(f.loadOf(t, sent[1])))
	handle(t, w, undo)
	f.wantUndo(t, undo.TaskID, "COMPLETED 0 0 0")
	f.wantTable(t, into, "A2|1.00|-")
	handle(t, w, f.send(t, into, "-", undoes(f.loadOf(t, sent[2]))))
	f.wantTable(t, into, "A0|1.00|-")
}

// A row of a series that somebody has edited stays when the next file does not have it, and is counted; when it does, the file's values count,
// as in any load, and the edit returns with an undo.
func TestEditedRowsOfASeries(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, prices())
	handle(t, w, f.send(t, into, "article,net\nA,1\nB,2\nC,3\n", inSeries("tokyo")))
	f.Exec(t, `update `+into.sql+` set net = net + 50 where article in ('A', 'B')`)
	second := f.send(t, into, "article,net\nB,20\nD,4\n", inSeries("tokyo"))
	handle(t, w, second)
	f.wantReplaced(t, second.TaskID, "COMPLETED 1 1 0 2")
	f.wantTable(t, into, "A|51.00|-", "B|20.00|-", "D|4.00|-")
	handle(t, w, f.send(t, into, "-", undoes(f.loadOf(t, second))))
	f.wantTable(t, into, "A|51.00|-", "B|52.00|-", "C|3.00|-")
}

// A file that is parsed again with better options leaves no rows of the first reading behind, and none twice; unless the earlier rows are to
// be kept. What would happen can be tried.
func TestParsingAgainReplacesTheEarlierLoad(t *testing.T) {
	t.Parallel()
	for kind, def := range map[string]target.Definition{
		"upsert": prices(), "insert": prices(inserting), "keyless": prices(keyless), "replace": prices(func(d *target.Definition) { d.Mode = target.Replace }),
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			w, into := f.worker(t, usual, ""), f.target(t, def)
			first := f.send(t, into, "article,net\nA,1\nB,2\n")
			handle(t, w, first)
			headless := func(r *target.Request) {
				r.Mapping = map[string]target.Choice{"column_1": {Column: "article"}, "column_2": {Column: "net"}}
			}
			trial := f.again(t, first, into, `{"skip":2,"header":0,"dry_run":true}`, headless)
			handle(t, w, trial)
			f.wantReplaced(t, trial.TaskID, "COMPLETED 1 2 0 0")
			f.wantLoad(t, trial.TaskID, "3 0 0 3: 1 0 0 0")
			f.wantTable(t, into, "A|1.00|-", "B|2.00|-")

			second := f.again(t, first, into, `{"skip":2,"header":0}`, headless)
			handle(t, w, second)
			f.wantReplaced(t, second.TaskID, "COMPLETED 1 2 0 0")
			f.wantTable(t, into, "B|2.00|-")
			handle(t, w, f.send(t, into, "-", undoes(f.loadOf(t, second))))
			f.wantTable(t, into, "A|1.00|-", "B|2.00|-")

			kept := f.again(t, first, into, `{}`, func(r *target.Request) { r.KeepEarlier = true })
			handle(t, w, kept)
			f.wantReplaced(t, kept.TaskID, "COMPLETED")
			if kind == "keyless" {
				f.wantTable(t, into, "A|1.00|-", "A|1.00|-", "B|2.00|-", "B|2.00|-")
			}
		})
	}
}

// The sheets of a workbook are loaded one after the other into one target; each takes only its own place.
func TestSheetsOfAWorkbookStayBesideEachOther(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, prices(keyless))
	content := workbook(t, func(b *excelize.File) error {
		if _, err := b.NewSheet("Feb"); err != nil {
			return err
		}
		for sheet, article := range map[string]string{"Sheet1": "A", "Feb": "B"} {
			for cell, value := range map[string]any{"A1": "article", "B1": "net", "A2": article, "B2": 1} {
				if err := b.SetCellValue(sheet, cell, value); err != nil {
					return err
				}
			}
		}
		return nil
	})
	first := f.sendWith(t, into, string(content), `{"sheet":"Sheet1"}`)
	handle(t, w, first)
	handle(t, w, f.again(t, first, into, `{"sheet":"Feb"}`))
	f.wantTable(t, into, "A|1.00|-", "B|1.00|-")
	handle(t, w, f.again(t, first, into, `{"sheet":"Feb"}`))
	f.wantTable(t, into, "A|1.00|-", "B|1.00|-")
}

// T1: where the load ends in the middle, what it takes the place of is still there; afterwards it is replaced, once.
func TestReplacingIsExactlyOnce(t *testing.T) {
	t.Parallel()
	for kind, def := range map[string]target.Definition{"upsert": prices(), "keyless": prices(keyless)} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			into := f.target(t, def)
			handle(t, f.worker(t, usual, ""), f.send(t, into, "article,net\nA,1\nC,3\n", inSeries("tokyo")))
			proxy := pgproxy.New(t, f.URL)
			w := f.worker(t, usual, proxy.URL())
			u := f.send(t, into, pricesFile, inSeries("tokyo"))
			proxy.CutBeforeStatement("insert into sheetdrop.target_load", 1)
			handle(t, w, u)
			if proxy.Cuts() != 1 {
				t.Errorf("%d connections were cut, want 1", proxy.Cuts())
			}
			f.wantTable(t, into, "A|1.00|-", "C|3.00|-")
			handle(t, w, u)
			f.wantTable(t, into, "A|1.00|-", "B|2.00|-")
			if got := pgtest.Query[string](t, f.Database, `select string_agg(concat_ws(' ', superseded_by is not null, undone_at is not null), ', ' order by id)
from sheetdrop.target_load`); got != "t t, f f" {
				t.Errorf("the loads are %s", got)
			}
		})
	}
}

// A table that refuses rows one by one refuses those of the next file of a series by what it has without the earlier one.
func TestRowsThatATableRefusesOfASeries(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, prices())
	f.Exec(t, `create unique index one_price on `+into.sql+` (net)`)
	handle(t, w, f.send(t, into, "article,net\nX,9\n"))
	handle(t, w, f.send(t, into, "article,net\nA,1\nB,2\n", inSeries("tokyo")))
	u := f.send(t, into, "article,net\nC,1\nD,9\nE,3\n", inSeries("tokyo"))
	handle(t, w, u)
	f.wantTable(t, into, "C|1.00|-", "E|3.00|-", "X|9.00|-")
	f.wantRejects(t, u.TaskID, "3 constraint D,9")
	f.wantReplaced(t, u.TaskID, "COMPLETED 1 2 0 0")
}

// A load that is too old to be undone is not taken back, neither by an undo nor by parsing its file again; the task says why, and nothing has
// changed. The newest of a series is taken back all the same: that is what a series is for.
func TestLoadsThatAreSettled(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, prices())
	first, monthly := f.send(t, into, "article,net\nA,1\n"), f.send(t, into, "article,net\nM,1\n", inSeries("tokyo"))
	handle(t, w, first)
	handle(t, w, monthly)
	f.Exec(t, `update sheetdrop.target_load set settled_at = now()`)
	for _, u := range []postgres.Upload{f.send(t, into, "-", undoes(f.loadOf(t, first))), f.again(t, first, into, `{}`)} {
		handle(t, w, u)
		f.wantTask(t, u.TaskID, "FAILED 1 0 0 undo_expired")
	}
	f.wantTable(t, into, "A|1.00|-", "M|1.00|-")
	kept := f.again(t, first, into, `{}`, func(r *target.Request) { r.KeepEarlier = true })
	handle(t, w, kept)
	f.wantLoad(t, kept.TaskID, "1 1 0 0: 0 0 1 0")
	next := f.send(t, into, "article,net\nN,1\n", inSeries("tokyo"))
	handle(t, w, next)
	f.wantTable(t, into, "A|1.00|-", "N|1.00|-")
	handle(t, w, f.send(t, into, "-", undoes(f.loadOf(t, next))))
	f.wantTable(t, into, "A|1.00|-", "M|1.00|-")
}

// Parsing last month's file again does not put it in the place of this month's.
func TestOldFileOfASeriesIsParsedAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, prices())
	january := f.send(t, into, "article,net\nA,1\n", inSeries("tokyo"))
	february := f.send(t, into, "article,net\nB,2\n", inSeries("tokyo"))
	handle(t, w, january)
	handle(t, w, february)
	old, newest := f.again(t, january, into, `{}`, inSeries("tokyo")), f.again(t, february, into, `{}`, inSeries("tokyo"))
	handle(t, w, old)
	f.wantTask(t, old.TaskID, "FAILED 1 0 0 newer_load")
	handle(t, w, newest)
	f.wantTask(t, newest.TaskID, "COMPLETED 1 0 0")
	f.wantTable(t, into, "B|2.00|-")
}
