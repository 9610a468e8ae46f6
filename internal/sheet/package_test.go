package sheet

import (
	"slices"
	"strings"
	"testing"
)

func TestDamagedWorkbooksAreRefused(t *testing.T) {
	t.Parallel()
	rows := text(1, "a") + text(2, "1")
	whole := pack(t, parts(rows, nil))
	for name, content := range map[string]string{
		"cut off":       whole[:len(whole)/2],
		"no workbook":   pack(t, parts(rows, map[string]string{"xl/_rels/workbook.xml.rels": "", "xl/workbook.xml": ""})),
		"no XML":        pack(t, parts(rows, map[string]string{"xl/workbook.xml": "PK"})),
		"sheet missing": strings.ReplaceAll(whole, "sheet1.xml", "sheet9.xml"),
		"sheet cut off": pack(t, parts("", map[string]string{"xl/worksheets/sheet1.xml": xmlHead + "<worksheet " + mainNS + "><sheetData>" + rows})),
		"sheet broken":  pack(t, parts("", map[string]string{"xl/worksheets/sheet1.xml": xmlHead + "<worksheet " + mainNS + "><sheetData>" + text(1, "a") + "</c>"})),
		"entity bomb":   pack(t, parts(`<row r="1"><c t="inlineStr"><is><t>&bomb;</t></is></c></row>`, nil)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := read(t, content, Options{}, DefaultLimits())
			if len(got) == 0 || got[len(got)-1] != "refused damaged_file" {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestLimitsOfWorkbooks(t *testing.T) {
	t.Parallel()
	content := pack(t, parts(text(1, "a")+strings.Repeat(" ", 17<<20), nil))
	for want, change := range map[Code]func(*Limits){
		PackageTooLarge:  func(l *Limits) { l.PackageBytes = int64(len(content)) - 1 },
		UnzippedTooLarge: func(l *Limits) { l.UnzippedBytes = 17 << 20 },
		TooManyParts:     func(l *Limits) { l.Parts = 4 },
		UnzipRatio:       func(*Limits) {},
	} {
		lim := DefaultLimits()
		change(&lim)
		if got := read(t, content, Options{}, lim); !slices.Equal(got, []string{"refused " + string(want)}) {
			t.Errorf("%s: %q", want, got)
		}
	}
}

// What compresses well is no bomb as long as it is small.
func TestSmallWorkbookOfAnyRatio(t *testing.T) {
	t.Parallel()
	content := pack(t, parts(text(1, "a")+strings.Repeat(" ", 4<<20), nil))
	if got := read(t, content, Options{}, DefaultLimits()); !slices.Equal(got, []string{"sheet 1 S visible=true", "header 1A1: a"}) {
		t.Errorf("%d bytes: %q", len(content), got)
	}
}
