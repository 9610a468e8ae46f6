package parse_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/pgtest"
	parse "sheetdrop/parse-worker"
)

// fileFault is a file that is refused, with the options and limits under which it is.
type fileFault struct {
	content, options string
	limit            func(l *parse.Limits)
}

// fileFaults has a file for each code of a refused file, and for one whose header cannot be read. No wrong_password: a
// task has no password.
func fileFaults(t *testing.T) map[string]fileFault {
	t.Helper()
	book := string(workbook(t, func(b *excelize.File) error { return b.SetSheetCol("Sheet1", "A1", &[]any{"a", 1, 2}) }))
	twoSheets := string(workbook(t, func(b *excelize.File) error {
		_, err := b.NewSheet("second")
		for _, sheet := range b.GetSheetList() {
			if err == nil {
				err = b.SetSheetCol(sheet, "A1", &[]any{"a", 1})
			}
		}
		return err
	}))
	packed := gzipped(t, "a\n"+strings.Repeat("1\n", 9<<20))
	return map[string]fileFault{
		"empty_file":              {content: "\r\n\r\n"},
		"unsupported_format":      {content: "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00"},
		"damaged_file":            {content: "PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00[Content_Types].xml"},
		"encrypted":               {content: encryptedWorkbook(t)},
		"no_such_sheet":           {content: book, options: `{"sheet":"another"}`},
		"nothing_to_correct":      {content: mixed, options: `{"corrects":"01939d2e-0000-7000-8000-000000000000/1"}`},
		"missing_column":          {content: mixed, options: `{"columns":[{"name":"another"}]}`},
		"row_rejected":            {content: mixed, options: `{"policy":"fail"}`},
		"too_many_rejects":        {content: mixed, options: `{"policy":"limit:1"}`},
		"too_many_columns":        {content: mixed, limit: func(l *parse.Limits) { l.Columns = 1 }},
		"too_many_columns_in_all": {content: twoSheets, limit: func(l *parse.Limits) { l.FileColumns = 1 }},
		"headers_too_long":        {content: mixed, limit: func(l *parse.Limits) { l.HeaderBytes = 1 }},
		"output_too_large":        {content: packed, limit: func(l *parse.Limits) { l.OutputBytes = 1; l.UnzipRatio = 10_000 }},
		"too_many_rows":           {content: mixed, limit: func(l *parse.Limits) { l.Rows = 3 }},
		"too_many_cells":          {content: mixed, limit: func(l *parse.Limits) { l.Cells = 4 }},
		"too_many_unique_values":  {content: manyValues(), options: `{"dry_run":true,"columns":[{"name":"id","unique":true}]}`},
		"too_complex": {content: mixed, options: `{"columns":[{"name":"name","pattern":"([a-z]{1,50}){1,9}"}]}`,
			limit: func(l *parse.Limits) { l.PatternWork = 1 }},
		"package_too_large":  {content: book, limit: func(l *parse.Limits) { l.PackageBytes = 1 }},
		"unzipped_too_large": {content: packed, limit: func(l *parse.Limits) { l.UnzippedBytes = 1 }},
		"unzip_ratio":        {content: packed, limit: func(l *parse.Limits) { l.UnzipRatio = 2 }},
		"too_many_parts":     {content: book, limit: func(l *parse.Limits) { l.Parts = 1 }},
		"invalid_encoding":   {content: "n\xffme\n1\n", options: `{"encoding":"utf-8","header":1}`},
	}
}

// An input error fails the task at once, without a row, with a code and a message for its owner, and wakes nobody: it
// raises no alert and logs no error.
func TestInputErrorsFailAtOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for code, c := range fileFaults(t) {
		limited := usual
		if c.limit != nil {
			c.limit(&limited.Limits)
		}
		if c.options == "" {
			c.options = `{}`
		}
		log := new(devtest.Log)
		w, err := parse.New(limited, pgtest.Open(t, f.URL), pgtest.Open(t, f.URL), f.Blobs, slog.New(slog.NewJSONHandler(log, nil)))
		if err != nil {
			t.Fatal(err)
		}
		u := f.uploadWith(t, c.content, c.options)
		handle(t, w, u)
		f.wantTask(t, u.TaskID, "FAILED 1 0 0 "+code)
		f.wantMessages(t, u.TaskID, 0)
		words := pgtest.Query[int](t, f.Database, `select least(length(error_detail), length(error_detail_ja) * 2) from sheetdrop.task where id = $1`, u.TaskID)
		if words < 20 {
			t.Errorf("%s is not told in words", code)
		}
		if strings.Contains(log.String(), `"level":"ERROR"`) || !strings.Contains(log.String(), `"input error"`) {
			t.Errorf("%s is logged as %s", code, log)
		}
	}
	f.wantRows(t)
	if alerts := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.alert`); alerts != 0 {
		t.Errorf("%d alerts are raised", alerts)
	}
}

// The list of files above has one for each documented code.
func TestEveryInputErrorIsTried(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "docs", "errors.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Files\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var documented []string
	for _, found := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|").FindAllStringSubmatch(section, -1) {
		documented = append(documented, found[1])
	}
	want := slices.DeleteFunc(documented, func(code string) bool { return code == "wrong_password" })
	want = append(want, "invalid_encoding") // of a header
	want = slices.DeleteFunc(want, func(code string) bool { return slices.Contains(triedWithTargets, code) })
	slices.Sort(want)
	if tried := slices.Sorted(maps.Keys(fileFaults(t))); !slices.Equal(tried, want) {
		t.Errorf("tried are\n%q\nand documented\n%q", tried, want)
	}
}

// triedWithTargets are the codes of TestFilesThatDoNotGoIntoATarget, TestFormatsAreDecidedByTheWholeColumn, TestTableThatRefusesTheLoad,
// TestOldFileOfASeriesIsParsedAgain and TestUndosAfterOldLoadsAreSettled.
var triedWithTargets = []string{
	"mapping_needed", "ambiguous_header", "format_ambiguous", "sheet_needed", "target_dropped", "target_refuses", "newer_load", "undo_expired",
}

func encryptedWorkbook(t *testing.T) string {
	t.Helper()
	book := excelize.NewFile()
	defer book.Close()
	var content bytes.Buffer
	if err := book.Write(&content, excelize.Options{Password: "secret"}); err != nil {
		t.Fatal(err)
	}
	return content.String()
}

// manyValues is a column of one more value than a unique one may have.
func manyValues() string {
	var b strings.Builder
	b.WriteString("id\n")
	for i := range 1<<20 + 1 {
		fmt.Fprintln(&b, i)
	}
	return b.String()
}
