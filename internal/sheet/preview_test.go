package sheet_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"

	"sheetdrop/internal/sheet"
	"sheetdrop/samples"
)

func previewLimits() sheet.PreviewLimits {
	return sheet.PreviewLimits{Limits: sheet.DefaultLimits(), Rows: 1000, Records: 100_000, Sheets: 100, ShownColumns: 16_384, Bytes: 8 << 20}
}

func preview(t *testing.T, content []byte, part sheet.Part, opt sheet.Options) sheet.Preview {
	t.Helper()
	found, err := sheet.ReadPreview(t.Context(), bytes.NewReader(content), part, opt, previewLimits())
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// corpusContents returns the files of the corpus, and a workbook, by their names.
func corpusContents(t *testing.T) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/corpus/*.csv")
	if err != nil || len(paths) < 120 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	contents := map[string][]byte{}
	for _, path := range paths {
		if contents[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	if contents["stock.xlsx"], err = samples.Files.ReadFile("stock.xlsx"); err != nil {
		t.Fatal(err)
	}
	return contents
}

// A preview of a file that fits finds what the later upload finds: the same rows, rejects and skipped records, columns and options.
func TestPreviewFindsWhatReadingFinds(t *testing.T) {
	t.Parallel()
	for name, content := range corpusContents(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, options := readSheets(t, content, sheet.Options{})
			found := preview(t, content, sheet.Part{Bytes: int64(len(content))}, sheet.Options{})
			if !found.Complete || found.Error != nil {
				t.Errorf("complete %v, error %+v", found.Complete, found.Error)
			}
			read := 0
			for _, s := range found.Sheets {
				if !s.Read {
					continue
				}
				comparePreview(t, s, want[read])
				if got, want := jsonOf(t, s.Options), jsonOf(t, options[read]); got != want {
					t.Errorf("options %s, want %s", got, want)
				}
				read++
			}
			if read != len(want) {
				t.Errorf("%d sheets were read, want %d", read, len(want))
			}
		})
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	return string(jsonLines(t, v))
}

// comparePreview compares a sheet's preview with what readSheets returned of it.
func comparePreview(t *testing.T, s sheet.PreviewedSheet, lines string) {
	t.Helper()
	var rows, rejects, skipped [][]*string
	decoder := json.NewDecoder(strings.NewReader(lines))
	var summary printedSummary
	for summary.Type == "" {
		var text json.RawMessage
		var line printedRecord
		err := errors.Join(decoder.Decode(&text), json.Unmarshal(text, &line))
		if line.Type == "summary" {
			err = errors.Join(err, json.Unmarshal(text, &summary))
		}
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case line.Kind == "row":
			rows = append(rows, line.Cells)
		case line.Kind == "reject":
			rejects = append(rejects, line.Cells)
		case line.Kind == "skip":
			skipped = append(skipped, line.Cells)
		}
	}
	var columns []sheet.Column
	if err := decoder.Decode(&columns); err != nil {
		t.Fatal(err)
	}
	var gotRows, gotRejects, gotSkipped [][]*string
	for _, r := range s.Rows {
		if len(r.Values) != len(r.Text) {
			t.Errorf("row %d has %d values and %d texts", r.RowNo, len(r.Values), len(r.Text))
		}
		gotRows = append(gotRows, r.Text)
	}
	for _, r := range s.Rejects {
		if len(r.Errors) == 0 {
			t.Errorf("reject %d has no reason", r.RowNo)
		}
		gotRejects = append(gotRejects, r.Cells)
	}
	for _, r := range s.Skipped {
		if r.Reason == "" {
			t.Errorf("skipped record %d has no reason", r.RowNo)
		}
		gotSkipped = append(gotSkipped, r.Cells)
	}
	for what, pair := range map[string][2]any{
		"rows": {gotRows, rows}, "rejects": {gotRejects, rejects}, "skipped": {gotSkipped, skipped}, "columns": {s.Columns, append([]sheet.Column{}, columns...)},
		"counts": {counts{int(s.RowsAccepted), int(s.RowsRejected), int(s.RowsSkipped)}, counts{summary.Loaded, summary.Rejected, summary.Skipped}},
	} {
		if got, want := jsonOf(t, pair[0]), jsonOf(t, pair[1]); got != want || what == "counts" && pair[0] != pair[1] {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
}

// However a file is cut, what is shown of its beginning is what is there: a record that was cut is no reject, and no shorter row.
func TestPreviewOfAPartHasNoCutRecord(t *testing.T) {
	t.Parallel()
	for name, content := range corpusContents(t) {
		if strings.HasSuffix(name, ".xlsx") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			book, err := sheet.Open(t.Context(), bytes.NewReader(content), sheet.Options{}, sheet.DefaultLimits())
			if err != nil {
				t.Fatal(err)
			}
			defer book.Close()
			s, err := book.Next()
			if err != nil {
				t.Fatal(err)
			}
			options := book.Found(s)
			options.Encoding = book.Encoding()
			whole := places(t, s)
			for n := 1; n < len(content); n += 1 + len(content)/60 {
				part, err := sheet.OpenPart(t.Context(), bytes.NewReader(content[:n]), sheet.Part{Cut: true}, options, sheet.DefaultLimits())
				if err != nil {
					t.Fatalf("%d bytes: %v", n, err)
				}
				s, err := part.Next()
				if err != nil {
					t.Fatalf("%d bytes: %v", n, err)
				}
				for i, got := range places(t, s) {
					ends := int64(len(content))
					if i+1 < len(whole) {
						ends = whole[i+1].offset
					}
					if got != whole[i] || ends > int64(n)+2 { // the line feed behind a carriage return may be cut
						t.Fatalf("of %d bytes record %d is %+v, want %+v, which ends at %d", n, i+1, got, whole[i], ends)
					}
				}
				if err := part.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

type place struct{ no, line, offset int64 }

// places returns where the records of a sheet are.
func places(t *testing.T, s *sheet.Sheet) (list []place) {
	t.Helper()
	for {
		rec, err := s.Read()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, place{rec.No, rec.Line, rec.Offset})
	}
}

// In whatever encoding, a table that was cut within a character, a quote or a line of a cell shows no reject.
func TestPreviewOfACutTable(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString("番号,名前,備考\r\n")
	for i := range 300 {
		fmt.Fprintf(&text, "%d,\"商品 \"\"%d\"\"\",\"一行目\r\n二行目、%d\"\r\n", i, i, i)
	}
	for name, to := range map[string]encoding.Encoding{
		"utf-8": encoding.Nop, "cp932": japanese.ShiftJIS, "euc-jp": japanese.EUCJP, "iso-2022-jp": japanese.ISO2022JP,
		"utf-16le": unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
	} {
		content, err := to.NewEncoder().Bytes([]byte(text.String()))
		if err != nil {
			t.Fatal(err)
		}
		for n := len(content) - 150; n < len(content); n += 3 {
			found := preview(t, content[:n], sheet.Part{Cut: true}, sheet.Options{})
			if s := found.Sheets[0]; found.Encoding != name || found.Complete || s.RowsRejected+s.RowsSkipped > 0 || s.RowsAccepted < 295 || s.RowsAccepted > 300 {
				t.Errorf("%s cut at %d of %d: %s, complete %v, %d rows, rejects %s", name, n, len(content), found.Encoding, found.Complete, s.RowsAccepted,
					jsonOf(t, s.Rejects))
			}
		}
	}
}

// A packed text is previewed up to the limit, and where the archive is cut, too; of the beginning of a workbook nothing can be said.
func TestPreviewOfPackedFiles(t *testing.T) {
	t.Parallel()
	var text, packed bytes.Buffer
	for i := range 20_000 {
		fmt.Fprintf(&text, "%d,name %d,%d\n", i, i*7919%1000, i*31)
	}
	to := gzip.NewWriter(&packed)
	_, _ = to.Write(text.Bytes())
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		content []byte
		part    sheet.Part
	}{
		"long":        {packed.Bytes(), sheet.Part{Bytes: 100_000}},
		"cut":         {packed.Bytes()[:packed.Len()/2], sheet.Part{Cut: true}},
		"cut, long":   {packed.Bytes()[:packed.Len()/2], sheet.Part{Cut: true, Bytes: 100_000}},
		"text":        {text.Bytes(), sheet.Part{Bytes: 100_000}},
		"cut of text": {text.Bytes()[:100_000], sheet.Part{Cut: true}},
	} {
		found := preview(t, c.content, c.part, sheet.Options{})
		if s := found.Sheets[0]; found.Complete || found.Error != nil || s.RowsRejected > 0 || s.RowsAccepted < 1000 || s.RowsAccepted > 15_000 {
			t.Errorf("%s: complete %v, %d rows, %d rejects, %+v", name, found.Complete, s.RowsAccepted, s.RowsRejected, found.Error)
		}
	}
	book, err := samples.Files.ReadFile("stock.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	_, err = sheet.ReadPreview(t.Context(), bytes.NewReader(book[:len(book)/2]), sheet.Part{Cut: true}, sheet.Options{}, previewLimits())
	if !errors.Is(err, sheet.ErrPart) {
		t.Errorf("of half a workbook: %v", err)
	}
}

// P9: a preview reads and shows no more than its limits, and says that there is more.
func TestPreviewIsBounded(t *testing.T) {
	t.Parallel()
	text := "id,note\n" + strings.Repeat("1,x\n2\n\n", 1000)
	shown := func(change func(*sheet.PreviewLimits)) sheet.Preview {
		limits := previewLimits()
		change(&limits)
		found, err := sheet.ReadPreview(t.Context(), strings.NewReader(text), sheet.Part{}, sheet.Options{}, limits)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	few := shown(func(l *sheet.PreviewLimits) { l.Rows = 3 })
	if s := few.Sheets[0]; !few.Complete || s.RowsRead != 3000 || len(s.Rows) != 3 || len(s.Rejects) != 3 || len(s.Skipped) != 3 {
		t.Errorf("by 3 rows: %v, %d read, %d, %d, %d shown", few.Complete, s.RowsRead, len(s.Rows), len(s.Rejects), len(s.Skipped))
	}
	part := shown(func(l *sheet.PreviewLimits) { l.Records = 10 })
	if s := part.Sheets[0]; part.Complete || s.RowsRead != 9 || s.RowsAccepted != 3 || s.Columns[0].Type != "integer" {
		t.Errorf("by 10 records: %v, %d read, %d accepted, %+v", part.Complete, s.RowsRead, s.RowsAccepted, s.Columns)
	}
	small := shown(func(l *sheet.PreviewLimits) { l.Bytes = 1000 })
	if s := small.Sheets[0]; len(s.Rows) > 20 || s.RowsAccepted != 1000 {
		t.Errorf("by 1,000 bytes: %d of %d rows are shown", len(s.Rows), s.RowsAccepted)
	}
	limits := previewLimits()
	limits.Bytes = 40_000
	wide := strings.Repeat("h,", 500) + "h\n" + strings.Repeat(strings.Repeat("1,", 500)+"1\n", 30)
	if found, err := sheet.ReadPreview(t.Context(), strings.NewReader(wide), sheet.Part{}, sheet.Options{}, limits); err != nil || len(found.Sheets[0].Rows) < 2 {
		t.Errorf("the candidates for the header leave no room for the rows of a wide table: %d, %v", len(found.Sheets[0].Rows), err)
	}
	book, err := samples.Files.ReadFile("stock.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	limits = previewLimits()
	limits.ShownColumns = 5
	narrow, err := sheet.ReadPreview(t.Context(), bytes.NewReader(book), sheet.Part{}, sheet.Options{}, limits)
	if err != nil || narrow.Complete || len(narrow.Sheets) != 3 || !narrow.Sheets[0].Read || narrow.Sheets[1].Read {
		t.Errorf("5 columns of a workbook: %+v, %v", narrow, err)
	}
	limits = previewLimits()
	limits.Records = 3
	found, err := sheet.ReadPreview(t.Context(), bytes.NewReader(book), sheet.Part{}, sheet.Options{}, limits)
	if err != nil || found.Complete || len(found.Sheets) != 3 || !found.Sheets[0].Read || found.Sheets[1].Read {
		t.Errorf("3 records of a workbook: %+v, %v", found, err)
	}
}

// What a person needs to set the header right is there: the records that may be it, each with the options that make it so.
func TestPreviewShowsHeaderCandidates(t *testing.T) {
	t.Parallel()
	content := []byte("Prices of 2024\n\nid,name,price\nA,B,C\n1,x,2\n2,y,3\n3,z,4\n")
	s := preview(t, content, sheet.Part{}, sheet.Options{}).Sheets[0]
	var lines []string
	for _, c := range s.HeaderCandidates {
		lines = append(lines, fmt.Sprintf("%d %d %v %s", c.Skip, c.Header, c.Chosen, *c.Cells[0]))
	}
	if len(lines) < 3 || !strings.Contains(strings.Join(lines, "\n"), "3 1 false A") && !strings.Contains(strings.Join(lines, "\n"), "3 1 true A") {
		t.Fatalf("candidates %q", lines)
	}
	for _, c := range s.HeaderCandidates {
		skip := int(c.Skip)
		again := preview(t, content, sheet.Part{}, sheet.Options{Skip: &skip, Header: &c.Header}).Sheets[0]
		if got := again.Columns[0].Label; got != *c.Cells[0] && !c.Chosen {
			t.Errorf("with skip=%d the first column is %q, want %q", skip, got, *c.Cells[0])
		}
	}
}

// A file that cannot be read is no error of the preview: it says why.
func TestPreviewOfARefusedFile(t *testing.T) {
	t.Parallel()
	found := preview(t, []byte("%PDF-1.7 nothing"), sheet.Part{}, sheet.Options{})
	if found.Error == nil || found.Error.Code != sheet.UnsupportedFormat || found.Error.MessageJA == "" {
		t.Errorf("%+v", found.Error)
	}
}
