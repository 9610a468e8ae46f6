package parse_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"sheetdrop/internal/chaos/pgproxy"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/target"
)

// brokenPrices has two rows and two rejects, in the rows 3 and 4.
const brokenPrices = "article,net\nA,1\nB,\nC,12345678901\nD,4\n"

// corrections sends corrected rejects of a file that was loaded into a target, as the upload API does. Where a record of the content begins
// with a number it gets the key of the reject with that row number.
func (f *fixture) corrections(t *testing.T, of postgres.Upload, into table, content string, change ...func(*target.Request)) postgres.Upload {
	t.Helper()
	return f.correctionsWith(t, of, into, content, `{}`, change...)
}

func (f *fixture) correctionsWith(
	t *testing.T, of postgres.Upload, into table, content, options string, change ...func(*target.Request),
) postgres.Upload {
	t.Helper()
	sheetID := pgtest.Query[int64](t, f.Database, `select id from sheetdrop.sheet where task_id = $1`, of.TaskID)
	lines := strings.SplitAfter(content, "\n")
	for i, line := range lines {
		var row int64
		if n, _ := fmt.Sscanf(line, "%d,", &row); n == 1 {
			_, rest, _ := strings.Cut(line, ",")
			lines[i] = sheet.RejectKey{SheetID: sheetID, RowNo: row, ErrorNo: 1}.String() + "," + rest
		}
	}
	corrects := fmt.Sprintf(`{"corrects":"%s/1",`, of.TaskID)
	options = strings.Replace(strings.Replace(options, "{", corrects, 1), ",}", "}", 1)
	load := f.loadOf(t, of)
	series := pgtest.Query[string](t, f.Database, `select coalesce(series, '') from sheetdrop.target_load where id = $1`, load)
	mode := into.def.Mode
	if mode == target.Replace {
		mode = target.Upsert
	}
	request := func(r *target.Request) { r.Corrects, r.Series, r.Mode = load, series, mode }
	return f.sendWith(t, into, strings.Join(lines, ""), options, append([]func(*target.Request){request}, change...)...)
}

// wantCorrected compares what the corrected task counts now: rows read, loaded, rejected and skipped; those that its load has brought, and
// those that corrections have.
func (f *fixture) wantCorrected(t *testing.T, u postgres.Upload, want string) {
	t.Helper()
	got := pgtest.Query[string](t, f.Database, `select concat_ws(' ', summary->'rows_read', summary->'rows_loaded', summary->'rows_rejected', summary->'rows_skipped') || ': ' ||
  concat_ws(' ', (summary->'target'->>'inserted')::int + (summary->'target'->>'updated')::int + (summary->'target'->>'unchanged')::int, coalesce(summary->'target'->'corrected', '0')) ||
  case when (s.rows_loaded, s.rows_rejected) = ((summary->>'rows_loaded')::int, (summary->>'rows_rejected')::int) then '' else ' and its sheet differs' end
from sheetdrop.task t join sheetdrop.sheet s on s.task_id = t.id where t.id = $1`, u.TaskID)
	if got != want {
		t.Errorf("the corrected task counts %s, want %s", got, want)
	}
}

// wantRefusal compares why a task FAILED.
func (f *fixture) wantRefusal(t *testing.T, u postgres.Upload, code, words string) {
	t.Helper()
	got := pgtest.Query[string](t, f.Database, `select concat_ws(' ', status, error_code, error_detail) from sheetdrop.task where id = $1`, u.TaskID)
	if !strings.HasPrefix(got, "FAILED "+code) || !strings.Contains(got, words) {
		t.Errorf("the task is %s, want FAILED %s …%s…", got, code, words)
	}
}

