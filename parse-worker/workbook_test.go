package parse_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
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

// cutPart shortens one part of a workbook to its first half; the zip file around it is sound.
func cutPart(t *testing.T, workbook []byte, part string) []byte {
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
		length := int64(file.UncompressedSize64)
		if file.Name == part {
			length /= 2
		}
		to, err := out.Create(file.Name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyN(to, in, length); err != nil {
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
	const rejected = 1100
	content := workbook(t, func(b *excelize.File) error {
		if _, err := b.NewSheet("Sheet2"); err != nil {
			return err
		}
		for _, sheet := range []string{"Sheet1", "Sheet2"} {
			if err := b.SetSheetRow(sheet, "A1", &[]any{"id"}); err != nil {
				return err
			}
			for row := 2; row < rejected+2; row++ {
				if err := b.SetSheetRow(sheet, fmt.Sprintf("A%d", row), &[]any{row, "one too many"}); err != nil {
					return err
				}
			}
			for row := rejected + 2; row < rejected+12; row++ {
				if err := b.SetSheetRow(sheet, fmt.Sprintf("A%d", row), &[]any{row}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	u := f.upload(t, string(cutPart(t, content, "xl/worksheets/sheet2.xml")))
	handle(t, f.worker(t, usual, ""), u)
	f.wantTask(t, u.TaskID, "FAILED 1 0 0 damaged_file")
	f.wantRows(t)
	sheet := pgtest.Query[string](t, f.Database, `select concat_ws(' ', name, rows_read, rows_loaded, rows_rejected) from sheetdrop.sheet where number = 1`)
	if want := fmt.Sprintf("Sheet1 %d 0 %d", rejected, rejected); sheet != want {
		t.Errorf("sheet: %s, want %s", sheet, want)
	}
	kept := pgtest.Query[string](t, f.Database, `select concat_ws(' ', count(*), min(row_no), max(row_no), bool_and(sheet_id = (select id from sheetdrop.sheet where number = 1)),
bool_and(code = 'extra_cell'), min(convert_from(raw, 'UTF8'))) from sheetdrop.row_reject`)
	if want := "1000 2 1001 t t 10\tone too many"; kept != want {
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
