package sheet

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// P9: each limit on what a file makes has its code, and what is exactly at the limit is read.
func TestLimitsOfWhatAFileMakes(t *testing.T) {
	t.Parallel()
	twice := pack(t, parts(text(1, "ab", "c")+text(2, "1", "2"), manySheets(2)))
	merged := pack(t, parts("", map[string]string{"xl/worksheets/sheet1.xml": `<worksheet ` + mainNS + `><sheetData>` +
		text(1, "a", "b") + text(2, "12345678", "x") + text(3, "", "y") + `</sheetData><mergeCells><mergeCell ref="A2:A3"/></mergeCells></worksheet>`}))
	for name, c := range map[string]struct {
		content string
		opt     Options
		set     func(l *Limits, less int)
		code    Code
	}{
		"columns":       {twice, Options{}, func(l *Limits, less int) { l.FileColumns = 4 - less }, ManyFileColumns},
		"headers":       {twice, Options{}, func(l *Limits, less int) { l.HeaderBytes = 6 - less }, HeadersTooLong},
		"workbook rows": {twice, Options{}, func(l *Limits, less int) { l.OutputBytes = outputOf(twice, 2*(96+2*4+2)) - int64(less) }, OutputTooLarge},
		"rejects": {"a,b\n1\n2\n", Options{}, func(l *Limits, less int) {
			each := int64(rejectOverhead + len("1") + len(MissingCell) + len("b") + len("The cell is missing: the record has 1 cells, the header 2.セルがありません。このレコードのセルは1個、見出しは2個です。"))
			l.RejectBytes = 2*each - rejectFactor*int64(len("a,b\n1\n2\n")) - int64(less)
		}, TooManyRejects},
		"CSV rows":     {"a,b\n1,2\n3,\n", Options{}, func(l *Limits, less int) { l.OutputBytes = outputOf("a,b\n1,2\n3,\n", 2*(96+2*4)+5) - int64(less) }, OutputTooLarge},
		"merged cells": {merged, Options{FillDown: true}, func(l *Limits, less int) { l.OutputBytes = outputOf(merged, 2*(96+2*4+8+1)) - int64(less) }, OutputTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for less, want := range []string{"", "refused " + string(c.code)} {
				lim := DefaultLimits()
				c.set(&lim, less)
				if got := refusalOf(t, c.content, c.opt, lim); got != want {
					t.Errorf("%d below it: %q, want %q", less, got, want)
				}
			}
		})
	}
}

// outputOf is the limit at which a file whose rows take so many bytes is just read.
func outputOf(content string, bytes int64) int64 { return bytes - outputFactor*int64(len(content)) }

func refusalOf(t *testing.T, content string, opt Options, lim Limits) string {
	t.Helper()
	if err := eachRecord(t.Context(), []byte(content), opt, lim, func(*Sheet, *Record) {}); err != nil {
		return refusal(t, err)
	}
	return ""
}

// A label that nobody could read as one is cut, between characters, and said: the rows are there all the same.
func TestLongLabels(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("表", 2000)
	row := long + ",b\n"
	book, s := openFirst(t, "id,"+long+","+long+"\n1,2,3\n"+"id,"+row, Options{})
	var kinds []Kind
	for {
		rec, err := s.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, rec.Kind)
	}
	if want := []Kind{Header, Row, Row}; !slices.Equal(kinds, want) { // the last begins as the header does, and is another
		t.Errorf("records %v, want %v", kinds, want)
	}
	cut := strings.Repeat("表", maxLabelBytes/len("表"))
	if c := s.Columns(); len(c) != 3 || c[1].Label != cut || c[1].Name != cut || c[2].Name != cut+"_2" {
		t.Errorf("columns %.80v", c)
	}
	if got, want := fmt.Sprint(s.Warnings()), fmt.Sprint([]Warning{{LabelCut, 2, []string{"B1", "C1"}}}); got != want {
		t.Errorf("warnings %s, want %s", got, want)
	}
	if err := book.Close(); err != nil {
		t.Error(err)
	}
}