// What a person has corrected of a target's rejects is loaded into the target: what is accepted once however often it is sent, beside what its
// file has brought, and the rest stays rejected. Undone alone its rejects are open again; with its file nothing of both is left. T1, T3, T4.
func TestCorrectedRejectsJoinTheirLoad(t *testing.T) {
	t.Parallel()
	for kind, def := range map[string]target.Definition{
		"upsert": prices(), "insert": prices(inserting), "keyless": prices(keyless), "replace": prices(func(d *target.Definition) { d.Mode = target.Replace }),
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			w, into := f.worker(t, usual, ""), f.target(t, def)
			run := func(u postgres.Upload) postgres.Upload {
				t.Helper()
				handle(t, w, u)
				return u
			}
			first := run(f.send(t, into, brokenPrices))
			f.wantCorrected(t, first, "4 2 2 0: 2 0")
			const content = "key,net,article,note\n3,2,B,\n4,z,C,\nother,9,E,\n"
			fixed := strings.Replace(content, "key", "sheetdrop_key", 1)

			trial := run(f.correctionsWith(t, first, into, fixed, `{"dry_run":true}`))
			f.wantLoad(t, trial.TaskID, "3 0 2 1: 1 0 0 0")
			f.wantTable(t, into, "A|1.00|-", "D|4.00|-")
			f.wantCorrected(t, first, "4 2 2 0: 2 0")

			second := run(f.corrections(t, first, into, fixed))
			f.wantLoad(t, second.TaskID, "3 1 2 0: 1 0 0 0")
			f.wantTable(t, into, "A|1.00|-", "B|2.00|-", "D|4.00|-")
			f.wantCorrected(t, first, "4 3 1 0: 2 1")
			f.wantRejects(t, first.TaskID, "4 type_mismatch C,12345678901")
			if cells := pgtest.Query[string](t, f.Database, `select r.cells::text from sheetdrop.row_reject r join sheetdrop.sheet s on s.id = r.sheet_id where s.task_id = $1`, first.TaskID); cells != "{C,z}" {
				t.Errorf("what is still rejected has the cells %s, want {C,z} as they were sent", cells)
			}
			if got := pgtest.Query[string](t, f.Database, `select concat_ws(' ', l.corrects = $1, c.row_no = p._row, c.target_row_no, convert_from(c.raw, 'UTF8'))
from `+into.sql+` p join sheetdrop.target_load l on l.id = p._load join sheetdrop.corrected_reject c on c.task_id = l.task_id where article = 'B'`, f.loadOf(t, first)); got != "t t 3 B," {
				t.Errorf("the row comes from %s, want t t 3 B,", got)
			}

			again := run(f.corrections(t, first, into, fixed))
			f.wantLoad(t, again.TaskID, "3 0 2 1: 0 0 0 0")
			f.wantTable(t, into, "A|1.00|-", "B|2.00|-", "D|4.00|-")
			f.wantCorrected(t, first, "4 3 1 0: 2 1")

			run(f.send(t, into, "-", undoes(f.loadOf(t, second))))
			f.wantTable(t, into, "A|1.00|-", "D|4.00|-")
			f.wantCorrected(t, first, "4 2 2 0: 2 0")
			f.wantRejects(t, first.TaskID, "3 required_missing B,", "4 type_mismatch C,12345678901")

			third := run(f.corrections(t, first, into, "sheetdrop_key,article,net\n3,B,2\n4,C,3\n"))
			f.wantTable(t, into, "A|1.00|-", "B|2.00|-", "C|3.00|-", "D|4.00|-")
			f.wantCorrected(t, first, "4 4 0 0: 2 2")
			f.wantRejects(t, first.TaskID)
			undo := run(f.send(t, into, "-", undoes(f.loadOf(t, first))))
			f.wantUndo(t, undo.TaskID, "COMPLETED 4 0 0")
			f.wantTable(t, into)
			if with := pgtest.Query[string](t, f.Database, `select summary->'undo'->>'corrections' from sheetdrop.task where id = $1`, undo.TaskID); with != fmt.Sprintf("[%d, %d]", f.loadOf(t, third), f.loadOf(t, again)) {
				t.Errorf("undone with it are %s", with)
			}
			f.wantCorrected(t, first, "4 2 2 0: 2 0")
			f.wantRejects(t, first.TaskID, "3 required_missing B,", "4 type_mismatch C,12345678901")
			late := run(f.corrections(t, first, into, fixed))
			f.wantRefusal(t, late, "nothing_to_correct", "has been undone")
			f.wantTable(t, into)
		})
	}
}

