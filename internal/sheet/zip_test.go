package sheet

import (
	"archive/zip"
	"bytes"
	"slices"
	"strings"
	"testing"
)

// zipOf makes a zip archive of files, name and content in turn.
func zipOf(t testing.TB, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		part, err := w.Create(files[i])
		if err == nil {
			_, err = part.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Each file of an archive is a sheet of its own, in any format; what is no table is listed, and not read.
func TestArchiveOfSeveralFiles(t *testing.T) {
	t.Parallel()
	workbook := pack(t, parts(text(1, "n")+number(2, "5"), nil))
	content := zipOf(t, "a/orders.csv", "id;name\n1;x\n", "a/", "", "logo.png", "\x89PNG\r\n\x1a\n\x00", "b/../../etc/orders.csv", "id\n7\n", "book.xlsx", workbook,
		"rows.json", "{\"k\":1}\n{\"k\":2}\n", "empty.csv", "", "blank.csv", "\n\n")
	all := []string{
		"sheet 1 orders.csv visible=true", "header 1: id|name", "row 2: 1|x",
		"sheet 2 logo.png visible=true",
		"sheet 3 orders.csv visible=true", "header 1: id", "row 2: 7",
		"sheet 4 book.xlsx: S visible=true", "header 1A1: n", "row 2A2: 5",
		"sheet 5 rows.json visible=true", "row 1: 1", "row 2: 2",
		"sheet 6 empty.csv visible=true", "sheet 7 blank.csv visible=true", "skip 1:", "skip 2:",
	}
	got := read(t, content, Options{}, DefaultLimits())
	if i := firstDifference(got, all); i >= 0 {
		t.Errorf("line %d:\n got %q\nwant %q", i, at(got, i), at(all, i))
	}
	for sheet, want := range map[string]string{"rows.json": "row 2: 2", "4": "row 2A2: 5", "book.xlsx: s": "row 2A2: 5"} {
		got := read(t, content, Options{Sheet: sheet}, DefaultLimits())
		rows := slices.DeleteFunc(got, func(line string) bool { return !strings.HasPrefix(line, "row ") })
		if len(rows) == 0 || rows[len(rows)-1] != want || len(rows) > 2 {
			t.Errorf("%s: %q", sheet, rows)
		}
	}
	if got := read(t, content, Options{Sheet: "9"}, DefaultLimits()); got[len(got)-1] != "refused no_such_sheet" {
		t.Errorf("%q", got)
	}
}

func TestArchivesOfSeveralFilesThatAreRefused(t *testing.T) {
	t.Parallel()
	large := "a,b\n" + strings.Repeat("1,2\n", 4<<20)
	small := DefaultLimits()
	small.UnzippedBytes = 200
	for name, c := range map[string]struct {
		content string
		limits  Limits
		want    Code
	}{
		"no table":           {zipOf(t, "a.png", "\x89PNG\r\n\x1a\n", "b.pdf", "%PDF-1.7"), DefaultLimits(), UnsupportedFormat},
		"damaged workbook":   {zipOf(t, "a.csv", "a\n1\n", "b.xlsx", pack(t, parts(text(1, "a"), nil))[:300]), DefaultLimits(), DamagedFile},
		"too large together": {zipOf(t, "a.csv", strings.Repeat("a\n", 90), "b.csv", strings.Repeat("a\n", 90)), small, UnzippedTooLarge},
		"bombs together":     {zipOf(t, "a.csv", large[:15<<20], "b.csv", large[:15<<20]), DefaultLimits(), UnzipRatio},
	} {
		if got := read(t, c.content, Options{}, c.limits); got[len(got)-1] != "refused "+string(c.want) {
			t.Errorf("%s: %.200q", name, got)
		}
	}
}

// A workbook alone in an archive is read as if it came alone; an archive in an archive is not opened.
func TestWorkbookInAnArchive(t *testing.T) {
	t.Parallel()
	book := formatFile(t, "orders.xls")
	if got := read(t, zipOf(t, "orders.xls", book), Options{}, DefaultLimits()); firstDifference(got, read(t, book, Options{}, DefaultLimits())) >= 0 {
		t.Errorf("%q", got)
	}
	inner := zipOf(t, "a.csv", "a\n1\n")
	if got := read(t, zipOf(t, "inner.zip", inner), Options{}, DefaultLimits()); !slices.Equal(got, []string{"refused unsupported_format"}) {
		t.Errorf("%q", got)
	}
	if got := read(t, zipOf(t, "inner.zip", inner, "b.csv", "b\n2\n"), Options{}, DefaultLimits()); !slices.Equal(got, []string{
		"sheet 1 inner.zip visible=true", "sheet 2 b.csv visible=true", "header 1: b", "row 2: 2",
	}) {
		t.Errorf("%q", got)
	}
}

// What people put beside the tables of an archive to be read is listed and not read, unless somebody asks for it; what programs put there is
// not even listed. A list stays a table, and so do sentences in a file whose name says so.
func TestTextsAmongTheTablesOfAnArchive(t *testing.T) {
	t.Parallel()
	const readme = "Sales export, January 2024\n\nThis archive contains the monthly sales export.\nThe file orders.csv has one row per order, net of VAT.\n"
	content := zipOf(t, "readme.txt", readme, "お読みください.txt", "売上について\n\n1月の売上データです。\nお問い合わせは情報システム部まで。\n",
		"LICENSE", "Copyright 2024 Example Ltd.\n\nPermission is granted, free of charge, to any person, to copy it.\n",
		"orders.csv", "id;name\n1;x\n", "names.txt", "name\nAnna Bell\nBob Ross\n", "comments.csv", "comment\nIt works very well.\nNot what I wanted.\n",
		".gitignore", "*.tmp\n", "~$orders.xlsx", "x", "__MACOSX/._orders.csv", "\x00\x05\x16\x07")
	want := []string{
		"sheet 1 readme.txt visible=true", "sheet 2 お読みください.txt visible=true", "sheet 3 LICENSE visible=true",
		"sheet 4 orders.csv visible=true", "header 1: id|name", "row 2: 1|x",
		"sheet 5 names.txt visible=true", "header 1: name", "row 2: Anna Bell", "row 3: Bob Ross",
		"sheet 6 comments.csv visible=true", "header 1: comment", "row 2: It works very well.", "row 3: Not what I wanted.",
	}
	got := read(t, content, Options{}, DefaultLimits())
	if i := firstDifference(got, want); i >= 0 {
		t.Errorf("line %d:\n got %q\nwant %q", i, at(got, i), at(want, i))
	}
	found, err := ReadPreview(t.Context(), strings.NewReader(content), Part{}, Options{}, PreviewLimits{Limits: DefaultLimits(), Sheets: 9, Records: 9, ShownColumns: 9, Bytes: 999})
	if err != nil || len(found.Sheets) != 6 || len(found.Sheets[2].Warnings) != 1 || found.Sheets[2].Warnings[0].Code != NoTable || len(found.Sheets[3].Warnings) != 0 {
		t.Errorf("preview: %+v, %v", found.Sheets, err)
	}
	if got := read(t, content, Options{Sheet: "readme.txt"}, DefaultLimits()); !slices.Contains(got, "row 3: This archive contains the monthly sales export.") {
		t.Errorf("%q", got)
	}
	if got := read(t, zipOf(t, "readme.txt", readme, "LICENSE", readme), Options{}, DefaultLimits()); got[len(got)-1] != "refused unsupported_format" {
		t.Errorf("%q", got)
	}
}
