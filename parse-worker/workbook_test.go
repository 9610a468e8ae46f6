package parse_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/postgres/pgtest"
)

// workbook makes a workbook; arrange fills it in.
func workbook(t *testing.T, arrange func(b *excelize.File) error) []byte {
	t.Helper()
	b := excelize.NewFile()
	defer b.Close()
	if err := arrange(b); err != nil {
		t.Fatal(err)
	}
	var content bytes.Buffer
	if err := b.Write(&content); err != nil {
		t.Fatal(err)
	}
	return content.Bytes()
}

// changePart replaces one part of a workbook; the zip file around it is sound.
func changePart(t *testing.T, workbook []byte, part string, change func(old []byte) []byte) []byte {
	t.Helper()
	parts, err := zip.NewReader(bytes.NewReader(workbook), int64(len(workbook)))
	if err != nil {
		t.Fatal(err)
	}
	var content bytes.Buffer
	out := zip.NewWriter(&content)
	for _, file := range parts.File {
		in, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		if file.Name == part {
			text = change(text)
		}
		to, err := out.Create(file.Name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := to.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return content.Bytes()
}

// P3, P5: a workbook whose second sheet breaks off: FAILED, with what was found of its sheets and its first 1,000 rejects, for people to
// see; without a single row.
func TestRejectsOfADamagedWorkbookAreKept(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	const others, rejected = 300, 1100
	content := workbook(t, func(b *excelize.File) error {
		if _, err := b.NewSheet("Sheet2"); err != nil {
			return err
		}
		for _, sheet := range []string{"Sheet1", "Sheet2"} {
			if err := b.SetSheetRow(sheet, "A1", &[]any{"id"}); err != nil {
				return err
			}
			for row := 2; row < others+2; row++ {
				if err := b.SetSheetRow(sheet, fmt.Sprintf("A%d", row), &[]any{row}); err != nil {
					return err
				}
			}
			for row := others + 2; row < others+rejected+2; row++ {
				if err := b.SetSheetRow(sheet, fmt.Sprintf("A%d", row), &[]any{row, "one too many", "and one"}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	u := f.upload(t, string(changePart(t, content, "xl/worksheets/sheet2.xml", func(old []byte) []byte { return old[:len(old)/2] })))
	handle(t, f.worker(t, usual, ""), u)
	f.wantTask(t, u.TaskID, "FAILED 1 0 0 damaged_file")
	f.wantRows(t)
	sheet := pgtest.Query[string](t, f.Database, `select concat_ws(' ', name, rows_read, rows_loaded, rows_rejected) from sheetdrop.sheet where number = 1`)
	if want := fmt.Sprintf("Sheet1 %d 0 %d", rejected+others, rejected); sheet != want {
		t.Errorf("sheet: %s, want %s", sheet, want)
	}
	kept := pgtest.Query[string](t, f.Database, `select concat_ws(' ', count(*), min(row_no), max(row_no), bool_and(sheet_id = (select id from sheetdrop.sheet where number = 1)),
bool_and(code = 'extra_cell'), min(convert_from(raw, 'UTF8'))) from sheetdrop.row_reject`)
	if want := fmt.Sprintf("1000 %d %d t t 1000\tone too many\tand one", others+2, others+1001); kept != want {
		t.Errorf("rejects: %s, want %s", kept, want)
	}
}

// Hidden sheets are named and not loaded: what people cannot see is nothing that they meant to send.
func TestHiddenSheetsAreNotLoaded(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	content := workbook(t, func(b *excelize.File) error {
		for sheet, cell := range map[string]string{"Sheet1": "seen", "Secret": "hidden"} {
			if _, err := b.NewSheet(sheet); err != nil {
				return err
			}
			for row, text := range []string{"header", cell} {
				if err := b.SetCellStr(sheet, fmt.Sprintf("A%d", row+1), text); err != nil {
					return err
				}
			}
		}
		return b.SetSheetVisible("Secret", false)
	})
	u := f.upload(t, string(content))
	handle(t, f.worker(t, usual, ""), u)
	f.wantTask(t, u.TaskID, "COMPLETED 1 0 0")
	f.wantRows(t, "{seen}")
	sheets := pgtest.Query[string](t, f.Database, `select string_agg(concat_ws(' ', name, visible, rows_read, rows_loaded, jsonb_array_length(columns)), ', ' order by number) from sheetdrop.sheet`)
	if want := "Sheet1 t 1 1 1, Secret f 0 0 0"; sheets != want {
		t.Errorf("sheets: %s, want %s", sheets, want)
	}
}

// P5: rows whose number stands twice, or cannot be, come as they stand in the file: each reject is kept, and what is read is counted once.
func TestRejectsOfOneRowNumber(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	const cell = `<c r="%c%d"><v>%d</v></c>`
	row := func(no int, cells string) string { return fmt.Sprintf(`<row r="%d">%s</row>`, no, cells) }
	two := func(no, value int) string {
		return fmt.Sprintf(cell, 'A', no, value) + fmt.Sprintf(cell, 'B', no, value)
	}
	rows := row(1, `<c r="A1" t="str"><v>a</v></c>`) +
		row(4, fmt.Sprintf(cell, 'A', 4, 40)) + // out of order: loaded all the same
		row(2, two(2, 20)) + row(2, two(2, 21)) + row(2, two(2, 22)) + // one cell too many, and then twice the same number as well
		row(3, fmt.Sprintf(cell, 'A', 3, 30)) + row(3, fmt.Sprintf(cell, 'A', 3, 31)) +
		`<row r="x">` + two(9, 50) + `</row>`
	content := changePart(t, workbook(t, func(*excelize.File) error { return nil }), "xl/worksheets/sheet1.xml", func([]byte) []byte {
		return []byte(`<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>` + rows + `</sheetData></worksheet>`)
	})
	u := f.upload(t, string(content))
	handle(t, f.worker(t, usual, ""), u)
	f.wantTask(t, u.TaskID, "COMPLETED 1 0 0")
	f.wantRows(t, "{30}", "{40}")
	counts := pgtest.Query[string](t, f.Database, `select concat_ws(' ', rows_read, rows_loaded, rows_rejected, rows_skipped) from sheetdrop.sheet`)
	if want := "7 2 5 0"; counts != want {
		t.Errorf("read, loaded, rejected, skipped: %s, want %s", counts, want)
	}
	rejects := pgtest.Query[string](t, f.Database, `select string_agg(concat_ws(' ', row_no, code, replace(convert_from(raw, 'UTF8'), E'\t', '|')), ', ' order by row_no, error_no) from sheetdrop.row_reject where raw is not null`)
	if want := "2 extra_cell 20|20, 2 duplicate_row 21|21, 2 duplicate_row 22|22, 3 duplicate_row 31, 4 bad_reference"; !strings.HasPrefix(rejects, want) {
		t.Errorf("rejects: %s, want %s", rejects, want)
	}
}

// A formula without a stored result is loaded as an empty cell, and the sheet says where.
func TestWarningsAreKept(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	content := workbook(t, func(b *excelize.File) error {
		for cell, text := range map[string]string{"A1": "id", "B1": "sum", "A2": "1"} {
			if err := b.SetCellStr("Sheet1", cell, text); err != nil {
				return err
			}
		}
		return b.SetCellFormula("Sheet1", "B2", "SUM(1,2)")
	})
	u := f.upload(t, string(content))
	handle(t, f.worker(t, usual, ""), u)
	f.wantTask(t, u.TaskID, "COMPLETED 1 0 0")
	f.wantRows(t, "{1,NULL}")
	if got, want := pgtest.Query[string](t, f.Database, `select warnings from sheetdrop.sheet`), `[{"code": "no_cached_value", "refs": ["B2"], "count": 1}]`; got != want {
		t.Errorf("warnings: %s, want %s", got, want)
	}
}

// A stranger's names go into the database, which takes neither U+0000 nor what is no UTF-8: that is no internal error.
func TestNamesThatTheDatabaseWouldNotTake(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.worker(t, usual, "")
	const bad = "a\xff\x00b"
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for _, name := range []string{bad, "c"} {
		if _, err := z.Create(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	u := f.upload(t, archive.String())
	handle(t, w, u)
	f.wantTask(t, u.TaskID, "FAILED 1 0 0 unsupported_format")

	content := workbook(t, func(b *excelize.File) error { return b.SetCellStr("Sheet1", "A1", "id") })
	u = f.upload(t, string(changePart(t, content, "xl/workbook.xml", func(old []byte) []byte { return bytes.Replace(old, []byte("Sheet1"), []byte(bad), 1) })))
	handle(t, w, u)
	f.wantTask(t, u.TaskID, "COMPLETED 1 0 0")
	if name := pgtest.Query[string](t, f.Database, `select name from sheetdrop.sheet where task_id = $1`, u.TaskID); !strings.HasPrefix(name, "a") || !strings.HasSuffix(name, "b") {
		t.Errorf("the sheet is called %q", name)
	}
}