// Corrections are of the series and of the file of the load that they correct: the next file of the series takes the place of both, and so does
// the same file, parsed again; an undo of that brings both back.
func TestCorrectionsGoWithTheirLoad(t *testing.T) {
	t.Parallel()
	for kind, def := range map[string]target.Definition{"upsert": prices(), "insert": prices(inserting), "keyless": prices(keyless)} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			w, into := f.worker(t, usual, ""), f.target(t, def)
			run := func(u postgres.Upload) postgres.Upload {
				t.Helper()
				handle(t, w, u)
				return u
			}
			const fixed = "sheetdrop_key,article,net\n3,B,2\n"
			january := run(f.send(t, into, brokenPrices, inSeries("tokyo")))
			correction := run(f.corrections(t, january, into, fixed))
			f.wantTable(t, into, "A|1.00|-", "B|2.00|-", "D|4.00|-")

			february := run(f.send(t, into, "article,net\nB,20\n", inSeries("tokyo")))
			f.wantReplaced(t, february.TaskID, "COMPLETED 2 3 0 0")
			f.wantTable(t, into, "B|20.00|-")
			f.wantRefusal(t, run(f.corrections(t, january, into, "sheetdrop_key,article,net\n4,C,3\n")), "nothing_to_correct", fmt.Sprintf("Load %d has taken the place", f.loadOf(t, february)))
			run(f.send(t, into, "-", undoes(f.loadOf(t, february))))
			f.wantTable(t, into, "A|1.00|-", "B|2.00|-", "D|4.00|-")

			second := run(f.again(t, january, into, `{}`, inSeries("tokyo")))
			f.wantReplaced(t, second.TaskID, "COMPLETED 2 3 0 0")
			f.wantTable(t, into, "A|1.00|-", "D|4.00|-")
			run(f.corrections(t, second, into, fixed))
			third := run(f.again(t, january, into, `{}`, inSeries("tokyo")))
			f.wantReplaced(t, third.TaskID, "COMPLETED 2 3 0 0")
			f.wantTable(t, into, "A|1.00|-", "D|4.00|-")
			for _, u := range []postgres.Upload{third, second} {
				run(f.send(t, into, "-", undoes(f.loadOf(t, u))))
				f.wantTable(t, into, "A|1.00|-", "B|2.00|-", "D|4.00|-")
			}

			kept := run(f.again(t, january, into, `{}`, func(r *target.Request) { r.KeepEarlier = true }))
			f.wantReplaced(t, kept.TaskID, "COMPLETED")
			run(f.send(t, into, "-", undoes(f.loadOf(t, kept))))
			undo := run(f.send(t, into, "-", undoes(f.loadOf(t, correction))))
			f.wantUndo(t, undo.TaskID, "COMPLETED 1 0 0")
			f.wantTable(t, into, "A|1.00|-", "D|4.00|-")
		})
	}
}

// A correction that was undone while another load had the place of both does not come back with its load.
func TestCorrectionThatWasUndoneStaysSo(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, prices())
	first := f.send(t, into, brokenPrices)
	handle(t, w, first)
	correction := f.corrections(t, first, into, "sheetdrop_key,article,net\n3,B,2\n")
	handle(t, w, correction)
	second := f.again(t, first, into, `{}`)
	handle(t, w, second)
	f.wantReplaced(t, second.TaskID, "COMPLETED 2 3 0 0")
	f.wantTable(t, into, "A|1.00|-", "D|4.00|-")
	handle(t, w, f.send(t, into, "-", undoes(f.loadOf(t, correction))))
	f.wantCorrected(t, first, "4 2 2 0: 2 0")
	handle(t, w, f.send(t, into, "-", undoes(f.loadOf(t, second))))
	f.wantTable(t, into, "A|1.00|-", "D|4.00|-")
}

// Corrections add to what a replacing load has brought, and take nothing away; but not to what a later one has replaced.
func TestCorrectionsOfAReplacement(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, prices(func(d *target.Definition) { d.Mode = target.Replace }))
	first := f.send(t, into, brokenPrices)
	handle(t, w, first)
	handle(t, w, f.corrections(t, first, into, "sheetdrop_key,article,net\n3,B,2\n"))
	f.wantTable(t, into, "A|1.00|-", "B|2.00|-", "D|4.00|-")
	next := f.send(t, into, "article,net\nE,5\n")
	handle(t, w, next)
	late := f.corrections(t, first, into, "sheetdrop_key,article,net\n4,C,3\n")
	handle(t, w, late)
	f.wantRefusal(t, late, "nothing_to_correct", fmt.Sprintf("Load %d has replaced all rows", f.loadOf(t, next)))
	f.wantTable(t, into, "E|5.00|-")
	handle(t, w, f.send(t, into, "-", undoes(f.loadOf(t, next))))
	f.wantTable(t, into, "A|1.00|-", "B|2.00|-", "D|4.00|-")
}

// Where a later load has replaced a partition, the records for that are rejects again, and the others are loaded.
func TestCorrectionsOfAReplacedPartition(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, prices(func(d *target.Definition) { d.Mode, d.Partition = target.Replace, []string{"valid_from"} }))
	first := f.send(t, into, "article,net,valid_from\nA,1,2024-01-31\nB,,2024-01-31\nC,,2024-02-29\n")
	handle(t, w, first)
	handle(t, w, f.send(t, into, "article,net,valid_from\nE,5,2024-01-31\n"))
	u := f.corrections(t, first, into, "sheetdrop_key,article,net,valid_from\n3,B,2,2024-01-31\n4,C,3,2024-02-29\n")
	handle(t, w, u)
	f.wantLoad(t, u.TaskID, "2 1 1 0: 1 0 0 0")
	f.wantTable(t, into, "C|3.00|2024-02-29", "E|5.00|2024-01-31")
	f.wantRejects(t, first.TaskID, "3 replaced B,,2024-01-31")
	f.wantCorrected(t, first, "3 2 1 0: 1 1")
}

// A key that came in meanwhile is treated as in any load: an insert rejects it, with the new reason at the old reject, and an upsert sets it.
func TestCorrectionsOfAKeyThatIsThere(t *testing.T) {
	t.Parallel()
	for _, def := range []target.Definition{prices(inserting), prices()} {
		t.Run(string(def.Mode), func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			w, into := f.worker(t, usual, ""), f.target(t, def)
			first := f.send(t, into, brokenPrices)
			handle(t, w, first)
			handle(t, w, f.send(t, into, "article,net\nB,20\n"))
			u := f.corrections(t, first, into, "sheetdrop_key,article,net\n3,B,2\n4,C,3\n")
			handle(t, w, u)
			if def.Mode == target.Insert {
				f.wantTable(t, into, "A|1.00|-", "B|20.00|-", "C|3.00|-", "D|4.00|-")
				f.wantLoad(t, u.TaskID, "2 1 1 0: 1 0 0 0")
				f.wantRejects(t, first.TaskID, "3 key_exists B,")
				f.wantCorrected(t, first, "4 3 1 0: 2 1")
				return
			}
			f.wantTable(t, into, "A|1.00|-", "B|2.00|-", "C|3.00|-", "D|4.00|-")
			f.wantLoad(t, u.TaskID, "2 2 0 0: 1 1 0 0")
			f.wantCorrected(t, first, "4 4 0 0: 2 2")
		})
	}
}

// The cells are read as those of the first file were, although the corrected ones alone would not tell how they are written; columns that the
// target does not have are left alone, and one that it had cannot be missing.
func TestCorrectionsAreReadAsTheirFileWas(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, prices())
	first := f.send(t, into, "SKU;Net;Valid From;Menge\nA;1.234,5;31.01.2024;1\nB;x;01.02.2024;2\nC;1,5;bald;viele\nD;2,50;05.01.2024;1\nE;3,00;06.01.2024;1\nF;4,00;07.01.2024;1\nG;5,25;08.01.2024;1\n")
	handle(t, w, first)
	fixed := f.corrections(t, first, into, "sheetdrop_key,SKU,Net,Valid From,Menge\n3,B,1.234,01.02.2024,2\n4,C,\"1,5\",02.03.2024,viele\n")
	handle(t, w, fixed)
	f.wantTable(t, into, "A|1234.50|2024-01-31", "B|1234.00|2024-02-01", "C|1.50|2024-03-02", "D|2.50|2024-01-05",
		"E|3.00|2024-01-06", "F|4.00|2024-01-07", "G|5.25|2024-01-08")
	lacking := f.corrections(t, first, into, "sheetdrop_key,SKU,Valid From,Menge\n3,B,01.02.2024,2\n")
	handle(t, w, lacking)
	f.wantRefusal(t, lacking, "missing_column", "Net")
}

// T1: where the load of corrections ends in the middle, or its worker dies, nothing has changed; then it is loaded, once. So are corrections of
// a load that is taken back while they are read: they are looked at again.
func TestCorrectionsAreExactlyOnce(t *testing.T) {
	t.Parallel()
	for kind, def := range map[string]target.Definition{"upsert": prices(), "keyless": prices(keyless)} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			into := f.target(t, def)
			first := f.send(t, into, brokenPrices)
			handle(t, f.worker(t, usual, ""), first)
			proxy := pgproxy.New(t, f.URL)
			w := f.worker(t, usual, proxy.URL())
			u := f.corrections(t, first, into, "sheetdrop_key,article,net\n3,B,2\n")
			proxy.CutBeforeStatement("delete from sheetdrop.row_reject", 1)
			handle(t, w, u)
			if proxy.Cuts() != 1 {
				t.Errorf("%d connections were cut, want 1", proxy.Cuts())
			}
			f.wantTable(t, into, "A|1.00|-", "D|4.00|-")
			f.wantCorrected(t, first, "4 2 2 0: 2 0")
			handle(t, w, u)
			f.wantTable(t, into, "A|1.00|-", "B|2.00|-", "D|4.00|-")
			f.wantCorrected(t, first, "4 3 1 0: 2 1")

			load := f.loadOf(t, first)
			other := f.Begin(t)
			if _, err := other.Exec(t.Context(), `update sheetdrop.target_load set undone_at = now(), superseded_by = 99 where id = $1`, load); err != nil {
				t.Fatal(err)
			}
			late := f.corrections(t, first, into, "sheetdrop_key,article,net\n4,C,3\n")
			wait := start(t.Context(), w, late)
			f.Await(t, `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%for share%')`)
			if err := other.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := wait(); err != nil {
				t.Error(err)
			}
			f.wantTask(t, late.TaskID, "PENDING 1 0 1")
			handle(t, w, late)
			f.wantRefusal(t, late, "nothing_to_correct", "Load 99 has taken the place")
			f.wantTable(t, into, "A|1.00|-", "B|2.00|-", "D|4.00|-")
		})
	}
}

// A key that was never one of a reject corrects nothing, and what was deleted meanwhile has nothing to correct, nor to open again.
func TestCorrectionsOfWhatIsNotThere(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, prices(keyless))
	first := f.send(t, into, brokenPrices)
	handle(t, w, first)
	forged := f.corrections(t, first, into, "sheetdrop_key,article,net\n2,A,1\n99,Z,1\n")
	handle(t, w, forged)
	f.wantLoad(t, forged.TaskID, "2 0 0 2: 0 0 0 0")
	f.wantTable(t, into, "A|1.00|-", "D|4.00|-")

	correction := f.corrections(t, first, into, "sheetdrop_key,article,net\n3,B,2\n4,C,3\n")
	handle(t, w, correction)
	late := f.corrections(t, first, into, "sheetdrop_key,article,net\n3,B,2\n")
	err := f.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
		_, err := tx.DeleteTaskRows(ctx, first.TaskID)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	handle(t, w, late)
	f.wantRefusal(t, late, "nothing_to_correct", "not any more")
	for more := true; more; {
		if err := f.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) (err error) {
			more, err = tx.PurgeRows(ctx)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	if left := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.corrected_reject`); left != 0 {
		t.Errorf("%d corrected rejects are left of a sheet that is gone", left)
	}
	undo := f.send(t, into, "-", undoes(f.loadOf(t, correction)))
	handle(t, w, undo)
	f.wantUndo(t, undo.TaskID, "COMPLETED 2 0 0")
	f.wantTable(t, into, "A|1.00|-", "D|4.00|-")
}

// A worker of the version before would load a file of corrections as any other file: it returns what it does not know.
func TestCorrectionsAreOrderedAndMarked(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, prices(keyless))
	first := f.send(t, into, brokenPrices)
	handle(t, w, first)
	u := f.corrections(t, first, into, "sheetdrop_key,article,net\n3,B,2\n")
	if got := pgtest.Query[string](t, f.Database, `select concat_ws(' ', ordered, (options->'target'->>'corrects')::bigint = $2) from sheetdrop.task where id = $1`, u.TaskID, f.loadOf(t, first)); got != "t t" {
		t.Errorf("the task is ordered, and names its load: %s, want t t", got)
	}
	wrong := f.corrections(t, first, into, "sheetdrop_key,article,net\n3,B,2\n", func(r *target.Request) { r.Corrects = 99 })
	handle(t, w, u)
	handle(t, w, wrong)
	f.wantRefusal(t, wrong, "nothing_to_correct", "")
	f.wantTable(t, into, "A|1.00|-", "B|2.00|-", "D|4.00|-")
}
